import { z } from 'zod'
import { defaultStyle } from '../backend-kind.ts'
import type { JsonObject } from '../json.ts'
import { choose, isRecord, lenient, list, nonEmpty, oneOf, optional, type Schema, text, type Value } from '../shape.ts'
import { inTable } from './shared-keys.ts'

const row: Schema<JsonObject> = z.custom<JsonObject>(isRecord, 'expected object')
const columns = list(text)
const oneOrMany: Schema<readonly string[]> = choose<readonly string[]>((value) =>
  typeof value === 'string' ? text.transform((column) => [column]) : columns,
)

/** insert of the row API (reference/row-api). Values are taken as they are. */
export const insertRowsArgs = lenient({
  ...inTable(defaultStyle),
  objects: nonEmpty(row),
  on_conflict: optional(
    lenient({ action: oneOf('ignore', 'update'), constraint: optional(text), constraint_on: optional(oneOrMany) }),
  ),
  returning: optional(columns),
})
export type InsertRowsArgs = Value<typeof insertRowsArgs>
