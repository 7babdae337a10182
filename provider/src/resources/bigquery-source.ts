import { isRecord, type Json, type JsonObject, parseExactly } from '@svc/schema'
import { filled, type InputDeclaration, type Inputs, within } from './attributes-of.ts'
import { type Codec, defineSource } from './define-resource.ts'
import { defined } from './in-table.ts'
import { customization, sourceName, sourceOperations, writtenOnly } from './source-parts.ts'

const variable = (key: string, what: string): Inputs => ({
  [`${key}_from_env`]: {
    description: `Variable of the engine's environment that holds ${what}.`,
    at: `${key}.from_env`,
    optional: true,
  },
})

const count = (description: string): InputDeclaration => ({
  description,
  type: 'integer',
  refuses: 'negative',
  optional: true,
})

const accountKeys = ['client_email', 'private_key', 'project_id']

/** Of the key of an account what the engine reads; in the metadata it may be the text of that. */
function accountOf(json: Json | undefined): Json | undefined {
  const key = typeof json === 'string' ? parsed(json) : json
  if (!isRecord(key) || key.from_env !== undefined) return json
  return defined(Object.fromEntries(accountKeys.map((name) => [name, key[name]])))
}

function parsed(text: string): Json {
  try {
    return parseExactly(text) as Json
  } catch {
    return text
  }
}

const account: Codec = {
  encode: accountOf,
  decode: (json) => (isRecord(json) && json.from_env !== undefined ? undefined : accountOf(json)),
}

const numberText = (json: Json | undefined): Json | undefined => (typeof json === 'number' ? String(json) : json)

/** Numbers may be texts in the metadata. */
const numeric: Codec = {
  decode: (json) => (typeof json === 'string' && /^\d+$/.test(json) ? Number(json) : json),
}

const numbers = ['global_select_limit', 'retry_limit', 'retry_base_delay', 'maximum_bytes_billed']

function meaning(value: JsonObject): JsonObject {
  const { configuration } = value
  if (!isRecord(configuration)) return value
  const { service_account: key, project_id: project } = configuration
  return {
    ...value,
    configuration: defined({
      ...configuration,
      service_account: accountOf(key),
      project_id: numberText(project),
      ...Object.fromEntries(numbers.map((name) => [name, numeric.decode?.(configuration[name])])),
    }),
  }
}

/** Projects and datasets of BigQuery (reference/metadata-operations#sources). */
export const bigquerySource = defineSource(
  (family) => ({
    kind: 'BigquerySource',
    type: 'source',
    description: [
      'Datasets of BigQuery whose tables the engine serves.',
      'Its objects are declared as in any other source, by the `name` of this resource;',
      'tables and functions have a `dataset` in place of a schema.',
      'A new name renames the source, with everything in it.',
    ].join(' '),
    inputs: {
      name: sourceName,
      ...within('configuration', {
        service_account: {
          description: 'Key of the service account, as JSON: the file that Google makes of it.',
          json: true,
          sensitive: true,
        },
        ...variable('service_account', 'that text'),
        ...writtenOnly('service_account', 'Key', { json: true, at: 'service_account' }),
        project_id: filled('Project that its jobs run in.'),
        ...variable('project_id', 'the project'),
        datasets: 'Datasets whose tables it has.',
        ...variable('datasets', 'the datasets, with commas between them'),
        global_select_limit: count('Most rows of any list; 1000 if it is not given.'),
        ...variable('global_select_limit', 'that number'),
        retry_limit: count('How often a request to BigQuery is tried again; 5 if it is not given.'),
        ...variable('retry_limit', 'that number'),
        retry_base_delay: count('Microseconds before the first of these tries; 500000 if it is not given.'),
        ...variable('retry_base_delay', 'that number'),
        maximum_bytes_billed: count(
          'Most bytes that one job may bill, beyond which it fails before it costs anything; 10 GB if it is not given, 0: no limit.',
        ),
      }),
      customization,
    },
    example: ['warehouse'],
    exactlyOne: [
      ['service_account', 'service_account_from_env', 'service_account_wo'],
      ['project_id', 'project_id_from_env'],
      ['datasets', 'datasets_from_env'],
    ],
    codecs: {
      service_account: account,
      service_account_wo: account,
      project_id: { decode: numberText },
      global_select_limit: numeric,
      retry_limit: numeric,
      retry_base_delay: numeric,
      maximum_bytes_billed: numeric,
    },
    meaning,
    ...sourceOperations(family),
  }),
  'bigquery',
)
