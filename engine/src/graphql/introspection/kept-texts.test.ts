import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '@svc/schema'
import { getIntrospectionQuery } from 'graphql'
import type { Model } from '../../model/index.ts'
import { parseDocument } from '../document/parse-document.ts'
import { planOperation } from '../plan/plan-operation.ts'
import { defaultGraphqlSettings as settings } from '../settings.ts'
import { sketches, storeModel, tables } from '../store.fixture.ts'
import { roleSchema } from '../types/role-schema.ts'
import { IntrospectionCache } from './introspection-cache.ts'
import { newPrintContext } from './plan-introspection.ts'

const standard = getIntrospectionQuery()

async function introspect(query: string, model: Model, role: string, kept = new IntrospectionCache(1e7)) {
  const schema = roleSchema(model, role)
  const request = { document: parseDocument(query, settings), operationName: null, variables: {} }
  const [root] = planOperation(request, schema, settings).roots
  if (root?.kind !== 'introspection') throw new Error('no introspection')
  return Buffer.concat(await root.answer(newPrintContext(schema, kept, settings))).toString()
}

/** With one more permission on each of some tables. */
const permitting = (role: string, permissions: Readonly<Record<string, JsonObject>>): readonly JsonObject[] =>
  tables.map((table) => {
    const permission = permissions[String((table.table as JsonObject).name)]
    const before = (table.select_permissions ?? []) as readonly JsonObject[]
    return permission ? { ...table, select_permissions: [...before, { role, permission }] } : table
  })

test('roles that see the same share what is kept, whatever their rows; those that see less have their own', async () => {
  const artist = { columns: ['id', 'name', 'fans'], filter: { id: { _eq: 1 } }, allow_aggregations: true }
  const twin = storeModel({ tables: permitting('twin', { artist, album: { columns: '*', filter: {} } }) })
  const kept = new IntrospectionCache(1e7)
  await introspect(standard, twin, 'user', kept)
  const { size } = kept
  assert.equal(await introspect(standard, twin, 'twin', kept), await introspect(standard, twin, 'user'))
  assert.equal(kept.size, size)
  const less = storeModel({
    tables: permitting('less', { artist: { ...artist, columns: ['id'] }, album: { columns: '*', filter: {} } }),
  })
  assert.equal(await introspect(standard, less, 'less', kept), await introspect(standard, less, 'less'))
  assert.ok(kept.size > size)
})

test('what one role left is not shown to another that sees less', async () => {
  const kept = new IntrospectionCache(1e7)
  const model = storeModel()
  for (const role of ['admin', 'user', 'guest', 'stranger', 'admin'])
    assert.equal(await introspect(standard, model, role, kept), await introspect(standard, model, role))
})

test('an answer that reads other tables follows what the role sees of those', async () => {
  const query = `{ __schema { types { name fields { name
    type { name fields { name } ofType { name fields { name } ofType { name ofType { name fields { name } } } } } } } } }`
  const kept = new IntrospectionCache(1e7)
  const before = storeModel()
  await introspect(query, before, 'user', kept)
  const track = { columns: ['id'], filter: {} }
  const after = storeModel({ previous: before, tables: permitting('user', { track }) })
  const answer = await introspect(query, after, 'user', kept)
  assert.equal(answer, await introspect(query, after, 'user'))
  assert.match(answer, /"tracks"/)
})

test('root fields by the hundred are all there, in order, wherever they are asked for', async () => {
  const sketch = sketches.track
  assert.ok(sketch)
  const names = Array.from({ length: 150 }, (_, i) => `table_${i}`)
  const model = storeModel({
    sketches: Object.fromEntries(names.map((name) => [name, { columns: sketch.columns, key: ['id'] }])),
    tables: names.map((name) => ({ table: { schema: 'public', name } })),
  })
  const fields = '{ fields { name args { name } } }'
  const { queryType, types } = JSON.parse(
    await introspect(`{ __schema { queryType ${fields} types { name ... on __Type ${fields} } } }`, model, 'admin'),
  )
  const expected = names.flatMap((name) => [name, `${name}_aggregate`, `${name}_by_pk`]).sort()
  assert.deepEqual(
    queryType.fields.map(({ name }: { name: string }) => name),
    expected,
  )
  const root = types.find(({ name }: { name: string }) => name === 'query_root')
  assert.deepEqual(root.fields, queryType.fields)
  const byName = JSON.parse(
    await introspect(`{ __type(name: "query_root") { name ${fields.slice(1)} }`, model, 'admin'),
  )
  assert.deepEqual(byName.fields, queryType.fields)
})

test('the cache holds no more than it may', async () => {
  const model = storeModel()
  const all = new IntrospectionCache(1e7)
  for (const role of ['admin', 'user', 'guest']) await introspect(standard, model, role, all)
  const half = new IntrospectionCache(all.size / 2)
  for (const role of ['admin', 'user', 'guest']) {
    assert.equal(await introspect(standard, model, role, half), await introspect(standard, model, role))
    assert.ok(half.size > 0 && half.size <= all.size / 2, `${half.size} of ${all.size}`)
  }
})
