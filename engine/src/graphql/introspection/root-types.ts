/**
 * The root types with all that a role has in them, as introspection lists them (reference/graphql-schema#root-fields,
 * reference/graphql-schema#customization-of-a-source).
 */
import { keptFor } from '../../kept-for.ts'
import { type RootName, rootKey, rootPlace } from '../../model/index.ts'
import { federationFields } from '../types/federation-roots.ts'
import { functionField } from '../types/function-field.ts'
import { mutationField } from '../types/mutation-root.ts'
import { placeholder, type QueryRootMeaning } from '../types/query-root-type.ts'
import { nodeField, relayRootFields } from '../types/relay-root.ts'
import { namespaceTypeName, type RoleSchema, rootField } from '../types/role-schema.ts'
import { streamField } from '../types/stream-types.ts'
import { type Field, type NamedType, namedField, type ObjectType, objectType, refTo } from '../types/type.ts'
import { visibleTable } from '../types/visible-table.ts'
import { oncePerSchemaInSteps } from './once-per-schema.ts'

/** `query_root`, with the placeholder where there is nothing else. */
export const wholeQueryRoot = keptFor((schema: RoleSchema): ObjectType<unknown> => {
  const fields = collect(schema, 'query', queryEntries(schema))
  if (fields.length === 0) return objectType('query_root', null, [placeholder])
  const more = schema.api === 'graphql' ? federationFields(schema.model, schema.role, schema.isEmpty) : []
  return objectType<unknown>('query_root', null, [...fields, ...more])
})

/** `subscription_root`: what a query has, and streams; null where the role has none of it. */
export const wholeSubscriptionRoot = oncePerSchemaInSteps(function* (schema): Steps<ObjectType<unknown> | null> {
  const { model, role } = schema
  const entries: RootEntry<unknown>[] = [...subscriptionEntries(schema)]
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
  const fields = collect(schema, 'subscription', entries)
  return fields.length > 0 ? objectType('subscription_root', null, fields) : null
})

/** `mutation_root`; null where the role has nothing to write or to call. */
export const wholeMutationRoot = oncePerSchemaInSteps(function* (schema): Steps<ObjectType<unknown> | null> {
  const { model } = schema
  const entries: RootEntry<unknown>[] = []
  for (const key of model.roots.mutation.keys()) {
    yield
    const { namespace, name } = rootPlace(key)
    const field = mutationField(schema, namespace, name)
    if (field) entries.push({ namespace, field })
  }
  const fields = collect(schema, 'mutation', entries)
  return fields.length > 0 ? objectType('mutation_root', null, fields) : null
})

/** The functions of the mutation root, those in namespaces as well. */
export const mutationFunctions = keptFor((schema: RoleSchema): readonly Field<QueryRootMeaning>[] =>
  [...schema.model.roots.mutation.values()].flatMap((owner) =>
    'function' in owner ? (functionField(schema.model, schema.role, owner) ?? []) : [],
  ),
)

/** Whether there is one, for the schema that the model keeps: it shall not hold the type. */
export const hasSubscriptionRoot = keptFor((schema: RoleSchema) => wholeSubscriptionRoot({ ...schema }) !== null)

type Steps<T> = Generator<undefined, T>

const streams = (permitted: ReadonlySet<string> | null): boolean => permitted === null || permitted.has('select_stream')

interface RootEntry<M> {
  readonly namespace: string | null
  readonly field: Field<M>
}

function* rootFieldsOf({ api, model, role }: RoleSchema, root: RootName): Steps<RootEntry<QueryRootMeaning>[]> {
  if (api === 'relay')
    return [
      { namespace: null, field: nodeField },
      ...[...relayRootFields(model, role)].map(([key, field]) => ({ namespace: rootPlace(key).namespace, field })),
    ]
  const entries: RootEntry<QueryRootMeaning>[] = []
  const keys =
    root === 'subscription'
      ? [...model.roots.query.keys(), ...model.roots.subscription.keys()]
      : model.roots.query.keys()
  for (const key of new Set(keys)) {
    yield
    const { namespace, name } = rootPlace(key)
    const field = rootField(model, role, namespace, name, root)
    if (field) entries.push({ namespace, field })
  }
  return entries
}

/** What the roots are made of. */
export const queryEntries = oncePerSchemaInSteps((schema) => rootFieldsOf(schema, 'query'))
export const subscriptionEntries = oncePerSchemaInSteps((schema) => rootFieldsOf(schema, 'subscription'))

/** Returns the fields of a root. Those in a namespace become fields of its type. */
function collect(
  { model, backendOnly }: RoleSchema,
  root: RootName,
  entries: readonly RootEntry<unknown>[],
): readonly Field<unknown>[] {
  const fields: Field<unknown>[] = []
  const spaces = new Map<string, Field<unknown>[]>()
  for (const { namespace, field } of entries) {
    const space = namespace === null ? fields : (spaces.get(namespace) ?? [])
    if (namespace !== null) spaces.set(namespace, space)
    space.push(field)
  }
  for (const [namespace, inside] of spaces) {
    const name = namespaceTypeName(model, namespace, root, backendOnly)
    if (name !== null) fields.push(namedField(namespace, null, refTo(objectType(name, null, inside)), null))
  }
  return fields
}

/** The fields that queries may select, those in namespaces as well. */
export const queryRootFields = keptFor((schema: RoleSchema): readonly Field<QueryRootMeaning>[] =>
  queryEntries(schema).map(({ field }) => field),
)

/** The types of the namespaces in all roots. */
export const namespaceTypes = keptFor((schema: RoleSchema): readonly NamedType[] => {
  const fields = [wholeQueryRoot(schema), wholeMutationRoot(schema), wholeSubscriptionRoot(schema)].flatMap((root) => [
    ...(root?.fields.values() ?? []),
  ])
  return fields.flatMap(({ name, type }) => {
    if (type.kind !== 'named' || !schema.model.namespaces.has(name)) return []
    return [type.find(schema)]
  })
})
