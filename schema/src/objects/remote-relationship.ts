import {
  choose,
  exactlyOne,
  isRecord,
  jsonObject,
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
import { foreignName } from './qualified-name.ts'

const toSource = record({
  relationship_type: oneOf('object', 'array'),
  source: text,
  table: foreignName,
  field_mapping: mapOf(text),
})

const toRemoteSchema = record({ remote_schema: text, lhs_fields: list(text), remote_field: jsonObject })

const modern = exactlyOne(record({ to_source: optional(toSource), to_remote_schema: optional(toRemoteSchema) }), [
  'to_source',
  'to_remote_schema',
])

/** The reference's spelling of a key, read everywhere. */
export const joiningFields = { hasura_fields: 'svc_fields' }

const legacy = record(
  { remote_schema: text, svc_fields: list(text), remote_field: jsonObject },
  { aliases: joiningFields },
)

export type RemoteRelationshipDefinition = Value<typeof modern> | Value<typeof legacy>

/**
 * To a table of another source or to a remote schema; the older form is stored as it is written
 * (reference/metadata-operations#remote-relationships, reference/metadata-document#objects).
 */
export const remoteRelationshipDefinition: Schema<RemoteRelationshipDefinition> = choose<RemoteRelationshipDefinition>(
  (value) => (isRecord(value) && value.remote_schema !== undefined ? legacy : modern),
  [{}, { remote_schema: '' }],
)

export const remoteRelationship = record({ name, definition: remoteRelationshipDefinition })
export type RemoteRelationship = Value<typeof remoteRelationship>

/** The same from a type of a remote schema. As an object it is flat: its type's name is part of its key. */
export const remoteSchemaRemoteRelationship = record({
  type_name: name,
  name,
  definition: remoteRelationshipDefinition,
})
export type RemoteSchemaRemoteRelationship = Value<typeof remoteSchemaRemoteRelationship>
