/**
 * `subscription_root` as the planner reads it: what queries have, and streams
 * (reference/graphql-schema#root-fields, reference/subscriptions).
 */
import type { TableId } from '../../model/index.ts'
import { ownRootField, type QueryRootMeaning, rootTypeOf } from './query-root-type.ts'
import { namespaceTypeName, type RoleSchema, relayRootField, rootField } from './role-schema.ts'
import { streamField } from './stream-types.ts'
import { type Field, type ObjectType, refTo } from './type.ts'
import { introspects, visibleTable } from './visible-table.ts'

export type SubscriptionRootMeaning =
  | Exclude<QueryRootMeaning, { readonly kind: 'namespace' }>
  | { readonly kind: 'stream'; readonly table: TableId }
  | { readonly kind: 'space'; readonly type: ObjectType<SubscriptionRootMeaning> }

export const subscriptionRoot = (schema: RoleSchema): ObjectType<SubscriptionRootMeaning> =>
  rootTypeOf<SubscriptionRootMeaning>(
    'subscription_root',
    (name) =>
      withoutSpaces(ownRootField(name, introspects(schema.model, schema.role), () => false)) ??
      find(schema, null, name) ??
      space(schema, name),
  )

function find(schema: RoleSchema, namespace: string | null, name: string): Field<SubscriptionRootMeaning> | undefined {
  const { model, role } = schema
  if (schema.api === 'relay') return withoutSpaces(relayRootField(schema, namespace, name))
  const field =
    withoutSpaces(rootField(model, role, namespace, name, 'subscription')) ?? stream(schema, namespace, name)
  if (field) return field
  // an action of queries is no field of the root: the planner says why when a client requests it
  const query = withoutSpaces(rootField(model, role, namespace, name))
  return query?.meaning.kind === 'action' ? query : undefined
}

function withoutSpaces(field: Field<QueryRootMeaning> | undefined): Field<SubscriptionRootMeaning> | undefined {
  const { meaning } = field ?? {}
  return field && meaning && meaning.kind !== 'namespace' ? { ...field, meaning } : undefined
}

function stream(
  { model, role }: RoleSchema,
  namespace: string | null,
  name: string,
): Field<SubscriptionRootMeaning> | undefined {
  if (model.input.settings.hideStreamFields) return undefined
  for (const [id, { streamField: own, naming }] of model.tables) {
    if (own?.name !== name || naming.namespace !== namespace) continue
    const table = visibleTable(model, role, id)
    const permitted = table?.subscriptionRootFields
    if (!table || (permitted && !permitted.has('select_stream'))) continue
    const field = streamField(table)
    if (field) return { ...field, meaning: { kind: 'stream', table: id } }
  }
  return undefined
}

/** The field of a source's namespace (reference/graphql-schema#customization-of-a-source). */
function space(schema: RoleSchema, namespace: string): Field<SubscriptionRootMeaning> | undefined {
  const name = namespaceTypeName(schema.model, namespace, 'subscription')
  if (name === null) return undefined
  const type = rootTypeOf<SubscriptionRootMeaning>(name, (field) => find(schema, namespace, field))
  return { name: namespace, description: null, args: new Map(), type: refTo(type), meaning: { kind: 'space', type } }
}
