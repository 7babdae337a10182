import { type NameStyle, perStyle } from '../backend-kind.ts'
import type { JsonObject } from '../json.ts'
import {
  joiningFields,
  type RemoteRelationshipDefinition,
  remoteRelationshipDefinition,
} from '../objects/remote-relationship.ts'
import { jsonObject, lenient, list, name, optional, type Schema, text, type Value } from '../shape.ts'
import { inTable } from './shared-keys.ts'

export interface RemoteRelationshipArgs {
  readonly source: string
  readonly table: JsonObject
  readonly name: string
  readonly definition: RemoteRelationshipDefinition
}

/**
 * `<p>_create_remote_relationship`, `<p>_update_remote_relationship`
 * (reference/metadata-operations#remote-relationships): with a definition, or with what that would have next to the
 * name, which is the older form.
 */
export const remoteRelationshipArgs = perStyle(
  (style: NameStyle): Schema<RemoteRelationshipArgs> =>
    lenient(
      {
        ...inTable(style),
        name,
        definition: optional(remoteRelationshipDefinition),
        remote_schema: optional(text),
        svc_fields: optional(list(text)),
        remote_field: optional(jsonObject),
      },
      { aliases: joiningFields },
    ).transform((args, context): RemoteRelationshipArgs => {
      const { definition, remote_schema, svc_fields, remote_field, ...named } = args
      const refuse = (message: string) => {
        context.addIssue({ code: 'custom', message })
        return { ...named, definition: {} as RemoteRelationshipDefinition }
      }
      if ((definition === undefined) === (remote_schema === undefined))
        return refuse('create_remote_relationship expects exactly one of: remote_schema, definition')
      if (definition !== undefined) return { ...named, definition }
      if (remote_schema === undefined || remote_field === undefined) return refuse('the key "remote_field" is missing')
      if (svc_fields === undefined) return refuse('the key "svc_fields" is missing')
      return { ...named, definition: { remote_schema, svc_fields, remote_field } }
    }),
)

/** `<p>_delete_remote_relationship` */
export const deleteRemoteRelationshipArgs = perStyle((style) => lenient({ ...inTable(style), name }))

const ofRemoteType = { remote_schema: name, type_name: name, name }

/** create_remote_schema_remote_relationship, update_remote_schema_remote_relationship */
export const remoteSchemaRelationshipArgs = lenient({ ...ofRemoteType, definition: remoteRelationshipDefinition })
export type RemoteSchemaRelationshipArgs = Value<typeof remoteSchemaRelationshipArgs>

/** delete_remote_schema_remote_relationship */
export const deleteRemoteSchemaRelationshipArgs = lenient(ofRemoteType)
