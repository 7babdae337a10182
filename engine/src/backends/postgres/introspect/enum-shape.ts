import type { DatabaseColumn, DatabaseTable, EnumShape } from '../../backend.ts'
import { isType } from '../types/known-types.ts'

/**
 * Whether a table's key and columns make it an enum table (reference/database-objects#enum-tables). Says everything
 * that is wrong, not the first thing.
 */
export function enumShape({ columns, primaryKey }: DatabaseTable): EnumShape {
  const keys = primaryKey?.columns ?? []
  const key = columns.find(({ name }) => name === keys[0])
  const [comment] = columns.filter(({ name }) => !keys.includes(name))
  const reasons: string[] = []
  if (!key) reasons.push('the table must have a primary key')
  else if (keys.length > 1)
    reasons.push(`the table’s primary key must not span multiple columns (${[...keys].sort().join(', ')})`)
  else if (!isType(key.type, 'text')) reasons.push(wrongType('primary key', key))
  if (columns.length > 2) reasons.push(tooMany(columns))
  else if (comment && !isType(comment.type, 'text')) reasons.push(wrongType('comment column', comment))
  return key && reasons.length === 0
    ? { ok: true, key: key.name, comment: comment?.name ?? null }
    : { ok: false, reasons }
}

const wrongType = (what: string, { name, type }: DatabaseColumn) =>
  `the table’s ${what} ("${name}") must have type "text", not type "${spelled[type.name] ?? type.name}${type.array ? '[]' : ''}"`

/** SQL's words for types that the catalogue abbreviates. */
const spelled: Readonly<Record<string, string>> = {
  int2: 'smallint',
  int4: 'integer',
  int8: 'bigint',
  float4: 'real',
  bool: 'boolean',
}

function tooMany(columns: readonly DatabaseColumn[]): string {
  const names = columns.map(({ name }) => name).sort()
  return `the table must have exactly one primary key and optionally one comment column, not ${names.length} columns (${names.join(', ')})`
}
