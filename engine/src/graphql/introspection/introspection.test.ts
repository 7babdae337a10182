import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  buildClientSchema,
  type GraphQLNamedType,
  type GraphQLSchema,
  getIntrospectionQuery,
  isInputObjectType,
  isObjectType,
  printSchema,
  validateSchema,
} from 'graphql'
import { ApiError } from '../../errors.ts'
import type { Model } from '../../model/index.ts'
import { parseDocument } from '../document/parse-document.ts'
import { planOperation } from '../plan/plan-operation.ts'
import { defaultGraphqlSettings as settings } from '../settings.ts'
import { storeModel, tables } from '../store.fixture.ts'
import { roleSchema } from '../types/role-schema.ts'
import { IntrospectionCache } from './introspection-cache.ts'
import { newPrintContext } from './plan-introspection.ts'

const model = storeModel()
const standard = getIntrospectionQuery({
  specifiedByUrl: true,
  directiveIsRepeatable: true,
  schemaDescription: true,
  descriptions: true,
})

interface Options {
  readonly role?: string
  readonly variables?: Readonly<Record<string, unknown>>
  readonly of?: Model
  readonly texts?: IntrospectionCache
  readonly maxSize?: number
}

async function introspect(query: string, options: Options = {}): Promise<string> {
  const { role = 'admin', variables = {}, of = model, texts = new IntrospectionCache(1e7) } = options
  const schema = roleSchema(of, role)
  const document = parseDocument(query, settings)
  const [root] = planOperation({ document, operationName: null, variables }, schema, settings).roots
  if (root?.kind !== 'introspection') throw new Error('no introspection')
  const pieces = await root.answer(
    newPrintContext(schema, texts, { ...settings, maxIntrospectionSize: options.maxSize ?? 1e8 }),
  )
  return Buffer.concat(pieces).toString()
}

const clientSchema = async (role: string, of = model): Promise<GraphQLSchema> =>
  buildClientSchema({ __schema: JSON.parse(await introspect(standard, { role, of })) })

for (const role of ['admin', 'user', 'guest', 'stranger'])
  test(`graphql-js builds a valid schema from what ${role} sees`, async () => {
    assert.deepEqual(validateSchema(await clientSchema(role)), [])
  })

test('the printed schema of a role is this', async () => {
  const printed = printSchema(await clientSchema('user'))
    .replaceAll(/ *"""[\s\S]*?"""\n/g, '')
    .replaceAll(/\n\n+/g, '\n')
  for (const expected of [
    'type query_root {\n  album(\n    distinct_on: [album_select_column!]\n    limit: Int\n    offset: Int\n    order_by: [album_order_by!]\n    where: album_bool_exp\n  ): [album!]!\n  album_by_pk(id: Int!): album\n',
    'type album {\n  artist: artist!\n  artist_id: Int!\n  id: Int!\n  title: String!\n}',
    'type artist_aggregate_fields {\n  avg: artist_avg_fields\n  count(columns: [artist_select_column!], distinct: Boolean): Int!\n',
    'type artist_sum_fields {\n  fans: bigint\n  id: Int\n}',
    'type artist_avg_fields {\n  fans: Float\n  id: Float\n}',
    'input artist_bool_exp {\n  _and: [artist_bool_exp!]\n  _not: artist_bool_exp\n  _or: [artist_bool_exp!]\n  albums: album_bool_exp\n  fans: bigint_comparison_exp\n  id: Int_comparison_exp\n  name: String_comparison_exp\n}',
    'input artist_order_by {\n  albums_aggregate: album_aggregate_order_by\n  fans: order_by\n  id: order_by\n  name: order_by\n}',
  ])
    assert.ok(printed.includes(expected), `${expected}\nis missing in\n${printed}`)
  assert.doesNotMatch(printed, /email|track|album_aggregate /)
})

