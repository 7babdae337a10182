import { isRecord, type JsonObject } from '@svc/schema'
import { InvalidValue } from './attribute-json.ts'
import { filled, parentName } from './attributes-of.ts'
import { defineResource } from './define-resource.ts'
import { comment, forRole } from './in-table.ts'
import { operations } from './operation.ts'
import { sdlFault, sdlMeaning } from './sdl-meaning.ts'

/** What a role may use of a remote schema (reference/remote-schemas#permissions-of-roles). */
export const remoteSchemaPermission = defineResource({
  kind: 'RemoteSchemaPermission',
  type: 'remote_schema_permission',
  description: [
    'What a role may use of a remote schema.',
    'The engine has to run with `--enable-remote-schema-permissions`.',
  ].join(' '),
  inputs: {
    remote_schema: parentName('Name of the remote schema, best as an output of it.'),
    ...forRole,
    schema: filled(
      "The part of the server's schema that the role sees, as SDL; `@preset(value: …)` gives arguments and input fields that the role does not. Order, descriptions, comments and white space make no difference.",
      { at: 'definition.schema' },
    ),
    comment,
  },
  identity: ['remote_schema', 'role'],
  example: ['crm', 'user'],
  codecs: {
    schema: {
      encode(sdl) {
        const fault = typeof sdl === 'string' ? sdlFault(sdl) : null
        if (fault !== null) throw new InvalidValue(['schema'], `is no SDL: ${fault}`)
        return sdl
      },
    },
  },
  meaning: withSdlMeaning,
  ...operations('add_remote_schema_permissions', null, 'drop_remote_schema_permissions', 'role'),
})

function withSdlMeaning(value: JsonObject): JsonObject {
  const { definition } = value
  if (!isRecord(definition) || typeof definition.schema !== 'string' || sdlFault(definition.schema) !== null)
    return value
  return { ...value, definition: { ...definition, schema: sdlMeaning(definition.schema) } }
}
