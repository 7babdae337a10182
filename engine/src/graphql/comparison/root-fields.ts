import { keptFor } from '../../kept-for.ts'
import { type Model, type RootName, rootPlace, type TableId } from '../../model/index.ts'
import { federationFields } from '../types/federation-roots.ts'
import { mutationField } from '../types/mutation-root.ts'
import { type RoleSchema, rootField } from '../types/role-schema.ts'
import { streamField } from '../types/stream-types.ts'
import type { Field } from '../types/type.ts'

/** A field of a root type, or of the type of a namespace in it. */
export interface RootField {
  readonly root: RootName
  readonly namespace: string | null
  readonly field: Field<unknown>
}

/** The root fields of a table that a role has. */
export function tableRootFields(schema: RoleSchema, id: TableId): readonly RootField[] {
  const { model, role } = schema
  const table = model.tables.get(id)
  if (!table) return []
  const { namespace } = table.naming
  const found: RootField[] = []
  const add = (root: RootName, field: Field<unknown> | null | undefined) => {
    if (field) found.push({ root, namespace, field })
  }
  for (const { name } of table.rootFields)
    for (const root of ['query', 'subscription'] as const) add(root, rootField(model, role, namespace, name, root))
  const visible = schema.visibleTable(id)
  if (table.streamField && visible && !model.input.settings.hideStreamFields) {
    const { name } = table.streamField
    const permitted = visible.subscriptionRootFields?.has('select_stream') ?? true
    if (permitted && !rootField(model, role, namespace, name, 'subscription')) add('subscription', streamField(visible))
  }
  for (const { name } of table.mutationFields) add('mutation', mutationField(schema, namespace, name))
  return found
}

/** Returns by `rootKey` the fields of a root that are of no table. Models share a root that nothing changed. */
const keysOfOthers = keptFor((root: Model['roots'][RootName]): readonly string[] => {
  const keys: string[] = []
  for (const [key, owner] of root) if (!('table' in owner)) keys.push(key)
  return keys
})

/** Returns the root fields of functions, native queries, actions, remote schemas and federation. */
export function otherRootFields(schema: RoleSchema): readonly RootField[] {
  const { model, role } = schema
  const found = new Map<string, RootField>()
  const add = (root: RootName, key: string, field: Field<unknown> | undefined) => {
    if (field) found.set(`${root} ${key}`, { root, namespace: rootPlace(key).namespace, field })
  }
  const roots = ['query', 'mutation', 'subscription'] as const
  const others = roots.flatMap((root) => keysOfOthers(model.roots[root]).map((key) => ({ root, key })))
  for (const { root, key } of others) {
    const { namespace, name } = rootPlace(key)
    if (root === 'mutation') add(root, key, mutationField(schema, namespace, name))
    else
      for (const shown of ['query', 'subscription'] as const)
        if (root === 'query' || shown === root) add(shown, key, rootField(model, role, namespace, name, shown))
  }
  for (const field of federationFields(model, role, schema.isEmpty)) add('query', field.name, field)
  return [...found.values()]
}

/** Whether a role has any field of a root, or of a namespace in it; null: of either. */
export function hasAnyRootField(schema: RoleSchema, root: RootName, namespace: string | null): boolean {
  const { model, role } = schema
  const isInside = (of: string | null) => namespace === null || of === namespace
  const places = (of: RootName) => [...model.roots[of].keys()].map(rootPlace).filter((one) => isInside(one.namespace))
  if (root === 'mutation') return places(root).some((one) => mutationField(schema, one.namespace, one.name))
  const of = root === 'query' ? places('query') : [...places('query'), ...places('subscription')]
  if (of.some((one) => rootField(model, role, one.namespace, one.name, root))) return true
  if (root === 'query' || model.input.settings.hideStreamFields) return false
  return model.tables.some(
    ({ id, naming, streamField: stream }) =>
      stream !== null && isInside(naming.namespace) && tableRootFields(schema, id).some((one) => one.root === root),
  )
}
