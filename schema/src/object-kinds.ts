/**
 * The kinds of metadata object that an operation can address, declared once. Import, export, the catalogue's
 * rows, identities, differences between documents and the change log all derive from this table
 * (reference/metadata-document#objects, reference/metadata-document#inconsistent-objects).
 */
import type { Json, JsonObject } from './json.ts'

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

const text = (value: Json | undefined): string => (typeof value === 'string' ? value : '')

const by = (name: string) => (value: JsonObject) => ({ [name]: value[name] ?? null })

function named<const P extends string | null>(parent: P, list: string, name = 'name'): Declared<P> {
  return { parent, list, singleton: false, key: by(name), sort: (value) => [text(value[name])] }
}

function qualified<const P extends string>(parent: P, list: string, name: 'table' | 'function'): Declared<P> {
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
  },
  table: qualified('source', 'tables', 'table'),
  object_relation: named('table', 'object_relationships'),
  array_relation: named('table', 'array_relationships'),
  computed_field: named('table', 'computed_fields'),
  remote_relationship: named('table', 'remote_relationships'),
  insert_permission: named('table', 'insert_permissions', 'role'),
  select_permission: named('table', 'select_permissions', 'role'),
  update_permission: named('table', 'update_permissions', 'role'),
  delete_permission: named('table', 'delete_permissions', 'role'),
  event_trigger: named('table', 'event_triggers'),
  function: qualified('source', 'functions', 'function'),
  function_permission: named('function', 'permissions', 'role'),
  native_query: named('source', 'native_queries', 'root_field_name'),
  stored_procedure: {
    parent: 'source' as const,
    list: 'stored_procedures',
    singleton: false,
    key: by('stored_procedure'),
    sort: (value: JsonObject) => qualifiedNameSort(value.stored_procedure),
  },
  logical_model: named('source', 'logical_models'),
  logical_model_select_permission: named('logical_model', 'select_permissions', 'role'),
  remote_schema: named(null, 'remote_schemas'),
  remote_schema_permission: named('remote_schema', 'permissions', 'role'),
  // exported as [{ type_name, relationships: [...] }]; as objects they are flat, with type_name inside
  remote_schema_remote_relationship: {
    parent: 'remote_schema' as const,
    list: 'remote_relationships',
    singleton: false,
    key: (value: JsonObject) => ({ type_name: value.type_name ?? null, name: value.name ?? null }),
    sort: (value: JsonObject) => [text(value.type_name), text(value.name)],
  },
  query_collection: named(null, 'query_collections'),
  allowlist: named(null, 'allowlist', 'collection'),
  action: named(null, 'actions'),
  action_permission: named('action', 'permissions', 'role'),
  custom_types: singleton('custom_types'),
  cron_trigger: named(null, 'cron_triggers'),
  rest_endpoint: { ...named(null, 'rest_endpoints'), sort: (value: JsonObject) => [text(value.url), text(value.name)] },
  api_limits: singleton('api_limits'),
  metrics_config: singleton('metrics_config'),
  inherited_role: named(null, 'inherited_roles', 'role_name'),
  graphql_schema_introspection: singleton('graphql_schema_introspection'),
  network: singleton('network'),
  backend_configs: singleton('backend_configs'),
  opentelemetry: singleton('opentelemetry'),
}

export type ObjectType = keyof typeof declared
export type ObjectKind = Declared<ObjectType | null>

export const objectKinds: Readonly<Record<ObjectType, ObjectKind>> = declared

/** Objects with a file of their own in a metadata directory: nearly all of a large document lies in them. */
export const hashedTypes = ['table', 'function'] as const satisfies readonly ObjectType[]

export const objectTypes = Object.keys(objectKinds) as readonly ObjectType[]

const childTypes = new Map<ObjectType | null, readonly ObjectType[]>(
  [null, ...objectTypes].map((parent) => [parent, objectTypes.filter((type) => objectKinds[type].parent === parent)]),
)

/** The kinds of object directly below one kind (`null`: below the document), in export order. */
export function childTypesOf(parent: ObjectType | null): readonly ObjectType[] {
  return childTypes.get(parent) ?? []
}
