import './attribute-meta.ts'
import { defaultKind } from '@svc/schema'
import { z } from 'zod'
import { defineSource } from './define-resource.ts'
import {
  connection,
  connectionCodecs,
  connectionMember,
  connectionParameters,
  connectionsOfJson,
  connectionTemplate,
  isolationLevel,
  poolSettings,
  sslConfiguration,
} from './source-connection.ts'
import { customization, healthCheck, sourceName, sourceOperations } from './source-parts.ts'

const url = 'configuration.connection_info.database_url'
/** A PostgreSQL database (reference/metadata-operations#sources). */
export const source = defineSource(
  (family) => ({
    kind: 'Source',
    type: 'source',
    description:
      'A PostgreSQL database whose tables the engine serves. A new name makes a new source: everything that lies in the old one goes with it.',
    inputs: {
      name: sourceName,
      database_url: z.string().optional().meta({
        description: 'Connection string. May name variables of the engine: `{{PG_URL}}`.',
        sensitive: true,
        at: url,
      }),
      database_url_from_env: z
        .string()
        .optional()
        .meta({
          description: "Variable of the engine's environment that holds the connection string.",
          at: `${url}.from_env`,
        }),
      database_url_from_file: z
        .string()
        .optional()
        .meta({
          description: 'File on the machine of the engine that holds the connection string and may change.',
          at: `${url}.dynamic_from_file`,
        }),
      connection_parameters: connectionParameters.optional().meta({
        description: 'The connection string in parts.',
        at: `${url}.connection_parameters`,
      }),
      database_url_wo: z.string().optional().meta({
        description:
          'Connection string that is stored in no state and no plan. Sent when the source is made and when `database_url_wo_version` changes.',
        sensitive: true,
        writeOnly: true,
        at: url,
      }),
      database_url_wo_version: z.int().optional().meta({
        description: 'Any number; a change sends `database_url_wo` again.',
        at: null,
      }),
      isolation_level: isolationLevel.meta({
        description: 'Of transactions.',
        at: 'configuration.connection_info.isolation_level',
      }),
      pool_settings: poolSettings
        .optional()
        .meta({ description: 'Sizes and times of the pool.', at: 'configuration.connection_info.pool_settings' }),
      ssl_configuration: sslConfiguration
        .optional()
        .meta({ description: 'TLS to the database.', at: 'configuration.connection_info.ssl_configuration' }),
      use_prepared_statements: z.boolean().default(false).meta({
        description: 'Whether statements are prepared.',
        at: 'configuration.connection_info.use_prepared_statements',
      }),
      read_replicas: z.array(connection).min(1, 'must not be empty').optional().meta({
        description: 'Connections to copies of the database, which reads may use.',
        at: 'configuration.read_replicas',
      }),
      extensions_schema: z
        .string()
        .default('public')
        .meta({ description: 'Schema that holds the extensions.', at: 'configuration.extensions_schema' }),
      connection_template: connectionTemplate
        .optional()
        .meta({ description: 'Chooses a connection for each request.', at: 'configuration.connection_template' }),
      connection_set: z
        .array(connectionMember)
        .optional()
        .meta({ description: 'The connections that the template chooses from.', at: 'configuration.connection_set' }),
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
