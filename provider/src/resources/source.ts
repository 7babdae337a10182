import { defaultKind } from '@svc/schema'
import { within } from './attributes-of.ts'
import { defineSource } from './define-resource.ts'
import { connection, connectionCodecs, connectionsOfJson, connectionUse, connectionWays } from './source-connection.ts'
import { customization, healthCheck, sourceName, sourceOperations, writtenOnly } from './source-parts.ts'

/** A PostgreSQL database (reference/metadata-operations#sources). */
export const source = defineSource(
  (family) => ({
    kind: 'Source',
    type: 'source',
    description:
      'A PostgreSQL database whose tables the engine serves. A new name renames the source, with everything in it.',
    inputs: {
      name: sourceName,
      ...within('configuration', {
        ...within('connection_info', {
          ...connectionWays,
          ...writtenOnly('database_url', 'Connection string', { at: 'database_url' }),
          ...connectionUse,
        }),
        read_replicas: {
          ...connection,
          description: 'Connections to copies of the database, which reads may use.',
        },
        extensions_schema: 'Schema that holds the extensions.',
        connection_template: {
          description: 'Chooses a connection for each request.',
          of: {
            version: 'Of the language: 1.',
            template:
              'Template of the language Kriti that yields `$.primary`, `$.read_replicas`, `$.default` or a member of `$.connection_set`.',
          },
        },
        connection_set: {
          description: 'The connections that the template chooses from.',
          typeName: 'SourceConnectionMember',
          of: {
            name: 'Its name: `{{$.connection_set.NAME}}`.',
            connection_info: { ...connection, description: 'Where it leads.' },
          },
        },
      }),
      customization,
      health_check: healthCheck,
    },
    example: ['default'],
    exactlyOne: [
      ['database_url', 'database_url_from_env', 'database_url_from_file', 'connection_parameters', 'database_url_wo'],
    ],
    codecs: connectionCodecs,
    ...sourceOperations(family),
    upgrades: [connectionsOfJson],
  }),
  defaultKind,
)
