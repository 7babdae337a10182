import {
  boolean,
  choose,
  isRecord,
  nonEmpty,
  notNegative,
  number,
  oneOf,
  optional,
  record,
  type Schema,
  text,
  type Value,
} from '../shape.ts'

const connectionText = choose<string | { readonly from_env: string }>((value) =>
  isRecord(value) ? fromEnvironment : text,
)
const fromEnvironment: Schema<{ readonly from_env: string }> = record({ from_env: text })

/** `enable: false`: a connection for each transaction. `total_max_connections` is stored and has no effect. */
const poolSettings = record({
  enable: optional(boolean),
  max_connections: optional(notNegative('max_connections')),
  total_max_connections: optional(notNegative('total_max_connections')),
  idle_timeout: optional(number),
})

const isolationLevel = oneOf('read-uncommitted', 'read-committed', 'repeatable-read', 'serializable', 'snapshot')

/** An ODBC connection string and how its database is used. `database_url` is another spelling, which counts first. */
const mssqlConnection = record(
  {
    connection_string: connectionText,
    pool_settings: optional(poolSettings),
    isolation_level: optional(isolationLevel),
  },
  { aliases: { database_url: 'connection_string' }, aliasesFirst: true },
)

/** `configuration` of a SQL Server source (reference/metadata-operations#sources). Replicas are stored and not used. */
export const mssqlConfiguration = record({
  connection_info: mssqlConnection,
  read_replicas: optional(nonEmpty(mssqlConnection)),
})
export type MssqlConfiguration = Value<typeof mssqlConfiguration>
