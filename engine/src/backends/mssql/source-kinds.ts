import { type JsonObject, nameRules, type Schema, sourceConfiguration } from '@svc/schema'
import { otherNamingConvention, type SourceKind } from '../source-kind.ts'

/** Operations that sources of this kind lack (reference/metadata-requests#body). */
const lacking =
  /(^|_)function(_|$)|_computed_field$|^set_table_is_enum$|^test_connection_template$|^get_source_trackables$|^database_inspection$/

export const sourceKinds: readonly SourceKind[] = [
  {
    kind: 'mssql',
    prefixes: ['mssql'],
    names: nameRules.dbo,
    configuration: sourceConfiguration('mssql') as Schema<JsonObject>,
    has: (operation) => !lacking.test(operation),
    unsupported: {
      enums: 'Enum tables are not supported for MSSQL sources',
      functions: 'SQL Functions are not supported for MSSQL source',
      computedFields: "Computed fields aren't supported for MSSQL sources",
      tableInfo: 'get_table_info not yet supported in MSSQL!',
      namingConvention: otherNamingConvention,
    },
  },
]
