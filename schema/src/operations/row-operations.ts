import { z } from 'zod'
import { defaultStyle } from '../backend-kind.ts'
import type { Json, JsonObject } from '../json.ts'
import { booleanExpression } from '../objects/boolean-expression.ts'
import { choose, integer, isRecord, json, lenient, list, optional, type Schema, text, type Value } from '../shape.ts'
import { inTable } from './shared-keys.ts'

const where = booleanExpression(defaultStyle)
const oneOrMany: Schema<readonly string[]> = choose<readonly string[]>((value) =>
  typeof value === 'string' ? text.transform((column) => [column]) : list(text),
)
const values: Schema<JsonObject> = z.custom<JsonObject>(isRecord, 'expected object')

/** A column by name, `*` for all of them, or a relationship with what is wanted of its rows. */
export type SelectedColumn = string | SelectedRelationship
export interface SelectedRelationship {
  readonly name: string
  readonly alias?: string
  readonly columns: readonly SelectedColumn[]
  readonly where?: JsonObject
  readonly order_by?: Json
  readonly limit?: number
  readonly offset?: number
}

const relationship: Schema<SelectedRelationship> = z.lazy(
  (): Schema<SelectedRelationship> =>
    lenient({
      name: text,
      alias: optional(text),
      columns: list(column),
      where: optional(where),
      order_by: optional(json),
      limit: optional(integer),
      offset: optional(integer),
    }) as Schema<SelectedRelationship>,
)
const column: Schema<SelectedColumn> = choose<SelectedColumn>((value) =>
  typeof value === 'string' ? text : relationship,
)

/** select of the row API (reference/row-api). */
export const selectRowsArgs = lenient({
  ...inTable(defaultStyle),
  columns: list(column),
  where: optional(where),
  order_by: optional(json),
  limit: optional(integer),
  offset: optional(integer),
})
export type SelectRowsArgs = Value<typeof selectRowsArgs>

export const countRowsArgs = lenient({
  ...inTable(defaultStyle),
  where: optional(where),
  distinct: optional(list(text)),
})
export type CountRowsArgs = Value<typeof countRowsArgs>

/** `values` is `$set` by its older name. */
export const updateRowsArgs = lenient({
  ...inTable(defaultStyle),
  where,
  $set: optional(values),
  values: optional(values),
  $inc: optional(values),
  $mul: optional(values),
  $default: optional(oneOrMany),
  returning: optional(list(text)),
})
export type UpdateRowsArgs = Value<typeof updateRowsArgs>

export const deleteRowsArgs = lenient({ ...inTable(defaultStyle), where, returning: optional(list(text)) })
export type DeleteRowsArgs = Value<typeof deleteRowsArgs>
