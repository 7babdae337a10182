import { choose, isRecord, list, name, number, optional, record, type Schema, text, type Value } from '../shape.ts'

const fromEnvironment = record({ from_env: text })
type FromEnvironment = Value<typeof fromEnvironment>

const isReference = (value: unknown): boolean => isRecord(value) && value.from_env !== undefined

const account = record({ client_email: text, private_key: text, project_id: text })

/** An object, the JSON text of one, or the name of a variable that holds such a text. */
const serviceAccount = choose<Value<typeof account> | FromEnvironment | string>(
  (value) => (typeof value === 'string' ? text : isReference(value) ? fromEnvironment : account),
  ['', {}, { from_env: '' }],
)

const project = choose<string | number | FromEnvironment>(
  (value) => (isRecord(value) ? fromEnvironment : typeof value === 'number' ? number : text),
  ['', 0, {}],
)

/** Names, or a variable that holds them with commas between. */
const names: Schema<readonly string[] | FromEnvironment> = list(name)
const datasets = choose<readonly string[] | FromEnvironment>(
  (value) => (isRecord(value) ? fromEnvironment : names),
  [[], {}],
)

/** A number, a text that is one, or a variable that holds one: what it has to be is known when it is read. */
const limit = choose<string | number | FromEnvironment>(
  (value) => (isRecord(value) ? fromEnvironment : typeof value === 'string' ? text : number),
  [0, '', {}],
)

/**
 * `configuration` of a BigQuery source (reference/metadata-operations#sources). It is exported in the form in which it
 * was written.
 */
export const bigqueryConfiguration = record({
  service_account: serviceAccount,
  project_id: project,
  datasets,
  global_select_limit: optional(limit),
  retry_limit: optional(limit),
  /** Microseconds. */
  retry_base_delay: optional(limit),
  /** Bytes that a job may be billed for: ours. */
  maximum_bytes_billed: optional(limit),
})
export type BigqueryConfiguration = Value<typeof bigqueryConfiguration>
