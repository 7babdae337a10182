import { canonicalNumber, isRawNumber, type RawNumber } from './exact-json/raw-number.ts'
import type { Json, JsonObject } from './json.ts'

export const depthLimit = 500

/**
 * Checks that a JSON value is within the depth that the code behind it can walk recursively. Itself it does not
 * recurse, so a body of 10,000 brackets is refused instead of ending the process's stack. Returns the path of the first
 * value that is too deep, or null.
 */
export function checkDepth(json: unknown, limit: number = depthLimit): readonly (string | number)[] | null {
  interface Level {
    readonly keys: readonly string[] | null
    readonly values: readonly unknown[]
    next: number
  }
  const levels: Level[] = []
  const enter = (value: unknown) => {
    if (typeof value !== 'object' || value === null) return
    if (Array.isArray(value)) levels.push({ keys: null, values: value, next: 0 })
    else levels.push({ keys: Object.keys(value), values: Object.values(value), next: 0 })
  }
  enter(json)
  for (let level = levels.at(-1); level; level = levels.at(-1)) {
    if (levels.length > limit) return levels.slice(0, -1).map(({ keys, next }) => keys?.[next - 1] ?? next - 1)
    if (level.next === level.values.length) levels.pop()
    else enter(level.values[level.next++])
  }
  return null
}

/**
 * JSON whose shape no one but its user knows, with the keys of objects in order of code units
 * (reference/metadata-document#order-of-an-export).
 */
export function sortKeys(json: Json): Json {
  if (typeof json !== 'object' || json === null) return json
  if (isRawNumber(json)) return canonicalNumber(json) as JsonObject & RawNumber
  if (Array.isArray(json)) return json.map(sortKeys)
  return Object.fromEntries(
    Object.entries(json)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, value]) => [key, sortKeys(value)]),
  )
}
