import { remoteSchemaDefinition } from '../objects/remote-schema.ts'
import { name, optional, record, text, type Value } from '../shape.ts'

const ignore = { unknown: 'ignore' } as const

/**
 * add_remote_schema, update_remote_schema (reference/metadata-operations#operations-on-remote-schemas,
 * reference/remote-schemas#definition).
 */
export const addRemoteSchemaArgs = record({ name, definition: remoteSchemaDefinition, comment: optional(text) }, ignore)
export type AddRemoteSchemaArgs = Value<typeof addRemoteSchemaArgs>

/** remove_remote_schema, reload_remote_schema, introspect_remote_schema */
export const namedRemoteSchemaArgs = record({ name }, ignore)
export type NamedRemoteSchemaArgs = Value<typeof namedRemoteSchemaArgs>

/** add_remote_schema_permissions */
export const addRemoteSchemaPermissionsArgs = record(
  { remote_schema: name, role: name, definition: record({ schema: text }), comment: optional(text) },
  ignore,
)
export type AddRemoteSchemaPermissionsArgs = Value<typeof addRemoteSchemaPermissionsArgs>

/** drop_remote_schema_permissions */
export const dropRemoteSchemaPermissionsArgs = record({ remote_schema: name, role: name }, ignore)
export type DropRemoteSchemaPermissionsArgs = Value<typeof dropRemoteSchemaPermissionsArgs>
