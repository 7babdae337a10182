import { canonicalNumber, isRawNumber } from './exact-json/raw-number.ts'

/** Deep equality; numbers are compared by all their digits, the order of an object's keys does not count, the order of a list does. */
export function equalJson(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a) || Array.isArray(b)) {
    return Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((item, i) => equalJson(item, b[i]))
  }
  if (isRawNumber(a) || isRawNumber(b))
    return isRawNumber(a) && isRawNumber(b) && canonicalNumber(a).rawJSON === canonicalNumber(b).rawJSON
  const left = a as Record<string, unknown>
  const right = b as Record<string, unknown>
  // without lists of the keys: a replacement compares 300,000 objects
  let count = 0
  for (const key in left) {
    if (left[key] === undefined) continue
    count++
    if (!Object.hasOwn(right, key) || !equalJson(left[key], right[key])) return false
  }
  for (const key in right) if (right[key] !== undefined) count--
  return count === 0
}
