/**
 * Whether lists and objects of JSON stand in one another more often than that. JSON.parse accepts any number of levels, but nothing
 * that walks over a value calls itself so often.
 */
export function hasMoreLevels(value: unknown, most: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (most === 0) return true
  if (Array.isArray(value)) return value.some((item) => hasMoreLevels(item, most - 1))
  for (const key in value) if (hasMoreLevels((value as Readonly<Record<string, unknown>>)[key], most - 1)) return true
  return false
}

/** Levels of values that the engine accepts from handlers of actions. */
export const MOST_LEVELS = 1000
