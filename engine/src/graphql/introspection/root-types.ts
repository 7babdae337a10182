/**
 * The root types with all that a role has in them, as introspection lists them (reference/graphql-schema#root-fields,
 * reference/graphql-schema#customization-of-a-source).
 */
import { rootKey } from '../../model/index.ts'
import { federationFields } from '../types/federation-roots.ts'
import { mutationField } from '../types/mutation-root.ts'
import { namespaceField, placeholder, type QueryRootMeaning } from '../types/query-root-type.ts'
import { nodeField, relayRootFields } from '../types/relay-root.ts'
import { namespaceTypeName, type RoleSchema, type RootName, rootField } from '../types/role-schema.ts'
import { streamField } from '../types/stream-types.ts'
import { type Field, type NamedType, type ObjectType, objectType, refTo } from '../types/type.ts'
import { visibleTable } from '../types/visible-table.ts'
import { oncePerSchema, oncePerSchemaInSteps } from './once-per-schema.ts'

/** `query_root`, with the placeholder where there is nothing else. */
export const wholeQueryRoot = oncePerSchema((schema): ObjectType<QueryRootMeaning> => {
  const fields = collect<Field<QueryRootMeaning>>(schema, 'query', queryEntries(schema), (name, type) =>
    namespaceField(name, type as ObjectType<QueryRootMeaning>),
  )
  if (fields.length === 0) return rootType('query_root', [placeholder])
  const more = schema.api === 'graphql' ? federationFields(schema.model, schema.role, schema.isEmpty) : []
  return rootType('query_root', [...fields, ...more])
})

/** `subscription_root`: what a query has, and streams; null where the role has none of it. */
export const wholeSubscriptionRoot = oncePerSchemaInSteps(function* (schema): Steps<ObjectType<unknown> | null> {
  const { model, role } = schema
  const entries: RootEntry<Field<unknown>>[] = [...subscriptionEntries(schema)]
  const names = new Set(entries.map(({ namespace, field }) => rootKey({ namespace }, field.name)))
  if (schema.api === 'graphql' && !model.input.settings.hideStreamFields)
    for (const id of model.tables.keys()) {
      yield
      const table = visibleTable(model, role, id)
      const field = table && streams(table.subscriptionRootFields) ? streamField(table) : null
      if (!table || !field) continue
      const { namespace } = table.table.naming
      // a table may have that name; streams are nothing that a query could miss
      if (!names.has(rootKey({ namespace }, field.name))) entries.push({ namespace, field })
    }
  const fields = collect(schema, 'subscription', entries, (name, type) => ({
    name,
    description: null,
    args: new Map(),
    type: refTo(type),
    meaning: null,
  }))
  return fields.length > 0 ? rootType('subscription_root', fields) : null
})

/** `mutation_root`; null where the role has nothing to write or to call. */
export const wholeMutationRoot = oncePerSchemaInSteps(function* (schema): Steps<ObjectType<QueryRootMeaning> | null> {
  const { model } = schema
  const entries: RootEntry<Field<QueryRootMeaning>>[] = []
  for (const key of model.roots.mutation.keys()) {
    yield
    const namespace = namespaceOf(key)
    const field = mutationField(schema, namespace, key.slice(key.indexOf('.') + 1))
    if (field) entries.push({ namespace, field })
  }
  const fields = collect<Field<QueryRootMeaning>>(schema, 'mutation', entries, (name, type) =>
    namespaceField(name, type as ObjectType<QueryRootMeaning>),
  )
  return fields.length > 0 ? rootType('mutation_root', fields) : null
})

/** The functions of the mutation root, those in namespaces as well. */
export const mutationFunctions = oncePerSchema((schema): readonly Field<QueryRootMeaning>[] =>
  [...schema.model.roots.mutation].flatMap(([key, owner]) =>
    'function' in owner ? (mutationField(schema, namespaceOf(key), key.slice(key.indexOf('.') + 1)) ?? []) : [],
  ),
)

/** Whether there is one, for the schema that the model keeps: it shall not hold the type. */
export const hasSubscriptionRoot = oncePerSchema((schema) => wholeSubscriptionRoot({ ...schema }) !== null)

type Steps<T> = Generator<undefined, T>

const streams = (permitted: ReadonlySet<string> | null): boolean => permitted === null || permitted.has('select_stream')

interface RootEntry<F> {
  readonly namespace: string | null
  readonly field: F
}

function* rootFieldsOf({ api, model, role }: RoleSchema, root: RootName): Steps<RootEntry<Field<QueryRootMeaning>>[]> {
  if (api === 'relay')
    return [
      { namespace: null, field: nodeField },
      ...[...relayRootFields(model, role)].map(([key, field]) => ({ namespace: namespaceOf(key), field })),
    ]
  const entries: RootEntry<Field<QueryRootMeaning>>[] = []
  const keys =
    root === 'subscription'
      ? [...model.roots.query.keys(), ...model.roots.subscription.keys()]
      : model.roots.query.keys()
  for (const key of new Set(keys)) {
    yield
    const namespace = namespaceOf(key)
    const field = rootField(model, role, namespace, key.slice(key.indexOf('.') + 1), root)
    if (field) entries.push({ namespace, field })
  }
  return entries
}

/** What the roots are made of. */
export const queryEntries = oncePerSchemaInSteps((schema) => rootFieldsOf(schema, 'query'))
export const subscriptionEntries = oncePerSchemaInSteps((schema) => rootFieldsOf(schema, 'subscription'))

/** Of a `rootKey`. */
function namespaceOf(key: string): string | null {
  const dot = key.indexOf('.')
  return dot < 0 ? null : key.slice(0, dot)
}

/** Those in a namespace become fields of its type. */
function collect<F extends Field<unknown>>(
  { model, backendOnly }: RoleSchema,
  root: RootName,
  entries: readonly RootEntry<F>[],
  wrap: (name: string, type: ObjectType<unknown>) => F,
): readonly F[] {
  const fields: F[] = []
  const spaces = new Map<string, F[]>()
  for (const { namespace, field } of entries) {
    const space = namespace === null ? fields : (spaces.get(namespace) ?? [])
    if (namespace !== null) spaces.set(namespace, space)
    space.push(field)
  }
  for (const [namespace, inside] of spaces) {
    const name = namespaceTypeName(model, namespace, root, backendOnly)
    if (name !== null) fields.push(wrap(namespace, rootType(name, inside)))
  }
  return fields
}

const rootType = <M>(name: string, fields: readonly Field<M>[]): ObjectType<M> => objectType(name, null, fields)

/** The fields that queries may select, those in namespaces as well. */
export const queryRootFields = oncePerSchema((schema): readonly Field<QueryRootMeaning>[] =>
  queryEntries(schema).map(({ field }) => field),
)

/** The types of the namespaces in all roots. */
export const namespaceTypes = oncePerSchema((schema): readonly NamedType[] => {
  const fields = [wholeQueryRoot(schema), wholeMutationRoot(schema), wholeSubscriptionRoot(schema)].flatMap((root) => [
    ...(root?.fields.values() ?? []),
  ])
  return fields.flatMap(({ name, type }) => {
    if (type.kind !== 'named' || !schema.model.namespaces.has(name)) return []
    return [type.find(schema)]
  })
})
