import { perStyle } from '../backend-kind.ts'
import { mapOf, name, optional, record, type Schema, text, type Value } from '../shape.ts'
import { type QualifiedName, qualifiedName } from './qualified-name.ts'

export type ComputedFieldDefinition = {
  readonly function: QualifiedName
  readonly table_argument?: string
  readonly session_argument?: string
  /** BigQuery: arguments of the function, and the columns of the table that are passed for them. */
  readonly argument_mapping?: Readonly<Record<string, string>>
  /** BigQuery: what it returns rows of, unless it says so itself. */
  readonly return_table?: QualifiedName
}

export const computedFieldDefinition = perStyle((style): Schema<ComputedFieldDefinition> => {
  const called = qualifiedName(style)
  return style === 'dataset'
    ? record({ function: called, argument_mapping: mapOf(text), return_table: optional(called) })
    : record({ function: called, table_argument: optional(text), session_argument: optional(text) })
})

/** A field computed by an SQL function over the row (reference/metadata-operations#computed-fields). */
export const computedField = perStyle((style) =>
  record({ name, definition: computedFieldDefinition(style), comment: optional(text) }),
)
export type ComputedField = Value<ReturnType<typeof computedField>>
