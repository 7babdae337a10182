import { filled, type InputDeclaration, type Inputs, identifying, within } from './attributes-of.ts'
import { defineResource } from './define-resource.ts'
import { comment } from './in-table.ts'
import { op, operations } from './operation.ts'
import { outgoingHeaders } from './outgoing-header.ts'
import { headersWriteOnly, headersWriteOnlyCodec } from './write-only-form.ts'

/** The attribute whose change makes the engine read the server again. */
const RELOAD_WHEN = 'reload_when'

const names = (of: string, mapped: string): Inputs => ({
  prefix: filled(`What stands before the names of ${of}.`),
  suffix: filled(`What stands after the names of ${of}.`),
  mapping: filled(`New names of single ${mapped}, by the names that the server gives them.`),
})

const customization: InputDeclaration = {
  description: 'Other names for its root fields, types and fields.',
  typeName: 'RemoteSchemaCustomization',
  of: {
    root_fields_namespace: filled('A field in which all root fields of the server are.'),
    type_names: { description: 'Names of its types.', typeName: 'RemoteTypeNames', of: names('types', 'types') },
    field_names: {
      description: 'Names of fields of its types.',
      typeName: 'RemoteFieldNames',
      of: {
        parent_type: filled('The type that has the fields, by the name that the server gives it.'),
        ...names('its fields', 'fields'),
      },
    },
  },
}

/** Another GraphQL server that is served next to the databases (reference/remote-schemas#definition). */
export const remoteSchema = defineResource({
  kind: 'RemoteSchema',
  type: 'remote_schema',
  description: 'Another GraphQL server whose root fields and types become part of the schema.',
  inputs: {
    name: identifying('Its name.'),
    ...within('definition', {
      url: filled(
        'Address of the server. May name variables of the engine: `{{CRM_URL}}/graphql`. Either this or `url_from_env`.',
      ),
      url_from_env: filled("Variable of the engine's environment that holds the address. Either this or `url`."),
      headers: outgoingHeaders('Headers it is called with.'),
      ...headersWriteOnly('headers', 'headers'),
      forward_client_headers: "Whether it gets the headers of the client's request.",
      timeout_seconds: 'Seconds that a request may take.',
      customization,
    }),
    comment,
    [RELOAD_WHEN]: {
      description:
        'Any text, such as the version of what the server runs: when it changes, the engine asks the server for its schema again. Kept in the state of the tool alone.',
      at: null,
      type: 'string',
      optional: true,
    },
  },
  identity: ['name'],
  example: ['crm'],
  exactlyOne: [['url', 'url_from_env']],
  codecs: { headers_wo: headersWriteOnlyCodec },
  ...operations('add_remote_schema', 'update_remote_schema', 'remove_remote_schema', 'name'),
  outside: {
    attribute: RELOAD_WHEN,
    reload: ({ name = null }) => op('reload_metadata', { reload_remote_schemas: [name], reload_sources: false }),
  },
})
