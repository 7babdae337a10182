import { once } from '../../kept-for.ts'
import {
  generatedType,
  type Model,
  type NativeQueryField,
  type QueryFieldOwner,
  type RootName,
  rootKey,
  type TableId,
} from '../../model/index.ts'
import { adminRole } from '../../session.ts'
import { actionField } from './action-types.ts'
import { hasPredicates } from './aggregate-predicate-types.ts'
import { federationFields } from './federation-roots.ts'
import { functionField } from './function-field.ts'
import { holdTypes } from './hold-types.ts'
import { makeWriteTypes } from './make-write-types.ts'
import { hasMutations, mutationField } from './mutation-root.ts'
import {
  namespaceField,
  nativeQueryFieldOf,
  ownRootField,
  type QueryRootMeaning,
  rootFieldOf,
  rootFieldVisible,
  rootTypeOf,
} from './query-root-type.ts'
import { nodeField, relayRootFields } from './relay-root.ts'
import { remoteRootField } from './remote-roots.ts'
import { remoteTypeFinder } from './remote-type-joins.ts'
import type { RoleTable } from './role-table.ts'
import { type Api, makeTableTypes, type TableTypes } from './table-types.ts'
import type { Field, ObjectType, TypeSource } from './type.ts'
import { introspects, visibleTable, writableTable } from './visible-table.ts'
import { visibleRemotes, visibleTargets } from './visible-targets.ts'
import type { WriteTable } from './write-table.ts'
import type { WriteTypes } from './write-types.ts'

/** What one role sees of one model. Nothing in it is made before a request needs it. */
export interface RoleSchema extends TypeSource {
  readonly api: Api
  readonly role: string
  readonly model: Model
  /** `query_root` as the planner reads it: fields are found by name. */
  readonly queryRoot: ObjectType<QueryRootMeaning>
  /** `mutation_root` as the planner reads it. */
  readonly mutationRoot: ObjectType<QueryRootMeaning>
  /** Whether permissions that are for backends only count (reference/permissions#effect-on-the-schema). */
  readonly backendOnly: boolean
  /** Whether the role has any mutation. */
  hasMutations(): boolean
  visibleTable(id: TableId): RoleTable | undefined
  writeTable(id: TableId): WriteTable | undefined
  /** No table has a root field for this role: the placeholder is all it has (reference/graphql-schema#root-fields). */
  isEmpty(): boolean
}

const schemas: Record<Api, WeakMap<Model, Map<string, RoleSchema>>> = {
  graphql: new WeakMap(),
  relay: new WeakMap(),
}
const backendSchemas: typeof schemas = { graphql: new WeakMap(), relay: new WeakMap() }

/** Returns the schema of a role, cached with the model, except for roles that no metadata names. */
export function roleSchema(model: Model, role: string, api: Api = 'graphql', backendOnly = false): RoleSchema {
  const kept = (backendOnly ? backendSchemas : schemas)[api]
  const ofModel = kept.get(model) ?? new Map<string, RoleSchema>()
  kept.set(model, ofModel)
  const known = ofModel.get(role)
  if (known) return known
  const made = makeRoleSchema(model, role, api, backendOnly)
  // a role is any text in a header: only those that metadata names are cached
  if (role === adminRole || model.roles.has(role)) ofModel.set(role, made)
  return made
}

function makeRoleSchema(model: Model, role: string, api: Api, backendOnly: boolean): RoleSchema {
  const made = new Map<TableId, WeakRef<TableTypes>>()
  const writes = new Map<TableId, WeakRef<WriteTypes>>()
  // `node` is always there
  const isEmpty = api === 'relay' ? () => false : once(() => !hasRootField(model, role))
  const schema: RoleSchema = {
    api,
    role,
    model,
    backendOnly,
    mutationRoot: rootTypeOf(
      'mutation_root',
      (name) => mutationField(schema, null, name) ?? mutationNamespace(schema, name),
    ),
    hasMutations: once(() => hasMutations(schema)),
    visibleTable: (id) => visibleTable(model, role, id),
    writeTable: (id) => writableTable(model, role, id, backendOnly),
    writeTypes(id) {
      const known = writes.get(id)?.deref()
      if (known) return known
      const types = writeTypesOf(schema, id)
      if (types) writes.set(id, new WeakRef(types))
      return types
    },
    remoteType: remoteTypeFinder({ model, role, visibleTable: (id) => visibleTable(model, role, id) }),
    queryRoot: api === 'relay' ? relayRoot(model, role) : queryRoot(model, role, isEmpty),
    isEmpty,
    tableTypes(id) {
      const known = made.get(id)?.deref()
      if (known) return holdTypes(known)
      const types = tableTypesOf(model, role, id, api)
      if (!types) return undefined
      made.set(id, new WeakRef(types))
      return holdTypes(types)
    },
  }
  return schema
}

