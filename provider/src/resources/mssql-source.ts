import { type Inputs, within } from './attributes-of.ts'
import { defineSource } from './define-resource.ts'
import { replicasCodec } from './source-connection.ts'
import { customization, healthCheck, sourceName, sourceOperations, writtenOnly } from './source-parts.ts'

/** Where a database is, in one of two ways. */
const ways = (description: string): Inputs => ({
  connection_string: { description, sensitive: true, optional: true },
  connection_string_from_env: {
    description: "Variable of the engine's environment that holds the connection string.",
    at: 'connection_string.from_env',
    optional: true,
  },
})

const use: Inputs = {
  isolation_level: {
    description: 'Of transactions; `read-committed` if it is not given.',
    typeName: 'MssqlIsolationLevel',
  },
  pool_settings: {
    description: 'Sizes and times of the pool.',
    typeName: 'MssqlPoolSettings',
    of: {
      max_connections: 'Most connections of one instance of the engine; 50 if it is not given.',
      total_max_connections: 'Most connections of all instances together.',
      idle_timeout: 'Seconds after which an idle connection is closed; 5 if it is not given.',
      enable: 'False: each transaction opens a connection of its own.',
    },
  },
}

/** A SQL Server database (reference/metadata-operations#sources). */
export const mssqlSource = defineSource(
  (family) => ({
    kind: 'MssqlSource',
    type: 'source',
    description: [
      'A SQL Server database whose tables the engine serves.',
      'Its objects are declared as in any other source, by the `name` of this resource;',
      'tables without a schema are in `dbo`.',
      'A new name renames the source, with everything in it.',
    ].join(' '),
    inputs: {
      name: sourceName,
      ...within('configuration', {
        ...within('connection_info', {
          ...ways('ODBC connection string: `Server=tcp:db,1433;Database=shop;Uid=app;Pwd={…};Encrypt=yes`.'),
          ...writtenOnly('connection_string', 'Connection string', { at: 'connection_string' }),
          ...use,
        }),
        read_replicas: {
          description: 'Connections to copies of the database. They are kept; all requests use the database itself.',
          typeName: 'MssqlConnection',
          of: { ...ways('Connection string.'), ...use },
        },
      }),
      customization,
      health_check: healthCheck,
    },
    example: ['shop'],
    exactlyOne: [['connection_string', 'connection_string_from_env', 'connection_string_wo']],
    codecs: {
      read_replicas: replicasCodec({
        key: 'connection_string',
        below: { connection_string_from_env: 'from_env' },
      }),
    },
    ...sourceOperations(family),
  }),
  'mssql',
)