test('json columns show their path, casts their targets', async () => {
  const printed = printSchema(await clientSchema('admin'))
  assert.match(printed, /meta\(\s*"""JSON select path"""\s*path: String\s*\): jsonb/)
  assert.match(printed, /input jsonb_cast_exp {\n {2}String: String_comparison_exp\n}/)
  assert.match(printed, /input String_array_comparison_exp {\n {2}_contained_in: \[String!\]\n/)
  assert.match(printed, / {2}_in: \[\[String!\]!\]\n/)
})

test('a role without tables sees the placeholder', async () => {
  assert.equal(
    await introspect('{ __type(name: "query_root") { fields { name type { kind ofType { name } } } } }', {
      role: 'stranger',
    }),
    '{"fields":[{"name":"no_queries_available","type":{"kind":"NON_NULL","ofType":{"name":"String"}}}]}',
  )
})

test('types, fields, arguments and input fields come sorted by name, and types are there once', async () => {
  const { types } = JSON.parse(
    await introspect('{ __schema { types { name fields { name args { name } } inputFields { name } } } }'),
  )
  const inOrder = (entries: readonly { readonly name: string }[] | null) => {
    const names = (entries ?? []).map(({ name }) => name)
    assert.deepEqual(names, [...new Set(names)].sort())
  }
  inOrder(types)
  for (const type of types) {
    inOrder(type.fields)
    inOrder(type.inputFields)
    for (const field of type.fields ?? []) inOrder(field.args)
  }
})

test('every field and argument that is listed can be used, for every role', async () => {
  for (const role of ['admin', 'user', 'guest']) {
    const schema = roleSchema(model, role)
    const client = await clientSchema(role)
    for (const query of queriesOverEverything(client))
      planOperation({ document: parseDocument(query, settings), operationName: null, variables: {} }, schema, settings)
  }
})

/** Root fields with every argument that can be filled without knowing its type, and every field two levels down. */
function queriesOverEverything(schema: GraphQLSchema): readonly string[] {
  const root = schema.getQueryType()
  assert.ok(root)
  return Object.values(root.getFields()).map((field) => {
    const args = field.args.flatMap(({ name, type }) => {
      const text = argumentText(schema, String(type))
      return text === null ? [] : [`${name}: ${text}`]
    })
    return `{ ${field.name}${args.length > 0 ? `(${args.join(', ')})` : ''} ${selection(schema, String(field.type), 4)} }`
  })
}

const typeNamed = (schema: GraphQLSchema, text: string): GraphQLNamedType | undefined =>
  schema.getType(text.replaceAll(/[[\]!]/g, ''))

function selection(schema: GraphQLSchema, text: string, depth: number): string {
  const type = typeNamed(schema, text)
  if (!isObjectType(type)) return ''
  const fields = Object.values(type.getFields()).flatMap((field) => {
    const inner = typeNamed(schema, String(field.type))
    if (isObjectType(inner) && depth === 0) return []
    return [`${field.name} ${selection(schema, String(field.type), depth - 1)}`]
  })
  return `{ __typename ${fields.join(' ')} }`
}

/** An input object with every field once, relationships left out below the first level. */
function argumentText(schema: GraphQLSchema, text: string, depth = 2): string | null {
  const type = typeNamed(schema, text)
  if (text.replace('!', '') === 'Int') return '1'
  if (type?.name === 'order_by') return 'asc'
  if (type?.name.endsWith('_aggregate_bool_exp')) return '{count: {predicate: {}}}'
  if (!isInputObjectType(type) || depth === 0) return null
  const fields = Object.values(type.getFields()).flatMap((field) => {
    const inner = argumentText(schema, String(field.type), depth - 1)
    return inner === null ? [] : [`${field.name}: ${inner}`]
  })
  return `{${fields.join(', ')}}`
}

test('a type is found by a name in a variable; an unknown or invisible one is null', async () => {
  const query = 'query ($name: String!) { __type(name: $name) { kind name } }'
  const nameOf = (name: string, role = 'user') => introspect(query, { role, variables: { name } })
  assert.equal(await nameOf('artist'), '{"kind":"OBJECT","name":"artist"}')
  assert.equal(await nameOf('Int_comparison_exp'), '{"kind":"INPUT_OBJECT","name":"Int_comparison_exp"}')
  assert.equal(await nameOf('artist_sum_order_by'), '{"kind":"INPUT_OBJECT","name":"artist_sum_order_by"}')
  assert.equal(await nameOf('__Schema'), '{"kind":"OBJECT","name":"__Schema"}')
  assert.equal(await nameOf('nothing'), 'null')
  assert.equal(await nameOf('track'), 'null')
  assert.equal(await nameOf('album_aggregate'), 'null')
})

test('texts kept from an earlier model are used for tables that did not change, and only for those', async () => {
  const texts = new IntrospectionCache(1e7)
  await introspect(standard, { texts })
  const [artist, ...others] = tables
  assert.ok(artist)
  const { array_relationships: _, ...withoutAlbums } = artist
  const changed = storeModel({ previous: model, tables: [withoutAlbums, ...others] })
  const answer = await introspect(standard, { of: changed, texts })
  assert.equal(answer, await introspect(standard, { of: changed }))
  assert.notEqual(answer, await introspect(standard))
})

test('a cache that holds next to nothing gives the same answers', async () => {
  const texts = new IntrospectionCache(1)
  assert.equal(await introspect(standard, { texts }), await introspect(standard))
  assert.equal(await introspect(standard, { texts }), await introspect(standard))
})

test('introspection that multiplies itself is refused', async () => {
  const nested = '{ __schema { types { fields { type { fields { type { fields { name } } } } } } } }'
  await assert.rejects(introspect(nested), /nested too deeply/)
  const lists = Array.from({ length: 5 }, (_, i) => `t${i}: types { name }`).join(' ')
  await assert.rejects(introspect(`{ __schema { ${lists} } }`), /at most 4 times/)
  await assert.rejects(
    introspect(standard, { maxSize: 10_000 }),
    (error) => error instanceof ApiError && error.code === 'validation-failed' && /too large/.test(error.message),
  )
})