function queryRoot(model: Model, role: string, isEmpty: () => boolean): ObjectType<QueryRootMeaning> {
  const federation = once(() => federationFields(model, role, isEmpty))
  return rootTypeOf(
    'query_root',
    (name) =>
      ownRootField(name, introspects(model, role), isEmpty) ??
      rootField(model, role, null, name) ??
      namespaceOf(model, role, name) ??
      federation().find((field) => field.name === name),
  )
}

function relayRoot(model: Model, role: string): ObjectType<QueryRootMeaning> {
  let made: ReadonlyMap<string, Field<QueryRootMeaning>> | undefined
  const find = (namespace: string | null) => (name: string) => {
    made ??= relayRootFields(model, role)
    return made.get(rootKey({ namespace }, name))
  }
  const inside = (namespace: string): Field<QueryRootMeaning> | undefined => {
    const name = namespaceTypeName(model, namespace, 'query')
    const isAny = [...(made?.keys() ?? [])].some((key) => key.startsWith(`${namespace}.`))
    return name !== null && isAny ? namespaceField(namespace, rootTypeOf(name, find(namespace))) : undefined
  }
  return rootTypeOf('query_root', (name) => {
    const own = name === nodeField.name ? nodeField : ownRootField(name, introspects(model, role), () => false)
    return own ?? find(null)(name) ?? inside(name)
  })
}

/** A field of Relay's root, of those in a namespace or outside of all. */
export function relayRootField(
  { model, role }: RoleSchema,
  namespace: string | null,
  name: string,
): Field<QueryRootMeaning> | undefined {
  if (namespace === null && name === nodeField.name) return nodeField
  return relayRootFields(model, role).get(rootKey({ namespace }, name))
}

/** A root field of a table, function or native query, of those in a namespace or outside of all. */
export function rootField(
  model: Model,
  role: string,
  namespace: string | null,
  name: string,
  root: RootName = 'query',
): Field<QueryRootMeaning> | undefined {
  const key = rootKey({ namespace }, name)
  const owner = (root === 'subscription' ? model.roots.subscription.get(key) : undefined) ?? model.roots.query.get(key)
  const field = owner && ownedField(model, role, owner, name, root)
  return field && (root !== 'subscription' || isSubscribed(model, field.meaning)) ? field : undefined
}

/** Whether subscriptions have what queries have of a source, stored procedures aside. */
function isSubscribed({ tables, input }: Model, meaning: QueryRootMeaning): boolean {
  if (meaning.kind === 'native-query' && meaning.query.procedure) return false
  const source = (name: string | undefined) => input.sources.get(name ?? '')?.backend
  const backend =
    meaning.kind === 'table'
      ? source(tables.get(meaning.table)?.source)
      : meaning.kind === 'function'
        ? source(meaning.function.source)
        : meaning.kind === 'native-query'
          ? source(meaning.query.source)
          : null
  return backend?.types.features.subscriptions.status !== 'absent'
}

function ownedField(
  model: Model,
  role: string,
  owner: QueryFieldOwner,
  name: string,
  root: RootName,
): Field<QueryRootMeaning> | undefined {
  switch (owner.kind) {
    case 'select':
    case 'select_by_pk':
    case 'select_one':
    case 'select_aggregate': {
      const table = visibleTable(model, role, owner.table)
      const shown = root === 'query' ? table?.queryRootFields : table?.subscriptionRootFields
      return table && rootFieldVisible(table, owner.kind, shown) ? rootFieldOf(table, name, owner.kind) : undefined
    }
    case 'function':
    case 'function_aggregate':
      return functionField(model, role, owner)
    case 'native_query':
    case 'stored_procedure':
      return nativeQueryField(model, role, owner)
    case 'action':
      return actionField(roleSchema(model, role), root, owner.action)
    case 'remote': {
      const isOwn = root === 'query' || model.roots.subscription.get(name)?.kind === 'remote'
      return isOwn ? remoteRootField(model, role, root, owner) : undefined
    }
  }
}

