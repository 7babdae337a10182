/**
 * What a remote field is given through a relationship: by the relationship, by the client, by presets of a role's permission
 * (docs/remote-relationships.md, "Who sees one").
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { runOnDatabase } from '../admin/run-on-database.ts'
import { type Engine, startEngine } from '../engine.ts'
import { createTestDatabase, type TestDatabase } from '../postgres.ts'
import { type RemoteServer, startRemoteServer } from './remote-server.ts'

const sdl = `
  type Query { user(id: Int!): String  find(by: Search, all: [Search!], outer: Outer): String  fixed(by: Filter): String }
  input Filter { text: String  owner: Int }
  input Search { text: String  owner: Int  tags: [String!] }
  input Outer { inner: Search  list: [Search!]  deep: Outer  order: Order }
  enum Order { ASC DESC }
`
const permission = `
  type Query {
    user(id: Int! @preset(value: "x-svc-user-id")): String
    find(by: Search, all: [Search!], outer: Outer): String
    fixed(by: Filter @preset(value: {owner: 5, text: "any"})): String
  }
  input Filter { text: String  owner: Int }
  input Search { text: String  owner: Int @preset(value: "x-svc-user-id")  tags: [String!] @preset(value: ["own"]) }
  input Outer { inner: Search  list: [Search!]  deep: Outer  order: Order }
  enum Order { ASC }
`
const echo = (args: object) => JSON.stringify(args)
const relationships = {
  user: { user: { arguments: { id: '$id' } } },
  by: { find: { arguments: { by: { text: '$name' } } } },
  by_owner: { find: { arguments: { by: { owner: '$id' } } } },
  all: { find: { arguments: { all: [{ text: '$name' }] } } },
  inner: { find: { arguments: { outer: { inner: { text: '$name' } } } } },
  deep: { find: { arguments: { outer: { deep: { inner: { text: '$name' } } } } } },
  list: { find: { arguments: { outer: { list: [{ text: '$name' }] } } } },
  fixed: { fixed: { arguments: { by: { text: '$name' } } } },
}

describe('what relationships give remote fields', () => {
  let database: TestDatabase
  let engine: Engine
  let remote: RemoteServer

  before(async () => {
    remote = await startRemoteServer(sdl, { user: echo, find: echo, fixed: echo })
    database = await createTestDatabase()
    await runOnDatabase(database.url, `CREATE TABLE pet (id int, name text); INSERT INTO pet VALUES (3, 'rex')`)
    engine = await startEngine({
      databaseUrl: database.url,
      env: { SVC_GRAPHQL_ENABLE_REMOTE_SCHEMA_PERMISSIONS: 'true', SVC_GRAPHQL_MAX_VALUES_SIZE: '5000' },
    })
    const ok = async (type: string, args: unknown) => {
      const { status, text } = await engine.metadata(type, args)
      assert.equal(status, 200, text)
    }
    await ok('pg_track_table', { table: 'pet' })
    const select = { columns: '*', filter: {} }
    await ok('pg_create_select_permission', { table: 'pet', role: 'user', permission: select })
    await ok('add_remote_schema', { name: 'r', definition: { url: remote.url } })
    const definition = { schema: permission }
    await ok('add_remote_schema_permissions', { remote_schema: 'r', role: 'user', definition })
    for (const [name, remote_field] of Object.entries(relationships)) {
      const to_remote_schema = { remote_schema: 'r', lhs_fields: ['id', 'name'], remote_field }
      await ok('pg_create_remote_relationship', { table: 'pet', name, definition: { to_remote_schema } })
    }
  })
  after(async () => {
    await engine.stop()
    await remote.close()
    await database.drop()
  })
  const asUser = { 'x-svc-role': 'user', 'x-svc-user-id': '9' }
  const ask = async (field: string, variables: object = {}, declared = '') => {
    const query = `query ${declared} { pet { given: ${field} } }`
    return (await engine.post('/v1/graphql', { query, variables }, asUser)).body
  }

  const own = { owner: 9, tags: ['own'] }
  const rex = { text: 'rex', ...own }
  for (const [field, expected] of [
    // the relationship's value counts where a permission presets the argument too
    ['user', { id: 3 }],
    ['by_owner', { by: { owner: 3, tags: ['own'] } }],
    // all other presets hold, wherever there are objects of their types
    ['by', { by: rex }],
    ['all', { all: [rex] }],
    ['inner', { outer: { inner: rex } }],
    ['deep', { outer: { deep: { inner: rex } } }],
    ['list', { outer: { list: [rex] } }],
    ['by_owner(by: {text: "mine"})', { by: { text: 'mine', owner: 3, tags: ['own'] } }],
    ['all(all: [{text: "mine"}])', { all: [{ text: 'mine', ...own }, rex] }],
    ['list(outer: {list: {text: "mine"}})', { outer: { list: [{ text: 'mine', ...own }, rex] } }],
    ['deep(outer: {inner: {}, deep: {list: [{}]}})', { outer: { inner: own, deep: { list: [own], inner: rex } } }],
    // of an argument that is preset and given in part
    ['fixed', { by: { owner: 5, text: 'rex' } }],
  ] as const)
    test(field, async () => {
      const { data, errors } = await ask(field)
      assert.deepEqual(JSON.parse(data?.pet[0].given ?? JSON.stringify(errors)), expected)
    })

  for (const [field, message] of [
    ['user(id: 9)', /has no argument named 'id'/],
    ['by(by: {text: "mine"})', /has no argument named 'by'/],
    ['all(all: [{owner: 1}])', /^field 'owner' not found in type: 'Search'$/],
    ['deep(outer: {deep: {list: [{tags: []}]}})', /^field 'tags' not found in type: 'Search'$/],
    ['deep(outer: {order: DESC})', /^expected one of the values \['ASC'\] for type 'Order', but found 'DESC'$/],
    ['deep(outer: {order: "DESC"})', /^expected an enum value for type 'Order', but found a string$/],
  ] as const)
    test(`a role may not: ${field}`, async () => {
      remote.forget()
      assert.match((await ask(field)).errors?.[0]?.message, message)
      assert.deepEqual(remote.asked, [])
    })

  for (const [field, declared, variables, message] of [
    ['all(all: $v)', '[Search!]', [{ owner: 1 }], "field 'owner' not found in type: 'Search'"],
    ['list(outer: {list: [$v]})', 'Search!', { tags: [] }, "field 'tags' not found in type: 'Search'"],
    ['deep(outer: {order: $v})', 'Order', 'DESC', 'unexpected value "DESC" for enum: \'Order\''],
    ['deep(outer: $v)', 'Outer_remote_rel_petdeep', { deep: { order: 'DESC' } }, 'unexpected value "DESC" for enum: \'Order\''],
    ['deep(outer: $v)', 'Outer_remote_rel_petdeep', { inner: { owner: 1 } }, "field 'owner' not found in type: 'Search'"],
  ] as const) // biome-ignore format: a table
    test(`nor in a variable: ${field} with ${JSON.stringify(variables)}`, async () => {
      remote.forget()
      const { errors } = await ask(field, { v: variables }, `($v: ${declared})`)
      assert.deepEqual([errors?.[0]?.message, errors?.[0]?.extensions.code], [message, 'validation-failed'])
      assert.deepEqual(remote.asked, [])
    })

  test('a value that is passed with each row is bounded', async () => {
    const variables = { v: [{ text: 'x'.repeat(4000) }] }
    const send = () => ask('all(all: $v)', variables, '($v: [Search!])')
    assert.equal((await send()).errors, undefined)
    await runOnDatabase(database.url, `INSERT INTO pet VALUES (4, 'tom'), (5, 'kim')`)
    remote.forget()
    assert.equal((await send()).errors?.[0]?.extensions.code, 'bad-request')
    assert.deepEqual(remote.asked, [])
  })
})
