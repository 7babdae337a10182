import { z } from 'zod'
import { defaultStyle } from '../backend-kind.ts'
import type { JsonObject } from '../json.ts'
import { qualifiedName } from '../objects/qualified-name.ts'
import { choose, isRecord, list, nonEmpty, oneOf, optional, record, type Schema, text, type Value } from '../shape.ts'
import { sourceName } from './shared-keys.ts'

const row: Schema<JsonObject> = z.custom<JsonObject>(isRecord, 'expected object')
const columns = list(text)
const oneOrMany: Schema<readonly string[]> = choose<readonly string[]>((value) =>
  typeof value === 'string' ? text.transform((column) => [column]) : columns,
)

/** insert of the row API (reference/row-api). Values are taken as they are. */
export const insertRowsArgs = record(
  {
    source: sourceName,
    table: qualifiedName(defaultStyle),
    objects: nonEmpty(row),
    on_conflict: optional(
      record(
        { action: oneOf('ignore', 'update'), constraint: optional(text), constraint_on: optional(oneOrMany) },
        { unknown: 'ignore' },
      ),
    ),
    returning: optional(columns),
  },
  { unknown: 'ignore' },
)
export type InsertRowsArgs = Value<typeof insertRowsArgs>
