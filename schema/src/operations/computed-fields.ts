import { perStyle } from '../backend-kind.ts'
import { computedFieldDefinition } from '../objects/computed-field.ts'
import { lenient, name, optional, text } from '../shape.ts'
import { cascade, inTable } from './shared-keys.ts'

/** `<p>_add_computed_field` (reference/metadata-operations#computed-fields). */
export const addComputedFieldArgs = perStyle((style) =>
  lenient({ ...inTable(style), name, definition: computedFieldDefinition(style), comment: optional(text) }),
)

export const dropComputedFieldArgs = perStyle((style) => lenient({ ...inTable(style), name, cascade }))
