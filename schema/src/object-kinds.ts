/**
 * The kinds of metadata object that an operation can address, declared once. Import, export, the catalogue's
 * rows, identities, differences between documents and the change log all derive from this table
 * (reference/metadata-document#objects, reference/metadata-document#inconsistent-objects).
 */
import { type NameStyle, perStyle } from './backend-kind.ts'
import type { Json, JsonObject } from './json.ts'
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
import type { Rule, ValueFault } from './value-faults/rule.ts'
import {
  actionPermissionRule,
  actionRule,
  allowlistRule,
  apiLimitsRule,
  cronTriggerRule,
  customTypesRule,
  eventTriggerRule,
  functionPermissionRule,
  functionRule,
  graphqlSchemaIntrospectionRule,
  inheritedRoleRule,
  logicalModelRule,
  logicalModelSelectPermissionRule,
  nativeQueryRule,
  networkRule,
  opentelemetryRule,
  queryCollectionRule,
  relationshipRule,
  remoteSchemaPermissionRule,
  remoteSchemaRule,
  selectPermissionRule,
  sourceRule,
  tableRule,
  writePermissionRule,
} from './value-faults/rules-of-kinds.ts'

/** Its parent is one of the kinds below, by its name. */
interface Declared<Parent> {
  readonly parent: Parent
  /** Key in the parent's export form that holds the list of these objects (or the object, for a singleton). */
  readonly list: string
  /** Exactly one or none of it exists: the top-level objects such as custom_types. */
  readonly singleton: boolean
  /** The part of the key that distinguishes it from its siblings, e.g. `{ role: 'user' }`, `{ table: { schema, name } }`. */
  readonly key: (value: JsonObject) => JsonObject
  /** Sort on export, by code unit (reference/metadata-document#order-of-an-export). */
  readonly sort: (value: JsonObject) => readonly string[]
}

/** A kind of object: where it stands, and what its own value is, children aside. */
interface Kind<Parent> extends Declared<Parent> {
  /** A function where it depends on how the object's source spells names. */
  readonly schema: Schema<JsonObject> | ((style: NameStyle) => Schema<JsonObject>)
  /** What of a value of this shape no engine can serve. */
  readonly faults?: Rule
  /** It reaches what the connection of its source does, or the engine's environment: more than what lies in the source. */
  readonly reachesFurther?: boolean
}

const text = (value: Json | undefined): string => (typeof value === 'string' ? value : '')

const by = (name: string) => (value: JsonObject) => ({ [name]: value[name] ?? null })

function named<const P extends string | null>(parent: P, list: string, name = 'name'): Declared<P> {
  return { parent, list, singleton: false, key: by(name), sort: (value) => [text(value[name])] }
}

function qualified<const P extends string>(parent: P, list: string, name: string): Declared<P> {
  return { parent, list, singleton: false, key: by(name), sort: (value) => qualifiedNameSort(value[name]) }
}

/** {schema, name} sorts by schema, then name; BigQuery's {dataset, name} likewise. */
function qualifiedNameSort(value: Json | undefined): readonly string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [text(value)]
  const name = value as JsonObject
  return [text(name.schema ?? name.dataset), text(name.name)]
}

function singleton(list: string): Declared<null> {
  return { parent: null, list, singleton: true, key: () => ({}), sort: () => [] }
}

