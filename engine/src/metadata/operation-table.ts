import { nameRules, nameStyle, sourceConfiguration } from '@svc/schema'
import type { SourceKind } from '../backends/index.ts'
import type { Operation, SourceOperation } from './operation.ts'
import { actionOperations } from './operations/action.ts'
import { customTypeOperations } from './operations/action-custom-types.ts'
import { allowlistOperations } from './operations/allowlist.ts'
import { computedFieldOperations } from './operations/computed-field.ts'
import { cronTriggerOperations } from './operations/cron-trigger.ts'
import { eventTriggerOperations } from './operations/event-trigger.ts'
import { functionOperations, trackFunctionVersion1 } from './operations/function.ts'
import { inheritedRoleOperations } from './operations/inherited-role.ts'
import { logicalModelOperations } from './operations/logical-model.ts'
import { nativeQueryOperations } from './operations/native-query.ts'
import { permissionOperations } from './operations/permission.ts'
import { queryCollectionOperations } from './operations/query-collection.ts'
import { relationshipOperations } from './operations/relationship.ts'
import { remoteRelationshipOperations } from './operations/remote-relationship.ts'
import { remoteSchemaOperations } from './operations/remote-schema.ts'
import { remoteSchemaRelationshipOperations } from './operations/remote-schema-relationship.ts'
import { restEndpointOperations } from './operations/rest-endpoint.ts'
import { serverSettingsOperations } from './operations/server-settings.ts'
import { anySourceOperations, dropSource, sourceOperations } from './operations/source.ts'
import { storedProcedureOperations } from './operations/stored-procedure.ts'
import { tableOperations, trackTableVersion1 } from './operations/table.ts'
import { tablesOperations } from './operations/tables.ts'
import { documentOperations, replacements } from './operations/whole-document.ts'

/** Operations on metadata. */
interface Operations {
  /** Operations on sources and on objects in them: called with the prefix of a kind. */
  readonly inSources: readonly SourceOperation[]
  /** Called by their own names only. */
  readonly others: readonly Operation[]
}

const ours: Operations = {
  inSources: [
    ...sourceOperations,
    ...tableOperations,
    ...tablesOperations,
    ...relationshipOperations,
    ...remoteRelationshipOperations,
    ...computedFieldOperations,
    ...functionOperations,
    ...permissionOperations,
    ...logicalModelOperations,
    ...nativeQueryOperations,
    ...storedProcedureOperations,
    ...eventTriggerOperations,
  ],
  others: [
    ...documentOperations,
    ...anySourceOperations,
    ...serverSettingsOperations,
    ...actionOperations,
    ...customTypeOperations,
    ...inheritedRoleOperations,
    ...queryCollectionOperations,
    ...allowlistOperations,
    ...restEndpointOperations,
    ...cronTriggerOperations,
    ...remoteSchemaOperations,
    ...remoteSchemaRelationshipOperations,
  ],
}

/** Not on the older /v1/query, which has neither sources nor lists (reference/metadata-requests#endpoints). */
const notOnQuery =
  /^(add|update|drop|rename)_source$|^set_query_tags$|_api_limits$|_metrics_config$|_tls_allowlist$|^set_opentelemetry_|^(un)?track_tables$|^rename_query_collection$|^update_scope_of_|_(native_query|logical_model)(_|$)|_introspection_|_event_trigger_cleanups$/

/** Operations that clients of the older API send with version 2 (reference/metadata-requests#body). */
const extended: ReadonlySet<string> = new Set(['track_table', 'track_function', 'set_table_custom_fields'])

export interface OperationTable {
  /**
   * An operation of /v1/metadata by name: with the prefix of a kind of source, and without one for the first kind
   * (reference/metadata-requests#body). The operations with an extended form have version 2 by their own names; version 1
   * of them is that form here.
   */
  metadata(type: string, version: 1 | 2): Operation | undefined
  /** An operation of the older /v1/query: without prefixes; some have two versions. */
  query(type: string, version: 1 | 2): Operation | undefined
  /** Every operation there is, by its own name. */
  readonly types: readonly string[]
  /** Every name that one of them goes by. */
  readonly names: readonly string[]
}

/** All operations on metadata for these kinds of source. */
export function operationTable(kinds: readonly SourceKind[]): OperationTable {
  const { inSources, others } = ours
  const prefixed = new Map(kinds.flatMap((kind) => namesFor(kind, inSources)))
  const replaceMetadata = replacements(kinds)
  const [first] = kinds
  const unprefixed = new Map(inSources.flatMap((operation) => (first ? [[operation.name, operation.of(first)]] : [])))
  const own = new Map(others.map((operation) => [operation.type, operation]))
  return {
    metadata(type, version) {
      if (type === 'replace_metadata') return replaceMetadata[version]
      if (version === 2) return extended.has(type) ? unprefixed.get(type) : undefined
      return own.get(type) ?? prefixed.get(type) ?? unprefixed.get(type) ?? dropOfOther(type)
    },
    query(type, version) {
      switch (type) {
        case 'replace_metadata':
          return replaceMetadata[version]
        case 'track_table':
          return version === 2 ? unprefixed.get(type) : trackTableVersion1
        case 'add_existing_table_or_view':
          return version === 2 ? undefined : trackTableVersion1
        case 'track_function':
          return version === 2 ? unprefixed.get(type) : trackFunctionVersion1
        case 'set_table_custom_fields':
          return version === 2 ? unprefixed.get(type) : undefined
      }
      if (version === 2 || notOnQuery.test(type)) return undefined
      return own.get(type) ?? unprefixed.get(type)
    },
    names: [...prefixed.keys(), ...unprefixed.keys(), ...own.keys(), 'replace_metadata', 'add_existing_table_or_view'],
    types: [...new Set([...prefixed.values()].map(({ type }) => type)), ...own.keys(), 'replace_metadata'],
  }
}

/** Sources of kinds that no backend serves remain in metadata, and can be dropped: `mssql_drop_source`. */
function dropOfOther(type: string): Operation | undefined {
  const [, prefix] = /^([A-Za-z][A-Za-z0-9]*)_drop_source$/.exec(type) ?? []
  if (prefix === undefined) return undefined
  const names = nameRules[nameStyle(prefix)]
  return dropSource.of({
    kind: prefix,
    prefixes: [prefix],
    names,
    configuration: sourceConfiguration(prefix),
    has: () => true,
  })
}

function namesFor(kind: SourceKind, operations: readonly SourceOperation[]): readonly (readonly [string, Operation])[] {
  return operations
    .filter(({ name }) => kind.has(name))
    .flatMap((operation) => {
      const made = operation.of(kind)
      return kind.prefixes.map((prefix) => [`${prefix}_${operation.name}`, made] as const)
    })
}
