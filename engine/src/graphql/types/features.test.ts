import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  buildClientSchema,
  type GraphQLSchema,
  getIntrospectionQuery,
  isEnumType,
  isObjectType,
  printType,
} from 'graphql'
import { type Features, postgres, readsOnly } from '../../backends/index.ts'
import { parseDocument } from '../document/parse-document.ts'
import { IntrospectionCache } from '../introspection/introspection-cache.ts'
import { newPrintContext } from '../introspection/plan-introspection.ts'
import { planOperation } from '../plan/plan-operation.ts'
import { defaultGraphqlSettings as settings } from '../settings.ts'
import { storeModel } from '../store.fixture.ts'
import { roleSchema } from './role-schema.ts'

const withFeatures = (features: Partial<Features>) =>
  roleSchema(storeModel({ types: { ...postgres.types, features: { ...readsOnly, ...features } } }), 'admin')

const plan = (schema: ReturnType<typeof withFeatures>, query: string) => {
  const document = parseDocument(query, settings)
  return planOperation({ document, operationName: null, variables: {} }, schema, settings).roots[0]
}

async function printed(features: Partial<Features>): Promise<GraphQLSchema> {
  const schema = withFeatures(features)
  const root = plan(schema, getIntrospectionQuery())
  if (root?.kind !== 'introspection') throw new Error('no introspection')
  const pieces = await root.answer(
    newPrintContext(schema, new IntrospectionCache(1e7), { ...settings, maxIntrospectionSize: 1e8 }),
  )
  return buildClientSchema({ __schema: JSON.parse(Buffer.concat(pieces).toString()) })
}

const fieldsOf = (schema: GraphQLSchema, name: string): readonly string[] => {
  const type = schema.getType(name)
  return isObjectType(type) ? Object.keys(type.getFields()) : []
}

test('a write has only the operators and arguments of its database', async () => {
  const schema = await printed({
    mutations: { upsert: null, nestedInserts: false, updateMany: false, assignments: ['set', 'inc'] },
  })
  const own = fieldsOf(schema, 'mutation_root').filter((name) => /(insert|update|delete)_artist/.test(name))
  assert.deepEqual(own, [
    'delete_artist',
    'delete_artist_by_pk',
    'insert_artist',
    'insert_artist_one',
    'update_artist',
    'update_artist_by_pk',
  ])
  const root = schema.getMutationType()?.getFields() ?? {}
  const argumentsOf = (field: string) => root[field]?.args.map(({ name }) => name)
  assert.deepEqual(argumentsOf('insert_artist'), ['objects'])
  assert.deepEqual(argumentsOf('update_artist'), ['_inc', '_set', 'where'])
  const names = Object.keys(schema.getTypeMap())
  assert.deepEqual(
    names.filter((name) => /_rel_insert_input$|_on_conflict$|_constraint$|_append_input$/.test(name)),
    [],
  )
})

test('count takes one column where the database counts one, and the aggregates are those it has', async () => {
  const features = { aggregates: { operators: ['max', 'sum'], countOf: 'column', predicates: [] } } as const
  const type = (await printed(features)).getType('artist_aggregate_fields')
  if (!isObjectType(type)) throw new Error('no aggregates')
  assert.deepEqual(Object.keys(type.getFields()), ['count', 'max', 'sum'])
  assert.deepEqual(
    type.getFields().count?.args.map(({ name, type: of }) => `${name}: ${String(of)}`),
    ['column: artist_select_column', 'distinct: Boolean'],
  )
  const root = plan(withFeatures(features), '{ artist_aggregate { aggregate { count(column: id) } } }')
  assert.match(JSON.stringify(root), /"kind":"count","as":"count","of":\[\{"kind":"column","of":"row","name":"id"/)
})

test('an order that does not say where nulls are has them where the database puts them', async () => {
  const nulls = { asc: 'first', desc: 'last' } as const
  const type = (await printed({ nulls })).getType('order_by')
  if (!isEnumType(type)) throw new Error('no order_by')
  assert.match(printType(type), /"""in ascending order, nulls first"""\n {2}asc\n/)
  const orderOf = (schema: ReturnType<typeof withFeatures>) => {
    const root = plan(schema, '{ track(order_by: [{ id: asc }, { name: desc }, { price: asc_nulls_last }]) { id } }')
    const found = root?.kind === 'database' && root.query.kind === 'rows' ? root.query.rows.orderBy : []
    return found.map(({ direction, nulls: at }) => `${direction} ${at}`)
  }
  assert.deepEqual(orderOf(withFeatures({ nulls })), ['asc first', 'desc last', 'asc last'])
  assert.deepEqual(orderOf(withFeatures({})), ['asc last', 'desc first', 'asc last'])
})

test('a subscription has the fields of a query where it is refused, and none where the database has no subscriptions', async () => {
  const refused = { status: 'refused', reason: 'no', explain: 'nor this' } as const
  assert.ok(fieldsOf(await printed({ subscriptions: refused }), 'subscription_root').includes('artist'))
  assert.equal((await printed({ subscriptions: { status: 'absent' } })).getSubscriptionType() ?? null, null)
})