/** In the order of export (reference/metadata-document#top-level, reference/metadata-document#objects). */
const declared = {
  source: {
    ...named(null, 'sources'),
    sort: (value: JsonObject) => [value.name === 'default' ? '0' : '1', text(value.name)],
    schema: source,
    faults: sourceRule,
    reachesFurther: true,
  },
  table: { ...qualified('source', 'tables', 'table'), schema: table, faults: tableRule },
  object_relation: { ...named('table', 'object_relationships'), schema: objectRelationship, faults: relationshipRule },
  array_relation: { ...named('table', 'array_relationships'), schema: arrayRelationship, faults: relationshipRule },
  computed_field: { ...named('table', 'computed_fields'), schema: computedField, faults: relationshipRule },
  remote_relationship: {
    ...named('table', 'remote_relationships'),
    schema: remoteRelationship,
    faults: relationshipRule,
  },
  insert_permission: {
    ...named('table', 'insert_permissions', 'role'),
    schema: insertPermission,
    faults: writePermissionRule,
  },
  select_permission: {
    ...named('table', 'select_permissions', 'role'),
    schema: selectPermission,
    faults: selectPermissionRule,
  },
  update_permission: {
    ...named('table', 'update_permissions', 'role'),
    schema: updatePermission,
    faults: writePermissionRule,
  },
  delete_permission: {
    ...named('table', 'delete_permissions', 'role'),
    schema: deletePermission,
    faults: writePermissionRule,
  },
  event_trigger: { ...named('table', 'event_triggers'), schema: eventTrigger, faults: eventTriggerRule },
  function: { ...qualified('source', 'functions', 'function'), schema: trackedFunction, faults: functionRule },
  function_permission: {
    ...named('function', 'permissions', 'role'),
    schema: functionPermission,
    faults: functionPermissionRule,
  },
  native_query: {
    ...named('source', 'native_queries', 'root_field_name'),
    schema: nativeQuery,
    faults: nativeQueryRule,
    reachesFurther: true,
  },
  stored_procedure: {
    ...qualified('source', 'stored_procedures', 'stored_procedure'),
    schema: storedProcedure,
    reachesFurther: true,
  },
  logical_model: { ...named('source', 'logical_models'), schema: logicalModel, faults: logicalModelRule },
  logical_model_select_permission: {
    ...named('logical_model', 'select_permissions', 'role'),
    schema: logicalModelSelectPermission,
    faults: logicalModelSelectPermissionRule,
  },
  remote_schema: { ...named(null, 'remote_schemas'), schema: remoteSchema, faults: remoteSchemaRule },
  remote_schema_permission: {
    ...named('remote_schema', 'permissions', 'role'),
    schema: remoteSchemaPermission,
    faults: remoteSchemaPermissionRule,
  },
  // exported as [{ type_name, relationships: [...] }]; as objects they are flat, with type_name inside
  remote_schema_remote_relationship: {
    parent: 'remote_schema' as const,
    list: 'remote_relationships',
    singleton: false,
    key: (value: JsonObject) => ({ type_name: value.type_name ?? null, name: value.name ?? null }),
    sort: (value: JsonObject) => [text(value.type_name), text(value.name)],
    schema: remoteSchemaRemoteRelationship,
    faults: relationshipRule,
  },
  query_collection: { ...named(null, 'query_collections'), schema: queryCollection, faults: queryCollectionRule },
  allowlist: { ...named(null, 'allowlist', 'collection'), schema: allowlistEntry, faults: allowlistRule },
  action: { ...named(null, 'actions'), schema: action, faults: actionRule },
  action_permission: {
    ...named('action', 'permissions', 'role'),
    schema: actionPermission,
    faults: actionPermissionRule,
  },
  custom_types: { ...singleton('custom_types'), schema: customTypes, faults: customTypesRule },
  cron_trigger: { ...named(null, 'cron_triggers'), schema: cronTrigger, faults: cronTriggerRule },
  rest_endpoint: {
    ...named(null, 'rest_endpoints'),
    sort: (value: JsonObject) => [text(value.url), text(value.name)],
    schema: restEndpoint,
  },
  api_limits: { ...singleton('api_limits'), schema: apiLimits, faults: apiLimitsRule },
  metrics_config: { ...singleton('metrics_config'), schema: metricsConfig },
  inherited_role: { ...named(null, 'inherited_roles', 'role_name'), schema: inheritedRole, faults: inheritedRoleRule },
  graphql_schema_introspection: {
    ...singleton('graphql_schema_introspection'),
    schema: graphqlSchemaIntrospection,
    faults: graphqlSchemaIntrospectionRule,
  },
  network: { ...singleton('network'), schema: network, faults: networkRule },
  backend_configs: { ...singleton('backend_configs'), schema: backendConfigs },
  opentelemetry: { ...singleton('opentelemetry'), schema: opentelemetry, faults: opentelemetryRule },
}

export type ObjectType = keyof typeof declared
export type ObjectKind = Kind<ObjectType | null>

/** For every kind of object the type of its own value, as its schema makes it. */
export type ObjectValues = { readonly [T in ObjectType]: ValueOf<(typeof declared)[T]['schema']> }
type ValueOf<S> = S extends (style: NameStyle) => infer Made ? Value<Made> : Value<S>

export const objectKinds: Readonly<Record<ObjectType, ObjectKind>> = declared

/** Objects with a file of their own in a metadata directory: nearly all of a large document is in them. */
export const hashedTypes = ['table', 'function'] as const satisfies readonly ObjectType[]

export const objectTypes = Object.keys(objectKinds) as readonly ObjectType[]

const childTypes = new Map<ObjectType | null, readonly ObjectType[]>(
  [null, ...objectTypes].map((parent) => [parent, objectTypes.filter((type) => objectKinds[type].parent === parent)]),
)

/** The kinds of object directly below one kind (`null`: below the document), in export order. */
export function childTypesOf(parent: ObjectType | null): readonly ObjectType[] {
  return childTypes.get(parent) ?? []
}

/** For every kind of object the schema of its own value, children aside; by how its source spells names. */
export const objectSchemas: (style: NameStyle) => Readonly<Record<ObjectType, Schema<JsonObject>>> = perStyle(
  (style) =>
    Object.fromEntries(
      Object.entries(objectKinds).map(([type, { schema }]) => [
        type,
        typeof schema === 'function' ? schema(style) : schema,
      ]),
    ) as Record<ObjectType, Schema<JsonObject>>,
)

/** What is wrong with an object's canonical value, whatever other objects there are; empty: an engine could serve it. */
export const valueFaults = (type: ObjectType, value: JsonObject): readonly ValueFault[] =>
  objectKinds[type].faults?.(value) ?? []
