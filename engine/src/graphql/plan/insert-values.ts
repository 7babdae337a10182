/** The values of one row of an insert (reference/mutations#insert). */

import type { Path } from '../../errors.ts'
import { isLongJson } from '../../exact-json/index.ts'
import type { Value, ValueType } from '../../ir/index.ts'
import { keptFor } from '../../kept-for.ts'
import type { LongWork } from '../../long-work.ts'
import type { ResolvedColumn } from '../../model/index.ts'
import type { Context } from '../selection/context.ts'
import { isObject } from '../selection/guard.ts'
import {
  type Input,
  literalEntries,
  mismatch,
  type ObjectEntry,
  type RawInput,
  unexpectedNull,
} from '../selection/input.ts'
import { columnTypeRef } from '../types/column-type.ts'
import type { WriteTable } from '../types/write-table.ts'
import type { WriteTypes } from '../types/write-types.ts'
import { columnValue } from './column-value.ts'
import { coerceLong, constantValue } from './scalar-value.ts'

/**
 * Returns the values of a row that came as JSON and has nothing wrong or nested in it: of 1,000 rows each place and
 * each input that no one requests costs 0.5 ms. Null: it has to be read in full.
 */
export function plainValues(
  type: ReturnType<WriteTypes['insertInput']>,
  { table }: WriteTypes,
  input: Input,
  determined: ReadonlySet<string>,
  path: Path,
): ReadonlyMap<string, Value> | null {
  if (input.kind !== 'json' || !isObject(input.value) || table.insert?.validateInput) return null
  const values = new Map<string, Value>()
  try {
    for (const key of Object.keys(input.value)) {
      const meaning = type.fields.get(key)?.meaning
      const json = input.value[key]
      if (meaning?.kind !== 'column' || meaning.column.enumType || json === null || json === undefined) return null
      const { column } = meaning
      if (determined.has(column.name) || isLongJson(json)) return null
      values.set(column.name, constantValue(table.types, valueTypeOf(column), json, path))
    }
  } catch {
    // read in full it has its place
    return null
  }
  return values
}

const valueTypeOf = keptFor(({ type }: ResolvedColumn): ValueType => ({ type, list: false }))

/** Returns the entries of a row's object. Throws validation-failed for what is no object. */
export function fieldsOf(context: Context, input: Input, typeName: string, path: Path): readonly ObjectEntry[] {
  if (input.kind === 'json') {
    const { value, variable, keys } = input
    if (!isObject(value)) throw mismatch('an object', typeName, input, path)
    return Object.entries(value).map(([key, entry]) => ({
      key,
      raw: { kind: 'json', value: entry, variable, keys: [...keys, key] },
    }))
  }
  return literalEntries(context, input, typeName, path)
}

/** Returns the value of a cell in pieces, for values that take long; null for one that needs more than its type. */
export function* longCell(
  { types }: WriteTable,
  column: ResolvedColumn,
  json: unknown,
  path: Path,
): LongWork<Value | null> {
  if (column.enumType) return null
  const type = { type: column.type, list: false }
  return { kind: 'constant', text: yield* coerceLong(types, type, json, path), type, literal: true }
}

/** Plans the value of one column. Throws validation-failed, and what the backend says of literals. */
export function cellValue(
  context: Context,
  { types }: WriteTable,
  column: ResolvedColumn,
  raw: RawInput,
  path: Path,
): Value {
  const type = { type: column.type, list: false }
  if (raw.kind === 'json' && !column.enumType) {
    if (raw.value !== null) return constantValue(types, type, raw.value, path)
  } else {
    const value = columnValue(context, types, column, raw, path)
    if (value) return value
  }
  if (!column.nullable) throw unexpectedNull(columnTypeRef(types, column), path)
  return { kind: 'constant', text: null, type }
}
