/** Native queries and logical models; stored queries, the allow-list and REST endpoints. */
import { asItem, type Document, type Item, isItem, items, named, nameOf, present, remove } from '../plain-document.ts'
import { Refusal, type Rules } from '../rule.ts'
import { needSource } from './tables.ts'

const filled = (value: unknown): unknown =>
  (Array.isArray(value) && value.length === 0) || (isItem(value) && Object.keys(value).length === 0) ? undefined : value

const fieldsOf = (given: unknown): Item[] =>
  ((given ?? []) as Item[]).map(({ name, type, nullable = false, description }) =>
    present({ name, type: isItem(type) ? { nullable: false, ...type } : { scalar: type, nullable }, description }),
  )

const relationshipsOf = (given: unknown): unknown =>
  filled(
    ((given ?? []) as Item[]).map((one) => {
      const manual = asItem(asItem(one.using).manual_configuration)
      const remote_table = manual.remote_table === undefined ? undefined : nameOf(manual.remote_table)
      return { ...one, using: { manual_configuration: present({ insertion_order: null, ...manual, remote_table }) } }
    }),
  )

function nativeQueryOf({ source: _, ...given }: Item): Item {
  const { returns } = given
  const declared = Object.entries(asItem(given.arguments)).map(([name, one]) => [
    name,
    { nullable: false, ...asItem(one) },
  ])
  return present({
    ...given,
    arguments: filled(Object.fromEntries(declared)),
    returns: isItem(returns)
      ? present({
          ...returns,
          fields: fieldsOf(returns.fields),
          select_permissions: filled(returns.select_permissions),
        })
      : returns,
    object_relationships: relationshipsOf(given.object_relationships),
    array_relationships: relationshipsOf(given.array_relationships),
  })
}

const modelOf = ({ source: _, fields, ...given }: Item): Item => ({ ...given, fields: fieldsOf(fields) })

/** The permissions of a logical model, or of the one that a native query writes in place. */
function permissionsOf(document: Document, args: Item): { readonly list: Item[]; put(list: Item[]): void } {
  const source = needSource(document, args)
  if (args.type === 'native_query') {
    const query = named(items(source, 'native_queries'), 'root_field_name', args.name)
    if (!query || !isItem(query.returns)) throw new Refusal('not-found')
    const returns = query.returns
    const list = [...((returns.select_permissions ?? []) as Item[])]
    return {
      list,
      put: (now) => {
        query.returns = present({ fields: returns.fields, select_permissions: filled(now) })
      },
    }
  }
  const model = named(items(source, 'logical_models'), 'name', args.name)
  if (!model) throw new Refusal('not-found')
  return {
    list: [...items(model, 'select_permissions')],
    put: (now) => {
      model.select_permissions = now.toSorted((a, b) => (String(a.role) < String(b.role) ? -1 : 1))
      if (now.length === 0) delete model.select_permissions
    },
  }
}

export const nativeRules: Rules = {
  track_native_query(document, args, { may }) {
    const list = items(needSource(document, args), 'native_queries')
    if (named(list, 'root_field_name', args.root_field_name)) throw new Refusal('already-tracked')
    may('validation-failed')
    list.push(nativeQueryOf(args))
  },
  update_native_query(document, args, { may }) {
    const list = items(needSource(document, args), 'native_queries')
    if (!remove(list, named(list, 'root_field_name', args.root_field_name))) throw new Refusal('not-found')
    may('validation-failed')
    list.push(nativeQueryOf(args))
  },
  untrack_native_query(document, args) {
    const list = items(needSource(document, args), 'native_queries')
    if (!remove(list, named(list, 'root_field_name', args.root_field_name))) throw new Refusal('not-found')
  },
  track_logical_model(document, args) {
    const list = items(needSource(document, args), 'logical_models')
    if (named(list, 'name', args.name)) throw new Refusal('already-tracked')
    list.push(modelOf(args))
  },
  update_logical_model(document, args) {
    const list = items(needSource(document, args), 'logical_models')
    const known = named(list, 'name', args.name)
    if (!known) throw new Refusal('not-found')
    remove(list, known)
    list.push({ ...modelOf(args), ...present({ select_permissions: known.select_permissions }) })
  },
  untrack_logical_model(document, args) {
    const list = items(needSource(document, args), 'logical_models')
    if (!remove(list, named(list, 'name', args.name))) throw new Refusal('not-found')
  },
  create_logical_model_select_permission(document, args) {
    const { list, put } = permissionsOf(document, args)
    if (args.role === 'admin' || named(list, 'role', args.role)) throw new Refusal('already-exists')
    put([...list, present({ role: args.role, permission: args.permission, comment: args.comment })])
  },
  drop_logical_model_select_permission(document, args) {
    const { list, put } = permissionsOf(document, args)
    if (!remove(list, named(list, 'role', args.role))) throw new Refusal('not-found')
    put(list)
  },
}

function needCollection(document: Document, name: unknown): Item {
  const found = named(items(document, 'query_collections'), 'name', name)
  if (!found) throw new Refusal('not-exists')
  return found
}

const queriesOf = (collection: Item): Item[] => items(asItem(collection.definition), 'queries')

function needEntry(document: Document, collection: unknown): Item {
  needCollection(document, collection)
  const found = named(items(document, 'allowlist'), 'collection', collection)
  if (!found) throw new Refusal('not-found')
  return found
}

export const storedQueryRules: Rules = {
  create_query_collection(document, args) {
    const list = items(document, 'query_collections')
    if (named(list, 'name', args.name)) throw new Refusal('already-exists')
    const queries = (asItem(args.definition).queries ?? []) as Item[]
    if (new Set(queries.map(({ name }) => name)).size < queries.length) throw new Refusal('not-supported')
    list.push(structuredClone(args))
  },
  rename_query_collection(document, args) {
    const found = needCollection(document, args.name)
    if (named(items(document, 'query_collections'), 'name', args.new_name)) throw new Refusal('already-exists')
    found.name = args.new_name
  },
  drop_query_collection(document, args) {
    const found = needCollection(document, args.collection)
    const list = items(document, 'allowlist')
    const entry = named(list, 'collection', args.collection)
    if (entry && args.cascade !== true) throw new Refusal('dependency-error')
    remove(list, entry)
    remove(items(document, 'query_collections'), found)
  },
  add_query_to_collection(document, args) {
    const queries = queriesOf(needCollection(document, args.collection_name))
    if (named(queries, 'name', args.query_name)) throw new Refusal('already-exists')
    queries.push({ name: args.query_name, query: args.query })
  },
  drop_query_from_collection(document, args) {
    const queries = queriesOf(needCollection(document, args.collection_name))
    if (!remove(queries, named(queries, 'name', args.query_name))) throw new Refusal('not-found')
  },
  add_collection_to_allowlist(document, args) {
    needCollection(document, args.collection)
    const list = items(document, 'allowlist')
    if (!named(list, 'collection', args.collection))
      list.push({ collection: args.collection, scope: args.scope ?? { global: true } })
  },
  update_scope_of_collection_in_allowlist(document, args) {
    needEntry(document, args.collection).scope = args.scope
  },
  drop_collection_from_allowlist(document, args) {
    remove(items(document, 'allowlist'), needEntry(document, args.collection))
  },
  create_rest_endpoint(document, args) {
    const list = items(document, 'rest_endpoints')
    if (named(list, 'name', args.name)) throw new Refusal('already-exists')
    list.push(present({ ...args }))
  },
  drop_rest_endpoint(document, args) {
    const list = items(document, 'rest_endpoints')
    if (!remove(list, named(list, 'name', args.name))) throw new Refusal('not-exists')
  },
}
