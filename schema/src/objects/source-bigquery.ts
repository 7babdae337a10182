import { json, optional, record, type Value } from '../shape.ts'

/**
 * `configuration` of a BigQuery source (reference/metadata-operations#sources): its values are texts, objects or
 * `{from_env}` alike.
 */
export const bigqueryConfiguration = record({
  service_account: json,
  project_id: json,
  datasets: json,
  global_select_limit: optional(json),
  retry_limit: optional(json),
  retry_base_delay: optional(json),
  /** Ours: bytes that a job may be billed for. */
  maximum_bytes_billed: optional(json),
})
export type BigqueryConfiguration = Value<typeof bigqueryConfiguration>
