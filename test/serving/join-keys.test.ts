/** Values of every type as keys of joins, digit for digit, over six hops with permissions at each (reference/remote-schemas#joins). */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { runOnDatabase } from '../admin/run-on-database.ts'
import { type Engine, startEngine } from '../engine.ts'
import { createTestDatabase, type TestDatabase } from '../postgres.ts'
import { type RemoteServer, startRemoteServer } from './remote-server.ts'

const sdl = `
  type Query { item(key: ID!): Item  big(key: bigint): Item  exact(key: numeric): Item  node(key: String!): Node  tagged(tag: Tag!): Item }
  interface Node { key: ID! }
  type Item implements Node { key: ID!  number: Int  tag: Tag  maybe: ID }
  type Other implements Node { key: ID!  size: Int }
  enum Tag { red green }
  scalar bigint
  scalar numeric
`
const item = (key: unknown) => ({ __typename: 'Item', key: String(key), number: 1, tag: 'red', maybe: null })
const root = {
  item: ({ key }: { key: string }) => item(key),
  big: ({ key }: { key: unknown }) => item(key),
  exact: ({ key }: { key: unknown }) => item(key),
  node: ({ key }: { key: string }) => (key === '1' ? item(key) : { __typename: 'Other', key, size: 2 }),
  tagged: ({ tag }: { tag: string }) => item(tag),
}
const columns = 'b bigint, n numeric, u uuid, t timestamptz, c text, e mood, j jsonb, i int, a text[], k int[], w text'
const rows = `
  (9007199254740993, 1.50, 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11', '2024-02-29T12:00:00.123456Z', 'q"\\', 'happy', '{"a":1.0}', 1, '{a,"b, {c}"}', '{1,NULL}', '1'),
  (9007199254740992, 123456789012345678901234567890.0001, 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a12', 'infinity', 'é', 'sad', '[]', 2, '{}', '{2}', '2'),
  (-1, 'NaN', 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a13', '0001-01-01 BC', '', 'sad', 'null', NULL, '{NULL}', '{}', '-1')`
const toRemote = (lhs: string, field: string, argument: string) => ({
  to_remote_schema: { remote_schema: 'r', lhs_fields: [lhs], remote_field: { [field]: { arguments: { [argument]: `$${lhs}` } } } }, // biome-ignore format: one line
})
const toTable = (source: string, mapping: object, relationship_type = 'object') => ({
  to_source: { source, table: 'thing', relationship_type, field_mapping: mapping },
})

