/**
 * Where two answers differ; null: nowhere. BigQuery has numbers as texts, and times as ISO 8601 with `Z` (sheet of values); averages
 * and variances of NUMERIC have nine digits behind the point there, and are floats here and there.
 */
export function difference(expected: unknown, found: unknown, path = '$'): string | null {
  if (Array.isArray(expected) && Array.isArray(found)) {
    if (expected.length !== found.length) return `${path}: ${found.length} instead of ${expected.length}`
    return first(expected.map((one, i) => difference(one, found[i], `${path}[${i}]`)))
  }
  if (isObject(expected) && isObject(found)) {
    const keys = Object.keys(expected)
    if (keys.join() !== Object.keys(found).join()) return `${path}: ${Object.keys(found)} instead of ${keys}`
    return first(keys.map((key) => difference(expected[key], found[key], `${path}.${key}`)))
  }
  if (isSame(expected, found)) return null
  return `${path}: ${JSON.stringify(found)} instead of ${JSON.stringify(expected)}`
}

const first = (found: readonly (string | null)[]): string | null => found.find((one) => one !== null) ?? null

const isObject = (json: unknown): json is Readonly<Record<string, unknown>> => typeof json === 'object' && json !== null

function isSame(expected: unknown, found: unknown): boolean {
  if (expected === found) return true
  if (typeof expected === 'number' || typeof found === 'number') return isNear(expected, found)
  return isTime(expected) && isTime(found) && Date.parse(expected) === Date.parse(found)
}

function isNear(expected: unknown, found: unknown): boolean {
  if (expected === null || found === null) return false
  const [a, b] = [Number(expected), Number(found)]
  return Math.abs(a - b) <= 1e-6 * Math.max(1, Math.abs(a))
}

const isTime = (json: unknown): json is string => typeof json === 'string' && /^\d{4}-\d\d-\d\dT/.test(json)
