import type { MetadataObject } from './document.ts'
import type { ObjectType } from './object-kinds.ts'
import type { Action, ActionPermission } from './objects/action.ts'
import type { AllowlistEntry } from './objects/allowlist-entry.ts'
import type { ApiLimits } from './objects/api-limits.ts'
import type { ComputedField } from './objects/computed-field.ts'
import type { CronTrigger } from './objects/cron-trigger.ts'
import type { CustomTypes } from './objects/custom-types.ts'
import type { EventTrigger } from './objects/event-trigger.ts'
import type { FunctionPermission, TrackedFunction } from './objects/function.ts'
import type { InheritedRole } from './objects/inherited-role.ts'
import type { LogicalModel, LogicalModelSelectPermission } from './objects/logical-model.ts'
import type { NativeQuery } from './objects/native-query.ts'
import type { Opentelemetry } from './objects/opentelemetry.ts'
import type { DeletePermission, InsertPermission, SelectPermission, UpdatePermission } from './objects/permission.ts'
import type { QueryCollection } from './objects/query-collection.ts'
import type { ArrayRelationship, ObjectRelationship } from './objects/relationship.ts'
import type { RemoteRelationship, RemoteSchemaRemoteRelationship } from './objects/remote-relationship.ts'
import type { RemoteSchema, RemoteSchemaPermission } from './objects/remote-schema.ts'
import type { RestEndpoint } from './objects/rest-endpoint.ts'
import type { BackendConfigs, GraphqlSchemaIntrospection, MetricsConfig, Network } from './objects/server-settings.ts'
import type { Source } from './objects/source.ts'
import type { StoredProcedure } from './objects/stored-procedure.ts'
import type { Table } from './objects/table.ts'

/** For every kind of object the type of its own value, as its schema makes it (object-schemas.ts). */
export interface ObjectValues {
  readonly source: Source
  readonly table: Table
  readonly object_relation: ObjectRelationship
  readonly array_relation: ArrayRelationship
  readonly computed_field: ComputedField
  readonly remote_relationship: RemoteRelationship
  readonly insert_permission: InsertPermission
  readonly select_permission: SelectPermission
  readonly update_permission: UpdatePermission
  readonly delete_permission: DeletePermission
  readonly event_trigger: EventTrigger
  readonly function: TrackedFunction
  readonly function_permission: FunctionPermission
  readonly native_query: NativeQuery
  readonly stored_procedure: StoredProcedure
  readonly logical_model: LogicalModel
  readonly logical_model_select_permission: LogicalModelSelectPermission
  readonly remote_schema: RemoteSchema
  readonly remote_schema_permission: RemoteSchemaPermission
  readonly remote_schema_remote_relationship: RemoteSchemaRemoteRelationship
  readonly query_collection: QueryCollection
  readonly allowlist: AllowlistEntry
  readonly action: Action
  readonly action_permission: ActionPermission
  readonly custom_types: CustomTypes
  readonly cron_trigger: CronTrigger
  readonly rest_endpoint: RestEndpoint
  readonly api_limits: ApiLimits
  readonly metrics_config: MetricsConfig
  readonly inherited_role: InheritedRole
  readonly graphql_schema_introspection: GraphqlSchemaIntrospection
  readonly network: Network
  readonly backend_configs: BackendConfigs
  readonly opentelemetry: Opentelemetry
}

/**
 * An object's value with the type of its kind. Documents hold nothing that the schema of its kind did not make
 * (read-metadata.ts, operations), so the tree's JSON gets its type back here and nowhere else. Throws when the object is
 * of another kind.
 */
export function objectValue<T extends ObjectType>(object: MetadataObject, type: T): ObjectValues[T] {
  if (object.type !== type) throw new Error(`a ${object.type} is no ${type}`)
  return object.value as unknown as ObjectValues[T]
}
