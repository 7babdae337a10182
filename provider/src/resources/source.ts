import './attribute-meta.ts'
import { z } from 'zod'
import { defineResource } from './define-resource.ts'
import { changedKeys } from './object-changes.ts'
import { op } from './operation.ts'
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

const url = 'configuration.connection_info.database_url'
const text = (description: string) => z.string().optional().meta({ description })

const customization = z.object({
  root_fields: z
    .object({
      namespace: text('Field below which all root fields of the source stand.'),
      prefix: text('What root fields begin with.'),
      suffix: text('What root fields end with.'),
    })
    .optional()
    .meta({ description: 'Names of the root fields.' }),
  type_names: z
    .object({ prefix: text('What types begin with.'), suffix: text('What types end with.') })
    .optional()
    .meta({ description: 'Names of the types.' }),
  naming_convention: text('How names of the database become names of GraphQL.'),
})

const healthCheck = z.object({
  test: z
    .object({ sql: z.string().default('SELECT 1').meta({ description: 'Statement that has to succeed.' }) })
    .optional()
    .meta({ description: 'What is tried.' }),
  interval: z.int().meta({ description: 'Seconds between two checks.' }),
  retries: z.int().default(3).meta({ description: 'Tries before it counts as failed.' }),
  retry_interval: z.int().default(10).meta({ description: 'Seconds between two tries.' }),
  timeout: z.int().default(10).meta({ description: 'Seconds a try may take.' }),
})

/** A PostgreSQL database (reference/metadata-operations#sources). */
export const source = defineResource({
  kind: 'Source',
  type: 'source',
  description:
    'A PostgreSQL database whose tables the engine serves. A new name makes a new source: everything that lies in the old one goes with it.',
  inputs: {
    name: z
      .string()
      .min(1, 'must not be empty')
      .meta({ description: 'Its name, by which everything in it names it.', replace: true }),
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
    customization: customization.optional().meta({ description: 'Names of root fields and types.' }),
    health_check: healthCheck.optional().meta({ description: 'Checks at intervals whether the database answers.' }),
  },
  identity: ['name'],
  example: ['default'],
  exactlyOne: [
    ['database_url', 'database_url_from_env', 'database_url_from_file', 'connection_parameters', 'database_url_wo'],
  ],
  codecs: connectionCodecs,
  create: ({ kind: _, query_tags, ...value }) => (query_tags === undefined ? [op('pg_add_source', value)] : null),
  update(old, now) {
    const { name = null, configuration = null, customization: names = {}, health_check = null } = now
    const parts = new Map([
      ['configuration', configuration],
      ['customization', names],
      ['health_check', health_check],
    ])
    const keys = changedKeys(old, now)
    if (!keys.every((key) => parts.has(key))) return null
    return [op('pg_update_source', { name, ...Object.fromEntries(keys.map((key) => [key, parts.get(key) ?? null])) })]
  },
  delete: ({ name = null }) => [op('pg_drop_source', { name })],
  rename: ({ name = null }, { name: new_name = null }) => [op('rename_source', { name, new_name })],
  upgrades: [connectionsOfJson],
})
