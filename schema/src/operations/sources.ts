import { z } from 'zod'
import { perStyle } from '../backend-kind.ts'
import type { JsonObject } from '../json.ts'
import { qualifiedName } from '../objects/qualified-name.ts'
import { type HealthCheck, healthCheck, type SourceCustomization, sourceCustomization } from '../objects/source.ts'
import { connectionTemplate } from '../objects/source-postgres.ts'
import {
  boolean,
  choose,
  filled,
  lenient,
  list,
  mapOf,
  name,
  oneOf,
  optional,
  record,
  type Schema,
  text,
  type Value,
} from '../shape.ts'
import { cascade, sourceName } from './shared-keys.ts'

export type AddSourceArgs = {
  readonly name: string
  readonly configuration: JsonObject
  readonly replace_configuration: boolean
  readonly customization?: SourceCustomization
  readonly health_check?: HealthCheck
}

/** `<p>_add_source`: the configuration is that of the kind (reference/metadata-operations#sources). */
export const addSourceArgs = (configuration: Schema<JsonObject>): Schema<AddSourceArgs> =>
  lenient({
    name,
    configuration,
    replace_configuration: filled(boolean, false),
    customization: sourceCustomization,
    health_check: optional(healthCheck),
  })

export type UpdateSourceArgs = {
  readonly name: string
  readonly configuration?: JsonObject
  readonly customization?: SourceCustomization | null
  readonly health_check?: HealthCheck | null
}

const nothing: Schema<undefined> = z.unknown().transform(() => undefined)
const removed: Schema<null> = z.null()
const emptyAsNull: Schema<SourceCustomization | null> = sourceCustomization.transform((value) => value ?? null)

/**
 * `<p>_update_source`: each part in the arguments is replaced; an empty customization (null here) removes it, and so
 * does a health check of null, which no other operation could.
 */
export const updateSourceArgs = (configuration: Schema<JsonObject>): Schema<UpdateSourceArgs> =>
  lenient({
    name,
    configuration: optional(configuration),
    customization: choose<SourceCustomization | null | undefined>((value) =>
      value === undefined || value === null ? nothing : emptyAsNull,
    ),
    health_check: choose<HealthCheck | null | undefined>((value) =>
      value === undefined ? nothing : value === null ? removed : healthCheck,
    ),
  })

export const dropSourceArgs = lenient({ name, cascade })

/** rename_source (reference/metadata-operations#sources). */
export const renameSourceArgs = lenient({ name, new_name: name })

/** set_query_tags: what SQL of the source says of the request it is part of. */
export const setQueryTagsArgs = lenient({
  source_name: name,
  disabled: filled(boolean, false),
  format: filled(oneOf('standard', 'sqlcommenter'), 'standard'),
  omit_request_id: filled(boolean, true),
})

export const getSourceTablesArgs = lenient({ source: name })

export const getTableInfoArgs = perStyle((style) => lenient({ source: name, table: qualifiedName(style) }))

export const sourceKindArgs = lenient({ name })

/** suggest_relationships: of all tracked tables, or of some (reference/metadata-operations#relationships). */
export const suggestRelationshipsArgs = perStyle((style) =>
  lenient({ source: sourceName, tables: optional(list(qualifiedName(style))), omit_tracked: filled(boolean, false) }),
)

/** test_connection_template (docs/routing.md): where a request would go; `connection_template` instead of the source's own. */
export const testConnectionTemplateArgs = lenient({
  source_name: name,
  request_context: filled(
    record({
      headers: filled(mapOf(text), {}),
      session: filled(mapOf(text), {}),
      query: optional(
        record({ operation_type: oneOf('query', 'mutation', 'subscription'), operation_name: optional(text) }),
      ),
    }),
    { headers: {}, session: {} },
  ),
  connection_template: optional(connectionTemplate),
})
export type TestConnectionTemplateArgs = Value<typeof testConnectionTemplateArgs>
