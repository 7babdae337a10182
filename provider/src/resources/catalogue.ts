import { canonicalKind, defaultKind, type ObjectType } from '@svc/schema'
import { accessToken } from './access-token.ts'
import { action } from './action.ts'
import { actionPermission } from './action-permission.ts'
import { allowlistEntry } from './allowlist-entry.ts'
import { apiLimits } from './api-limits.ts'
import { arrayRelationship } from './array-relationship.ts'
import { bigquerySource } from './bigquery-source.ts'
import { computedField } from './computed-field.ts'
import { cronTrigger } from './cron-trigger.ts'
import { customType } from './custom-type.ts'
import { customTypes } from './custom-types.ts'
import type { RecordKind } from './define-record.ts'
import type { ResourceKind } from './define-resource.ts'
import { deletePermission } from './delete-permission.ts'
import { eventTrigger } from './event-trigger.ts'
import { trackedFunction } from './function.ts'
import { functionPermission } from './function-permission.ts'
import { inheritedRole } from './inherited-role.ts'
import { insertPermission } from './insert-permission.ts'
import { introspectionOptions } from './introspection-options.ts'
import { logicalModel } from './logical-model.ts'
import { logicalModelPermission } from './logical-model-permission.ts'
import { metricsConfig } from './metrics-config.ts'
import { mssqlSource } from './mssql-source.ts'
import { nativeQuery } from './native-query.ts'
import { objectRelationship } from './object-relationship.ts'
import { oidcTrust } from './oidc-trust.ts'
import { openTelemetry } from './opentelemetry.ts'
import { queryCollection } from './query-collection.ts'
import { remoteRelationship } from './remote-relationship.ts'
import { remoteSchema } from './remote-schema.ts'
import { remoteSchemaPermission } from './remote-schema-permission.ts'
import { remoteTypeRelationship } from './remote-type-relationship.ts'
import { restEndpoint } from './rest-endpoint.ts'
import { scheduledEvent } from './scheduled-event.ts'
import { selectPermission } from './select-permission.ts'
import { source } from './source.ts'
import { storedProcedure } from './stored-procedure.ts'
import { table } from './table.ts'
import { tlsAllowlistEntry } from './tls-allowlist-entry.ts'
import { updatePermission } from './update-permission.ts'

/** All kinds, parents before their children: the order in which they are made. */
export const catalogue: readonly ResourceKind[] = [
  source,
  mssqlSource,
  bigquerySource,
  table,
  objectRelationship,
  arrayRelationship,
  computedField,
  trackedFunction,
  logicalModel,
  nativeQuery,
  storedProcedure,
  selectPermission,
  insertPermission,
  updatePermission,
  deletePermission,
  logicalModelPermission,
  functionPermission,
  remoteSchema,
  remoteSchemaPermission,
  remoteRelationship,
  remoteTypeRelationship,
  inheritedRole,
  queryCollection,
  allowlistEntry,
  restEndpoint,
  eventTrigger,
  cronTrigger,
  customTypes,
  customType,
  action,
  actionPermission,
  apiLimits,
  metricsConfig,
  introspectionOptions,
  openTelemetry,
  tlsAllowlistEntry,
]

/** The kinds of records that the engine stores next to its metadata. */
export const records: readonly RecordKind[] = [scheduledEvent, accessToken, oidcTrust]

const byKind = new Map(catalogue.map((kind) => [kind.kind, kind]))
const byType = new Map(
  catalogue.flatMap((kind) => (kind.part || kind.type === 'source' ? [] : [[kind.type, kind] as const])),
)
const sources = new Map(
  catalogue.flatMap((kind) => (kind.type === 'source' ? [[kind.sourceKind ?? defaultKind, kind] as const] : [])),
)

export const kindNamed = (name: string): ResourceKind | undefined => byKind.get(name)

export const recordNamed = (name: string): RecordKind | undefined => records.find(({ kind }) => kind === name)

/**
 * The kind that stands for a kind of metadata object, if any does. `sourceKind`: of the source that it is or belongs
 * to; null for an object of none.
 */
export function kindOfType(type: ObjectType, sourceKind: string | null): ResourceKind | undefined {
  if (type === 'source') return sources.get(canonicalKind(sourceKind ?? defaultKind))
  const kind = byType.get(type)
  return sourceKind === null ? kind : (kind?.inKind(sourceKind) ?? undefined)
}

/** All kinds that stand for a kind of metadata object, whatever the source. */
export const kindsOfType = (type: ObjectType): readonly ResourceKind[] =>
  catalogue.filter((kind) => !kind.part && kind.type === type)

/** The kinds that stand for parts of such an object. */
export const partKindsOf = (type: ObjectType): readonly ResourceKind[] =>
  catalogue.filter((kind) => kind.part && kind.type === type)

/** Its place in the order of making. */
export const rankOf = (type: ObjectType): number => catalogue.findIndex((kind) => kind.type === type)