/**
 * The field of a namespace; undefined where the role has nothing in it
 * (reference/graphql-schema#customization-of-a-source).
 */
function namespaceOf(model: Model, role: string, namespace: string): Field<QueryRootMeaning> | undefined {
  const name = namespaceTypeName(model, namespace, 'query')
  if (name === null || !isAnyIn(model, role, namespace)) return undefined
  return namespaceField(
    namespace,
    rootTypeOf(name, (field) => rootField(model, role, namespace, field)),
  )
}

/** Returns the field of a namespace in the mutation root; undefined where the role has nothing in it. */
function mutationNamespace(schema: RoleSchema, namespace: string): Field<QueryRootMeaning> | undefined {
  const name = namespaceTypeName(schema.model, namespace, 'mutation', schema.backendOnly)
  if (name === null || !hasMutations(schema, namespace)) return undefined
  return namespaceField(
    namespace,
    rootTypeOf(name, (field) => mutationField(schema, namespace, field)),
  )
}

/** `<p>ns_query<s>`; null where there is no such namespace. */
export function namespaceTypeName(model: Model, namespace: string, root: RootName, backendOnly = false): string | null {
  const [first] = model.namespaces.get(namespace) ?? []
  const table = first === undefined ? undefined : model.tables.get(first)
  const pieces = root === 'mutation' ? ['mutation', backendOnly ? 'backend' : 'frontend'] : [root]
  return table ? generatedType(table.naming, { custom: namespace }, ...pieces) : null
}

function isAnyIn(model: Model, role: string, namespace: string): boolean {
  for (const id of model.namespaces.get(namespace) ?? []) {
    const table = visibleTable(model, role, id)
    if (table && model.tables.get(id)?.rootFields.some(({ kind }) => rootFieldVisible(table, kind))) return true
  }
  for (const [key, owner] of model.roots.query)
    if ('function' in owner && key.startsWith(`${namespace}.`) && functionField(model, role, owner)) return true
  return false
}

function hasRootField(model: Model, role: string): boolean {
  for (const [key, owner] of model.roots.query) if (ownedField(model, role, owner, key, 'query')) return true
  return false
}

/**
 * The root field of a native query, for the roles that may select from its logical model
 * (reference/database-objects#native-queries).
 */
function nativeQueryField(model: Model, role: string, owner: NativeQueryField): Field<QueryRootMeaning> | undefined {
  const query = model.nativeQueries.get(owner.query)
  const table = query && visibleTable(model, role, query.rows)
  return query && table && nativeQueryFieldOf(query, table)
}

function writeTypesOf(schema: RoleSchema, id: TableId): WriteTypes | undefined {
  const table = schema.writeTable(id)
  if (!table) return undefined
  const predicates = hasPredicates(schema.model.input.settings, table.types)
  const selected = schema.tableTypes(id) ?? makeTableTypes(schema.api, table.select, new Map(), predicates)
  return makeWriteTypes(table, selected, writeTargets(schema, table))
}

/** Returns the tables that rows may be inserted into along with one of this table (reference/mutations#insert). */
function writeTargets(schema: RoleSchema, { table, types }: WriteTable): ReadonlyMap<string, WriteTable> {
  const targets = new Map<string, WriteTable>()
  if (!types.features.mutations?.nestedInserts) return targets
  for (const [name, relationship] of table.relationships) {
    if (!relationship.inGraphql || relationship.query) continue
    const target = schema.writeTable(relationship.target)
    if (target?.insert) targets.set(name, target)
  }
  return targets
}

function tableTypesOf(model: Model, role: string, id: TableId, api: Api): TableTypes | undefined {
  const table = visibleTable(model, role, id)
  if (!table) return undefined
  const targets = visibleTargets(model, role, table)
  const remotes = visibleRemotes(model, role, table)
  return makeTableTypes(api, table, targets, hasPredicates(model.input.settings, table.types), remotes)
}
