import { boolean, filled, lenient, name, optional, text, type Value } from '../shape.ts'
import { cascade, sourceName } from './shared-keys.ts'

/** run_sql, pg_run_sql (reference/metadata-operations#sql). */
export const runSqlArgs = lenient({
  source: sourceName,
  sql: text,
  cascade,
  check_metadata_consistency: optional(boolean),
  read_only: filled(boolean, false),
  no_transaction: filled(boolean, false),
})
/** bigquery_database_inspection; `sql` has no effect. */
export const databaseInspectionArgs = lenient({ source: name })

export type RunSqlArgs = Value<typeof runSqlArgs>
