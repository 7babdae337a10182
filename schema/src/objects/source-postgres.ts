import {
  boolean,
  choose,
  exactlyOne,
  filled,
  integer,
  isRecord,
  list,
  nonEmpty,
  notNegative,
  number,
  oneOf,
  optional,
  record,
  type Schema,
  text,
  unless,
  type Value,
} from '../shape.ts'

const fromEnvironment = record({ from_env: text })

export type DatabaseUrl = Value<typeof databaseUrlObject> | string

const databaseUrlObject = exactlyOne(
  record({
    from_env: optional(text),
    connection_parameters: optional(
      record({ username: text, password: optional(text), host: text, port: integer, database: text }),
    ),
    dynamic_from_file: optional(text),
  }),
  ['from_env', 'connection_parameters', 'dynamic_from_file'],
)

const databaseUrl: Schema<DatabaseUrl> = choose<DatabaseUrl>((value) => (isRecord(value) ? databaseUrlObject : text))

const poolSettings = record({
  max_connections: optional(integer),
  total_max_connections: optional(integer),
  idle_timeout: optional(number),
  retries: optional(notNegative('retries')),
  pool_timeout: optional(number),
  connection_lifetime: optional(number),
})

const sslConfiguration = record({
  sslmode: text,
  sslrootcert: optional(fromEnvironment),
  sslcert: optional(fromEnvironment),
  sslkey: optional(fromEnvironment),
  sslpassword: optional(fromEnvironment),
})

/** Where a PostgreSQL database is and how it is used (reference/metadata-operations#sources). */
export const postgresConnection = record({
  database_url: databaseUrl,
  isolation_level: filled(oneOf('read-committed', 'repeatable-read', 'serializable'), 'read-committed'),
  pool_settings: optional(poolSettings),
  ssl_configuration: optional(sslConfiguration),
  use_prepared_statements: filled(boolean, false),
})
export type PostgresConnection = Value<typeof postgresConnection>

/** Which connection a request is sent over: a template of Kriti (reference/metadata-operations#sources). */
export const connectionTemplate = record({
  version: filled(
    integer.refine((given) => given === 1, 'expected version 1'),
    1,
  ),
  template: text,
})

const connectionSet = list(record({ name: text, connection_info: postgresConnection })).refine(
  (members) => new Set(members.map(({ name }) => name)).size === members.length,
  'expected members with different names',
)

/**
 * `configuration` of a PostgreSQL source (reference/metadata-operations#sources, reference/metadata-document#objects).
 */
export const postgresConfiguration = record({
  connection_info: postgresConnection,
  read_replicas: optional(nonEmpty(postgresConnection)),
  extensions_schema: unless('public', text),
  connection_template: optional(connectionTemplate),
  connection_set: optional(connectionSet),
})
export type PostgresConfiguration = Value<typeof postgresConfiguration>
