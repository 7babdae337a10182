import { remoteSchemaDefinition } from '../objects/remote-schema.ts'
import { lenient, name, optional, record, text } from '../shape.ts'

/**
 * add_remote_schema, update_remote_schema (reference/metadata-operations#operations-on-remote-schemas,
 * reference/remote-schemas#definition).
 */
export const addRemoteSchemaArgs = lenient({ name, definition: remoteSchemaDefinition, comment: optional(text) })

/** remove_remote_schema, reload_remote_schema, introspect_remote_schema */
export const namedRemoteSchemaArgs = lenient({ name })

/** add_remote_schema_permissions */
export const addRemoteSchemaPermissionsArgs = lenient({
  remote_schema: name,
  role: name,
  definition: record({ schema: text }),
  comment: optional(text),
})

/** drop_remote_schema_permissions */
export const dropRemoteSchemaPermissionsArgs = lenient({ remote_schema: name, role: name })
