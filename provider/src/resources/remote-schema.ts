import './attribute-meta.ts'
import { z } from 'zod'
import { defineResource } from './define-resource.ts'
import { comment } from './in-table.ts'
import { op } from './operation.ts'
import { outgoingHeaders } from './outgoing-header.ts'
import { headersWriteOnly, headersWriteOnlyCodec } from './write-only-form.ts'

/** The attribute whose change makes the engine ask the server again. */
export const RELOAD_WHEN = 'reload_when'

const affix = (what: string, of: string) =>
  z
    .string()
    .min(1, 'must not be empty')
    .optional()
    .meta({ description: `What stands ${what} the names of ${of}.` })

const mapping = (of: string) =>
  z
    .record(z.string(), z.string().min(1, 'must not be empty'))
    .optional()
    .meta({ description: `New names of single ${of}, by the names that the server gives them.` })

const customization = z
  .object({
    root_fields_namespace: z
      .string()
      .min(1, 'must not be empty')
      .optional()
      .meta({ description: 'A field in which all root fields of the server are.' }),
    type_names: z
      .object({
        prefix: affix('before', 'types'),
        suffix: affix('after', 'types'),
        mapping: mapping('types'),
      })
      .optional()
      .meta({ typeName: 'RemoteTypeNames', description: 'Names of its types.' }),
    field_names: z
      .array(
        z
          .object({
            parent_type: z
              .string()
              .min(1, 'must not be empty')
              .meta({ description: 'The type that has the fields, by the name that the server gives it.' }),
            prefix: affix('before', 'its fields'),
            suffix: affix('after', 'its fields'),
            mapping: mapping('fields'),
          })
          .meta({ typeName: 'RemoteFieldNames' }),
      )
      .optional()
      .meta({ description: 'Names of fields of its types.' }),
  })
  .optional()
  .meta({
    typeName: 'RemoteSchemaCustomization',
    description: 'Other names for its root fields, types and fields.',
    at: 'definition.customization',
  })

/** Another GraphQL server that is served beside the databases (reference/remote-schemas#definition). */
export const remoteSchema = defineResource({
  kind: 'RemoteSchema',
  type: 'remote_schema',
  description: 'Another GraphQL server whose root fields and types become part of the schema.',
  inputs: {
    name: z.string().min(1, 'must not be empty').meta({ description: 'Its name.', replace: true }),
    url: z.string().min(1, 'must not be empty').optional().meta({
      description:
        'Address of the server. May name variables of the engine: `{{CRM_URL}}/graphql`. Either this or `url_from_env`.',
      at: 'definition.url',
    }),
    url_from_env: z.string().min(1, 'must not be empty').optional().meta({
      description: "Variable of the engine's environment that holds the address. Either this or `url`.",
      at: 'definition.url_from_env',
    }),
    headers: outgoingHeaders('Headers it is called with.', 'definition.headers'),
    ...headersWriteOnly('headers', 'definition.headers'),
    forward_client_headers: z.boolean().default(false).meta({
      description: "Whether it gets the headers of the client's request.",
      at: 'definition.forward_client_headers',
    }),
    timeout_seconds: z
      .int()
      .default(60)
      .meta({ description: 'Seconds that a request may take.', at: 'definition.timeout_seconds' }),
    customization,
    comment,
    [RELOAD_WHEN]: z.string().optional().meta({
      description:
        'Any text, such as the version of what the server runs: when it changes, the engine asks the server for its schema again. Kept in the state of the tool alone.',
      at: null,
    }),
  },
  identity: ['name'],
  example: ['crm'],
  exactlyOne: [['url', 'url_from_env']],
  codecs: { headers_wo: headersWriteOnlyCodec },
  create: (now) => [op('add_remote_schema', now)],
  update: (_, now) => [op('update_remote_schema', now)],
  delete: ({ name = null }) => [op('remove_remote_schema', { name })],
  outside: {
    attribute: RELOAD_WHEN,
    look: ({ name = null }) => op('reload_metadata', { reload_remote_schemas: [name], reload_sources: false }),
  },
})
