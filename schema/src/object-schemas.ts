import { type NameStyle, perStyle } from './backend-kind.ts'
import type { JsonObject } from './json.ts'
import type { ObjectType } from './object-kinds.ts'
import { action, actionPermission } from './objects/action.ts'
import { allowlistEntry } from './objects/allowlist-entry.ts'
import { apiLimits } from './objects/api-limits.ts'
import { computedField } from './objects/computed-field.ts'
import { cronTrigger } from './objects/cron-trigger.ts'
import { customTypes } from './objects/custom-types.ts'
import { eventTrigger } from './objects/event-trigger.ts'
import { functionPermission, trackedFunction } from './objects/function.ts'
import { inheritedRole } from './objects/inherited-role.ts'
import { logicalModel, logicalModelSelectPermission } from './objects/logical-model.ts'
import { nativeQuery } from './objects/native-query.ts'
import { opentelemetry } from './objects/opentelemetry.ts'
import { deletePermission, insertPermission, selectPermission, updatePermission } from './objects/permission.ts'
import { queryCollection } from './objects/query-collection.ts'
import { arrayRelationship, objectRelationship } from './objects/relationship.ts'
import { remoteRelationship, remoteSchemaRemoteRelationship } from './objects/remote-relationship.ts'
import { remoteSchema, remoteSchemaPermission } from './objects/remote-schema.ts'
import { restEndpoint } from './objects/rest-endpoint.ts'
import { backendConfigs, graphqlSchemaIntrospection, metricsConfig, network } from './objects/server-settings.ts'
import { source } from './objects/source.ts'
import { storedProcedure } from './objects/stored-procedure.ts'
import { table } from './objects/table.ts'
import type { Schema, Value } from './shape.ts'

const schemas = perStyle((style) => ({
  source,
  table: table(style),
  object_relation: objectRelationship(style),
  array_relation: arrayRelationship(style),
  computed_field: computedField(style),
  remote_relationship: remoteRelationship,
  insert_permission: insertPermission(style),
  select_permission: selectPermission(style),
  update_permission: updatePermission(style),
  delete_permission: deletePermission(style),
  event_trigger: eventTrigger(style),
  function: trackedFunction(style),
  function_permission: functionPermission,
  native_query: nativeQuery(style),
  stored_procedure: storedProcedure(style),
  logical_model: logicalModel,
  logical_model_select_permission: logicalModelSelectPermission(style),
  remote_schema: remoteSchema,
  remote_schema_permission: remoteSchemaPermission,
  remote_schema_remote_relationship: remoteSchemaRemoteRelationship,
  query_collection: queryCollection,
  allowlist: allowlistEntry,
  action,
  action_permission: actionPermission,
  custom_types: customTypes,
  cron_trigger: cronTrigger,
  rest_endpoint: restEndpoint,
  api_limits: apiLimits,
  metrics_config: metricsConfig,
  inherited_role: inheritedRole,
  graphql_schema_introspection: graphqlSchemaIntrospection,
  network,
  backend_configs: backendConfigs,
  opentelemetry,
}))

/** For every kind of object the schema of its own value, children aside; by how its source spells names. */
export const objectSchemas: (style: NameStyle) => Readonly<Record<ObjectType, Schema<JsonObject>>> = schemas

/** For every kind of object the type of its own value, as its schema makes it. */
export type ObjectValues = { readonly [T in ObjectType]: Value<ReturnType<typeof schemas>[T]> }
