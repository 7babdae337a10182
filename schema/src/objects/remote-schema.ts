import {
  boolean,
  filled,
  list,
  mapOf,
  name,
  notNegative,
  optional,
  record,
  text,
  unless,
  type Value,
} from '../shape.ts'
import { headers } from './header.ts'

const naming = {
  prefix: optional(text),
  suffix: optional(text),
  mapping: unless<Readonly<Record<string, string>>>({}, mapOf(text)),
}

const customization = record({
  root_fields_namespace: optional(text),
  type_names: unless({}, record(naming)),
  field_names: optional(list(record({ parent_type: text, ...naming }))),
})

/** `url` or `url_from_env`: a definition with both or neither is inconsistent (reference/remote-schemas#definition). */
export const remoteSchemaDefinition = record({
  url: optional(text),
  url_from_env: optional(text),
  timeout_seconds: filled(notNegative('timeout_seconds'), 60),
  customization: unless({}, customization),
  headers: unless<Value<typeof headers>>([], headers),
  forward_client_headers: unless(false, boolean),
})

/**
 * Another GraphQL server whose schema becomes part of ours
 * (reference/metadata-operations#operations-on-remote-schemas).
 */
export const remoteSchema = record({ name, definition: remoteSchemaDefinition, comment: optional(text) })
export type RemoteSchema = Value<typeof remoteSchema>

export const remoteSchemaPermission = record({
  role: name,
  definition: record({ schema: text }),
  comment: optional(text),
})
export type RemoteSchemaPermission = Value<typeof remoteSchemaPermission>