describe('keys of joins', () => {
  let databases: readonly TestDatabase[]
  let remote: RemoteServer
  let engine: Engine
  const ok = async (type: string, args: unknown) => {
    const { status, text } = await engine.metadata(type, args)
    assert.equal(status, 200, text)
  }
  const ask = async (query: string, headers: Record<string, string> = {}) =>
    (await engine.post('/v1/graphql', { query }, headers)).text

  before(async () => {
    remote = await startRemoteServer(sdl, root)
    databases = await Promise.all([createTestDatabase(), createTestDatabase()])
    for (const { url } of databases)
      await runOnDatabase(url, `CREATE TYPE mood AS ENUM ('happy', 'sad'); CREATE TABLE thing (${columns}); INSERT INTO thing VALUES ${rows}`) // biome-ignore format: one line
    engine = await startEngine({
      databaseUrl: databases[0]?.url ?? '',
      env: { SVC_GRAPHQL_ENABLE_REMOTE_SCHEMA_PERMISSIONS: 'true' },
    })
    await ok('pg_add_source', { name: 'second', configuration: { connection_info: { database_url: databases[1]?.url } }, customization: { root_fields: { prefix: 'second_' }, type_names: { prefix: 'second_' } } }) // biome-ignore format: one line
    await ok('add_remote_schema', { name: 'r', definition: { url: remote.url } })
    for (const source of ['default', 'second']) await ok('pg_track_table', { source, table: 'thing' })
    for (const column of ['b', 'n', 'u', 't', 'c', 'e', 'j', 'i', 'a', 'k'])
      await ok('pg_create_remote_relationship', { table: 'thing', name: `by_${column}`, definition: toTable('second', { [column]: column }) }) // biome-ignore format: one line
    for (const column of ['b', 'i'])
      await ok('pg_create_remote_relationship', { table: 'thing', name: `text_${column}`, definition: toTable('second', { [column]: 'w' }) }) // biome-ignore format: one line
    await ok('pg_create_remote_relationship', { table: 'thing', name: 'by_all', definition: toTable('second', { b: 'b', a: 'a', n: 'n', u: 'u', k: 'k', c: 'c', i: 'i' }, 'array') }) // biome-ignore format: one line
    for (const [name, column, field, argument] of [
      ['item_c', 'c', 'item', 'key'],
      ['item_u', 'u', 'item', 'key'],
      ['item_i', 'i', 'item', 'key'],
      ['big_b', 'b', 'big', 'key'],
      ['exact_n', 'n', 'exact', 'key'],
      ['node_c', 'c', 'node', 'key'],
    ] as const) {
      for (const source of ['default', 'second'])
        await ok('pg_create_remote_relationship', { source, table: 'thing', name, definition: toRemote(column, field, argument) }) // biome-ignore format: one line
    }
    await ok('create_remote_schema_remote_relationship', { remote_schema: 'r', type_name: 'Item', name: 'things', definition: toTable('second', { key: 'c' }, 'array') }) // biome-ignore format: one line
    await ok('create_remote_schema_remote_relationship', { remote_schema: 'r', type_name: 'Item', name: 'again', definition: toRemote('key', 'item', 'key') }) // biome-ignore format: one line
    await ok('create_remote_schema_remote_relationship', { remote_schema: 'r', type_name: 'Item', name: 'colour', definition: toRemote('tag', 'tagged', 'tag') }) // biome-ignore format: one line
    await ok('create_remote_schema_remote_relationship', { remote_schema: 'r', type_name: 'Item', name: 'none', definition: toRemote('maybe', 'item', 'key') }) // biome-ignore format: one line
    await ok('add_remote_schema_permissions', { remote_schema: 'r', role: 'user', definition: { schema: 'type Query { item(key: ID!): Item } type Item { key: ID! }' } }) // biome-ignore format: one line
    for (const source of ['default', 'second'])
      await ok('pg_create_select_permission', { source, table: 'thing', role: 'user', permission: { columns: ['i'], filter: { i: { _lte: 'X-Svc-Most' } } } }) // biome-ignore format: one line
  })
  after(async () => {
    await engine.stop()
    await remote.close()
    for (const database of databases) await database.drop()
  })

  for (const column of ['b', 'n', 'u', 't', 'c', 'e', 'j', 'a', 'k'])
    test(`a column of type ${column} leads to the row with the same value in another source`, async () => {
      const answer = await ask(`{ thing(order_by: {u: asc}) { ${column} by_${column} { ${column} } } }`)
      const found = [
        ...answer.matchAll(new RegExp(`\\{"${column}":(.+?),"by_${column}":\\{"${column}":(.+?)\\}\\}(?=[,\\]])`, 'g')),
      ]
      // null of JSON is no key
      assert.equal(found.length, column === 'j' ? 2 : 3, answer)
      for (const [, own, other] of found) assert.equal(own, other, answer)
    })

  test('a number leads to the text that it is', async () =>
    assert.deepEqual(JSON.parse(await ask('{ thing(order_by: {u: asc}) { text_b { w } text_i { w } } }')).data.thing, [
      { text_b: null, text_i: { w: '1' } },
      { text_b: null, text_i: { w: '2' } },
      { text_b: { w: '-1' }, text_i: null },
    ]))

  test('several columns together, one of them null', async () =>
    assert.equal(
      (await ask('{ thing(order_by: {u: asc}) { by_all { b n } } }')).replaceAll(', ', ','),
      '{"data":{"thing":[{"by_all":[{"b":9007199254740993,"n":1.50}]},{"by_all":[{"b":9007199254740992,"n":123456789012345678901234567890.0001}]},{"by_all":null}]}}',
    ))

  test('texts, numbers and identifiers reach a remote schema as they are', async () => {
    remote.forget()
    const answer = await ask('{ thing(order_by: {u: asc}) { item_c { key } item_u { key } item_i { key } } }')
    assert.deepEqual(
      JSON.parse(answer).data.thing.map((row: Record<string, { key: string } | null>) => [row.item_c?.key, row.item_u?.key, row.item_i?.key]), // biome-ignore format: one line
      [
        ['q"\\', 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11', '1'],
        ['é', 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a12', '2'],
        ['', 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a13', undefined],
      ],
    )
    assert.equal(remote.asked.length, 3)
    remote.forget()
    remote.answerWith({ status: 200, text: '{"data":{"f0":null,"f1":null,"f2":null}}' })
    await ask('{ thing(order_by: {u: asc}) { big_b { key } } }')
    await ask('{ thing(order_by: {u: asc}) { exact_n { key } } }')
    remote.answerWith(null)
    const [big, exact] = remote.asked.map(({ text }) => text)
    for (const digits of ['9007199254740993', '9007199254740992', '-1']) assert.ok(big?.includes(digits), big)
    for (const digits of ['1.50', '123456789012345678901234567890.0001']) assert.ok(exact?.includes(digits), exact)
  })

  test('of an interface, of an enum, and where nothing leads anywhere', async () => {
    assert.equal(
      await ask('{ thing(where: {i: {_eq: 1}}) { node_c { __typename key ... on Other { size } } item_c { colour { key } none { key } } } }'), // biome-ignore format: one line
      '{"data":{"thing":[{"node_c":{"__typename":"Other","key":"q\\"\\\\","size":2},"item_c":{"colour":{"key":"red"},"none":null}}]}}',
    )
    remote.forget()
    assert.equal(await ask('{ thing(where: {i: {_eq: 99}}) { item_c { key } } }'), '{"data":{"thing":[]}}')
    assert.equal(await ask('{ thing(where: {i: {_is_null: true}}) { item_i { key } } }'), '{"data":{"thing":[{"item_i":null}]}}') // biome-ignore format: one line
    assert.deepEqual(remote.asked, [])
  })

  const chain =
    '{ thing(where: {i: {_lte: 2}}, order_by: {i: asc}) { i item_c { again { things { i item_c { again { things { i } } } } } } } }'
  test('six hops: table, remote, remote, table, remote, remote, table; the filter holds at each', async () => {
    const inside = (i: number, rest: unknown) => ({ item_c: { again: { things: [{ i, ...(rest as object) }] } } })
    const expected = (is: readonly number[]) => ({ thing: is.map((i) => ({ i, ...inside(i, inside(i, {})) })) })
    remote.forget()
    assert.deepEqual(JSON.parse(await ask(chain)).data, expected([1, 2]))
    assert.equal(remote.asked.length, 4)
    const asUser = { 'x-svc-role': 'user', 'x-svc-most': '1' }
    assert.deepEqual(JSON.parse(await ask(chain, asUser)).data, expected([1]))
    for (const field of ['colour { key }', 'maybe', 'number'])
      assert.match(await ask(`{ thing { item_c { ${field} } } }`, asUser), /not found in type: 'Item'/)
    for (const field of ['by_b { i }', 'item_c { key }'])
      assert.match(await ask(`{ thing { ${field} } }`, asUser), /"data":\{"thing":\[\{/)
    for (const field of ['node_c { key }', 'big_b { key }', 'b'])
      assert.match(await ask(`{ thing { ${field} } }`, asUser), /not found in type: 'thing'/)
  })

  test('an error at any hop fails the request and says where', async () => {
    remote.answerWith({ status: 200, text: '{"errors":[{"message":"no"}]}' })
    assert.match(await ask(chain), /"message":"Errors from remote server"/)
    remote.answerWith({ status: 200, text: '{"data":{"f0":{"svc_join_0_0":"1","again":7},"f1":null}}' })
    assert.match(await ask(chain), /answered with a number at \\"thing.item_c.again\\"/)
    remote.answerWith(null)
  })
})
