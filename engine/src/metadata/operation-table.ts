import type { Operation } from './operation.ts'
import { actionOperations } from './operations/action.ts'
import { allowlistOperations } from './operations/allowlist.ts'
import { computedFieldOperations } from './operations/computed-field.ts'
import { functionOperations, trackFunctionVersion1 } from './operations/function.ts'
import { inheritedRoleOperations } from './operations/inherited-role.ts'
import { introspectionOperations } from './operations/introspection.ts'
import { logicalModelOperations } from './operations/logical-model.ts'
import { nativeQueryOperations } from './operations/native-query.ts'
import { permissionOperations } from './operations/permission.ts'
import { queryCollectionOperations } from './operations/query-collection.ts'
import { relationshipOperations } from './operations/relationship.ts'
import { restEndpointOperations } from './operations/rest-endpoint.ts'
import { sourceOperations } from './operations/source.ts'
import { tableOperations, trackTableVersion1 } from './operations/table.ts'
import { tablesOperations } from './operations/tables.ts'
import { documentOperations } from './operations/whole-document.ts'

const byType = (operations: readonly Operation[]): ReadonlyMap<string, Operation> =>
  new Map(operations.map((operation) => [operation.type, operation]))

const inSources = [
  ...tableOperations,
  ...tablesOperations,
  ...relationshipOperations,
  ...computedFieldOperations,
  ...functionOperations,
  ...permissionOperations,
  ...logicalModelOperations,
  ...nativeQueryOperations,
]
const prefixed = byType([...sourceOperations, ...inSources])
const unprefixed: ReadonlyMap<string, Operation> = new Map(
  inSources.map((operation) => [operation.type.replace(/^pg_/, ''), operation]),
)
const wholeDocument = byType([
  ...documentOperations.others,
  ...actionOperations,
  ...inheritedRoleOperations,
  ...introspectionOperations,
  ...queryCollectionOperations,
  ...allowlistOperations,
  ...restEndpointOperations,
])

/**
 * An operation of /v1/metadata by name: `pg_…`, its spelling `postgres_…`, and for what lies in a source the name
 * without prefix (spec 01 §1.2). Version 2 is replace_metadata's alone.
 */
export function metadataOperation(type: string, version: 1 | 2): Operation | undefined {
  if (type === 'replace_metadata') return documentOperations.replaceMetadata[version]
  if (version === 2) return undefined
  return wholeDocument.get(type) ?? prefixed.get(type.replace(/^postgres_/, 'pg_')) ?? unprefixed.get(type)
}

/** An operation of the older /v1/query (spec 01 §1.1): without prefixes, sources and lists; some have two versions. */
export function queryOperation(type: string, version: 1 | 2): Operation | undefined {
  switch (type) {
    case 'replace_metadata':
      return documentOperations.replaceMetadata[version]
    case 'track_table':
      return version === 2 ? unprefixed.get(type) : trackTableVersion1
    case 'add_existing_table_or_view':
      return version === 2 ? undefined : trackTableVersion1
    case 'track_function':
      return version === 2 ? unprefixed.get(type) : trackFunctionVersion1
    case 'set_table_custom_fields':
      return version === 2 ? unprefixed.get(type) : undefined
    case 'track_tables':
    case 'untrack_tables':
    case 'rename_query_collection':
    case 'update_scope_of_collection_in_allowlist':
      return undefined
  }
  if (/_(native_query|logical_model)(_|$)|_introspection_/.test(type)) return undefined
  return version === 2 ? undefined : (wholeDocument.get(type) ?? unprefixed.get(type))
}

/** Every operation there is, by its own name. */
export const operationTypes: readonly string[] = [...prefixed.keys(), ...wholeDocument.keys(), 'replace_metadata']
