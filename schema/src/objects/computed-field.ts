import { perStyle } from '../backend-kind.ts'
import { name, optional, record, text, type Value } from '../shape.ts'
import { qualifiedName } from './qualified-name.ts'

export const computedFieldDefinition = perStyle((style) =>
  record({ function: qualifiedName(style), table_argument: optional(text), session_argument: optional(text) }),
)

/** A field computed by an SQL function over the row (reference/metadata-operations#computed-fields). */
export const computedField = perStyle((style) =>
  record({ name, definition: computedFieldDefinition(style), comment: optional(text) }),
)
export type ComputedField = Value<ReturnType<typeof computedField>>
