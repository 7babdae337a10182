import { bigqueryConfiguration, type JsonObject, nameRules, type Schema } from '@svc/schema'
import { otherNamingConvention, type SourceKind } from '../source-kind.ts'

/** What sources that are only read, and have neither functions of their own nor keys, do without. */
const lacks: readonly RegExp[] = [
  /(^|_)function(_|$)/,
  /(^|_)event(s|_|$)/,
  /^set_table_(is_enum|custom_fields)$/,
  /stored_procedure/,
  /^get_source_trackables$/,
  /^test_connection_template$/,
]

/** Which operations there are: reference/metadata-requests#body. */
export const sourceKinds: readonly SourceKind[] = [
  {
    kind: 'bigquery',
    prefixes: ['bigquery'],
    names: nameRules.dataset,
    configuration: bigqueryConfiguration as Schema<JsonObject>,
    has: (operation) => !lacks.some((pattern) => pattern.test(operation)),
    unsupported: {
      enums: 'Enum tables are not supported for BigQuery sources',
      functions: 'SQL Functions are not supported for BigQuery source',
      eventTriggers: 'Event triggers are not supported for BigQuery sources',
      tableInfo: 'get_table_info not yet supported in BigQuery!',
      namingConvention: otherNamingConvention,
    },
  },
]
