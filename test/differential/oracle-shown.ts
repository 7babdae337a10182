/** How values are shown in JSON (reference/values#json-of-column-values). */
import type { Expected } from './expected.ts'
import { canonical } from './oracle-values.ts'
import type { Asker } from './oracle-view.ts'
import type { JsonPath } from './query.ts'
import type { ColumnType, Value } from './world.ts'

/** `path`: a member of a JSON value. */
export function shown(
  { stringify }: Pick<Asker, 'stringify'>,
  value: Value,
  type: ColumnType,
  path?: JsonPath,
): Expected {
  if (path !== undefined) {
    const found = path.reduce<unknown>(memberOf, value)
    if (typeof found === 'number') return { kind: 'number', number: found, text: false }
    return typeof found === 'object' && found !== null
      ? { kind: 'json', text: canonical(found as Value) }
      : ((found as Value & string) ?? null)
  }
  if (typeof value === 'number') return { kind: 'number', number: value, text: stringify && isStringified(type) }
  return typeof value === 'object' && value !== null ? { kind: 'json', text: canonical(value) } : value
}

/** What is shown as text where numbers are made strings, in aggregates by the type of what is aggregated. */
const isStringified = (type: ColumnType): boolean => type === 'int8' || type === 'numeric' || type === 'float8'

const memberOf = (value: unknown, key: string | number): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Readonly<Record<string | number, unknown>>)[key]
    : null

export const object = (members: readonly (readonly [string, Expected])[]): Expected => ({ kind: 'object', members })
