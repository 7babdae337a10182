import { perStyle } from '../backend-kind.ts'
import { computedFieldDefinition } from '../objects/computed-field.ts'
import { qualifiedName } from '../objects/qualified-name.ts'
import { name, optional, record, text, type Value } from '../shape.ts'
import { cascade, sourceName } from './shared-keys.ts'

const ignore = { unknown: 'ignore' } as const

/** `<p>_add_computed_field` (reference/metadata-operations#computed-fields). */
export const addComputedFieldArgs = perStyle((style) =>
  record(
    {
      source: sourceName,
      table: qualifiedName(style),
      name,
      definition: computedFieldDefinition(style),
      comment: optional(text),
    },
    ignore,
  ),
)
export type AddComputedFieldArgs = Value<ReturnType<typeof addComputedFieldArgs>>

export const dropComputedFieldArgs = perStyle((style) =>
  record({ source: sourceName, table: qualifiedName(style), name, cascade }, ignore),
)
export type DropComputedFieldArgs = Value<ReturnType<typeof dropComputedFieldArgs>>
