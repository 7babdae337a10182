import { choose, isRecord, jsonObject, nonEmpty, optional, record, type Schema, text, type Value } from '../shape.ts'

const connectionText = choose<string | { readonly from_env: string }>((value) =>
  isRecord(value) ? fromEnvironment : text,
)
const fromEnvironment: Schema<{ readonly from_env: string }> = record({ from_env: text })

const mssqlConnection = record(
  { connection_string: connectionText, pool_settings: optional(jsonObject), isolation_level: optional(text) },
  { aliases: { database_url: 'connection_string' } },
)

/** `configuration` of a SQL Server source (reference/metadata-operations#sources). */
export const mssqlConfiguration = record({
  connection_info: mssqlConnection,
  read_replicas: optional(nonEmpty(mssqlConnection)),
})
export type MssqlConfiguration = Value<typeof mssqlConfiguration>
