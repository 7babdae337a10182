import type { FixedValue } from '../model/index.ts'

/** Returns the arguments that a relationship sets, with the values of a row. */
export function filled(value: FixedValue, valueAt: (name: string) => unknown): unknown {
  switch (value.kind) {
    case 'variable':
      return valueAt(value.name)
    case 'literal':
      return value.value
    case 'list':
      return value.items.map((item) => filled(item, valueAt))
    case 'object':
      return Object.fromEntries(value.fields.map(([name, inner]) => [name, filled(inner, valueAt)]))
  }
}

/** Objects member by member, lists one after the other; else the relationship's value counts. */
export function over(own: unknown, fixed: unknown): unknown {
  if (own === undefined || own === null) return fixed
  if (Array.isArray(fixed)) return Array.isArray(own) ? [...own, ...fixed] : [own, ...fixed]
  if (!isObjectValue(own) || !isObjectValue(fixed)) return fixed
  const result: Record<string, unknown> = Object.assign(Object.create(null), own)
  for (const [name, value] of Object.entries(fixed))
    result[name] = over(Object.hasOwn(own, name) ? own[name] : undefined, value)
  return result
}

export const isObjectValue = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !JSON.isRawJSON(value)
