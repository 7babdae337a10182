import { perStyle } from '../backend-kind.ts'
import { computedFieldDefinition } from '../objects/computed-field.ts'
import { qualifiedName } from '../objects/qualified-name.ts'
import { lenient, name, optional, text } from '../shape.ts'
import { cascade, sourceName } from './shared-keys.ts'

/** `<p>_add_computed_field` (reference/metadata-operations#computed-fields). */
export const addComputedFieldArgs = perStyle((style) =>
  lenient({
    source: sourceName,
    table: qualifiedName(style),
    name,
    definition: computedFieldDefinition(style),
    comment: optional(text),
  }),
)

export const dropComputedFieldArgs = perStyle((style) =>
  lenient({ source: sourceName, table: qualifiedName(style), name, cascade }),
)
