import { perStyle } from '../backend-kind.ts'
import { boolean, json, oneOf, optional, record, unless, type Value } from '../shape.ts'
import { qualifiedName } from './qualified-name.ts'
import { optionalTableConfiguration } from './table-configuration.ts'

/**
 * A tracked table's own value, without what hangs below it (reference/metadata-document#objects). Unknown keys are
 * refused where tables are read.
 */
export const table = perStyle((style) =>
  record({
    table: qualifiedName(style),
    is_enum: unless(false, boolean),
    configuration: optionalTableConfiguration,
    apollo_federation_config: optional(record({ enable: oneOf('v1') })),
    logical_model: optional(json),
  }),
)
export type Table = Value<ReturnType<typeof table>>
