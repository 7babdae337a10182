/** What a remote schema is sent of what a client gives: variables, defaults, presets (reference/remote-schemas#permissions-of-roles). */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Engine, startEngine } from '../engine.ts'
import { createTestDatabase, type TestDatabase } from '../postgres.ts'
import { type RemoteServer, startRemoteServer } from './remote-server.ts'

const sdl = `
  type Query { find(by: Search, all: [Search!], order: Order = ASC, id: Int): String  mine(user: Int!, id: Int): String }
  input Search { text: String = "any"  owner: Int  order: Order  deep: Search  list: [Search]  ids: [ID!] }
  enum Order { ASC DESC }
`
const permission = `
  type Query {
    find(by: Search, all: [Search!], order: Order = ASC, id: Int): String
    mine(user: Int! @preset(value: "x-svc-user-id"), id: Int): String
  }
  input Search {
    text: String = "any"  owner: Int @preset(value: "x-svc-user-id")  order: Order @preset(value: DESC)
    deep: Search  list: [Search]  ids: [ID!]
  }
  enum Order { ASC DESC }
`
const narrow = `
  type Query { find(by: Search, all: [Search!], order: Order = ASC, id: Int): String }
  input Search { text: String = "any"  order: Order  deep: Search  list: [Search] }
  enum Order { ASC }
`
/** What its author gives a role need not be what the role may give. */
const authored = `
  type Query {
    find(by: Search @preset(value: {text: "a", ids: ["1"], order: DESC}), all: [Search!], order: Order = ASC @preset(value: DESC)): String
  }
  input Search { text: String = "any"  owner: Int @preset(value: 3)  order: Order @preset(value: ASC)  deep: Search @preset(value: {ids: ["2"], text: "d"}) }
  enum Order { ASC }
`
const echo = (args: object) => JSON.stringify(args)

describe('inputs of a remote schema', () => {
  let database: TestDatabase
  let engine: Engine
  let remote: RemoteServer
  before(async () => {
    remote = await startRemoteServer(sdl, { find: echo, mine: echo })
    database = await createTestDatabase()
    engine = await startEngine({
      databaseUrl: database.url,
      env: { SVC_GRAPHQL_ENABLE_REMOTE_SCHEMA_PERMISSIONS: 'true', SVC_GRAPHQL_MAX_VALUES_SIZE: '5000' },
    })
    for (const [type, args] of [
      ['add_remote_schema', { name: 'r', definition: { url: remote.url } }],
      ['add_remote_schema_permissions', { remote_schema: 'r', role: 'user', definition: { schema: permission } }],
      ['add_remote_schema_permissions', { remote_schema: 'r', role: 'authored', definition: { schema: authored } }],
      ['add_remote_schema_permissions', { remote_schema: 'r', role: 'narrow', definition: { schema: narrow } }],
    ] as const) {
      const { status, text } = await engine.metadata(type, args)
      assert.equal(status, 200, text)
    }
  })
  after(async () => {
    await engine.stop()
    await remote.close()
    await database.drop()
  })
  const asUser = { 'x-svc-role': 'user', 'x-svc-user-id': '9' }
  const ask = async (query: string, variables: object = {}, headers: Record<string, string> = asUser) => {
    const { body } = await engine.post('/v1/graphql', { query, variables }, headers)
    assert.equal(body.errors, undefined, JSON.stringify(body))
    return Object.fromEntries(Object.entries(body.data).map(([key, text]) => [key, JSON.parse(String(text))]))
  }

  const own = { owner: 9, order: 'DESC' }
  for (const [query, variables, find] of [
    ['{ find(by: {text: "a"}) }', {}, { by: { text: 'a', ...own }, order: 'ASC' }],
    ['{ find(by: {}) }', {}, { by: { text: 'any', ...own }, order: 'ASC' }],
    ['{ find }', {}, { order: 'ASC' }],
    ['{ find(by: null) }', {}, { by: null, order: 'ASC' }],
    ['query ($s: Search = {text: "d"}) { find(by: $s) }', {}, { by: { text: 'd', ...own }, order: 'ASC' }],
    ['query ($s: Search) { find(by: $s) }', {}, { order: 'ASC' }],
    ['query ($s: Search) { find(by: $s) }', { s: null }, { by: null, order: 'ASC' }],
    ['query ($t: String) { find(by: {text: $t}) }', {}, { by: { text: 'any', ...own }, order: 'ASC' }],
    ['query ($t: String) { find(by: {text: $t}) }', { t: null }, { by: { text: null, ...own }, order: 'ASC' }],
    ['query ($t: String = "dt") { find(by: {text: $t}) }', {}, { by: { text: 'dt', ...own }, order: 'ASC' }],
    ['query ($i: [ID!]) { find(by: {deep: {deep: {ids: $i}}}) }', { i: ['1'] }, { by: { text: 'any', deep: { text: 'any', deep: { text: 'any', ids: ['1'], ...own }, ...own }, ...own }, order: 'ASC' }],
    ['query ($d: Search) { find(by: {list: [null, $d, {}]}) }', { d: { text: 'v' } }, { by: { text: 'any', list: [null, { text: 'v', ...own }, { text: 'any', ...own }], ...own }, order: 'ASC' }],
    ['query ($d: Search!) { find(all: [$d]) }', { d: { text: 'v' } }, { all: [{ text: 'v', ...own }], order: 'ASC' }],
    ['query ($d: [Search!]) { find(all: $d, order: DESC) }', { d: [{ text: 'v' }] }, { all: [{ text: 'v', ...own }], order: 'DESC' }],
    ['query ($o: Order) { find(order: $o) }', {}, { order: 'ASC' }],
    ['query ($o: Order = DESC) { find(order: $o) }', {}, { order: 'DESC' }],
    ['query ($svc_json_var_1: Int) { find(by: {}, id: $svc_json_var_1) }', { svc_json_var_1: 5 }, { by: { text: 'any', ...own }, id: 5, order: 'ASC' }],
    ['query ($svc_json_var_1: Int) { find(id: $svc_json_var_1, by: {}) }', { svc_json_var_1: 5 }, { by: { text: 'any', ...own }, id: 5, order: 'ASC' }],
  ] as const) // biome-ignore format: a table
    test(`${query} with ${JSON.stringify(variables)}`, async () =>
      assert.deepEqual(await ask(query, variables), { find }))

  test('presets may say what the role may not, keep what they say, and stand in themselves once', async () => {
    const deep = { ids: ['2'], text: 'd', owner: 3, order: 'ASC' }
    const by = { text: 'a', ids: ['1'], order: 'DESC', owner: 3, deep }
    const answer = await ask(
      'query ($s: [Search!]) { find(all: $s) }',
      { s: [{ text: 'x' }] },
      { 'x-svc-role': 'authored' },
    )
    assert.deepEqual(answer.find, { by, all: [{ text: 'x', owner: 3, order: 'ASC', deep }], order: 'DESC' })
  })

  test('a variable of the name that a preset would have is the client’s own', async () => {
    for (const query of [
      'query ($x_svc_user_id: Int) { mine(id: $x_svc_user_id) }',
      'query ($x_svc_user_id: Int) { mine: mine(id: $x_svc_user_id) other: __typename }',
    ]) {
      const { body } = await engine.post('/v1/graphql', { query, variables: { x_svc_user_id: 4 } }, asUser)
      assert.deepEqual(JSON.parse(body.data?.mine ?? JSON.stringify(body)), { user: 9, id: 4 })
    }
  })

  for (const [query, variables, message] of [
    ['{ find(by: {owner: 1}) }', {}, "field 'owner' not found in type: 'Search'"],
    ['query ($s: Search) { find(by: $s) }', { s: { owner: 1 } }, "field 'owner' not found in type: 'Search'"],
    ['query ($s: Search = {owner: 1}) { find(by: $s) }', {}, "field 'owner' not found in type: 'Search'"],
    ['query ($s: Search) { find(by: {deep: {list: [$s]}}) }', { s: { deep: { list: [{ ids: ['1'] }] } } }, "field 'ids' not found in type: 'Search'"],
    ['query ($s: [Search!]) { find(all: $s) }', { s: [{ text: 'a' }, { owner: 1 }] }, "field 'owner' not found in type: 'Search'"],
    ['query ($s: [Search!]) { find(all: $s) }', { s: { __proto__x: 1 } }, "field '__proto__x' not found in type: 'Search'"],
    ['query ($o: Order) { find(order: $o) }', { o: 'DESC' }, "unexpected value \"DESC\" for enum: 'Order'"],
    ['query ($o: Order = DESC) { find(order: $o) }', {}, "unexpected value \"DESC\" for enum: 'Order'"],
    ['query ($s: Search) { find(by: $s) }', { s: { order: 'DESC' } }, "unexpected value \"DESC\" for enum: 'Order'"],
  ] as const) // biome-ignore format: a table
    test(`a role that may not: ${query} with ${JSON.stringify(variables)}`, async () => {
      remote.forget()
      const headers = { 'x-svc-role': 'narrow' }
      const { body } = await engine.post('/v1/graphql', { query, variables }, headers)
      assert.equal(body.errors?.[0]?.message, message)
      assert.equal(body.errors[0].extensions.code, 'validation-failed')
      assert.deepEqual(remote.asked, [])
    })

  for (const [role, places] of [
    ['user', (n: number) => `find(all: [${'$s '.repeat(n)}])`],
    ['user', (n: number) => Array.from({ length: n }, (_, i) => `f${i}: find(by: $s)`).join(' ')],
    ['narrow', (n: number) => Array.from({ length: n }, (_, i) => `f${i}: find(by: $s)`).join(' ')],
  ] as const)
    test(`a variable is bounded in all its places but the first: ${role}, ${places(2)}`, async () => {
      const headers = { ...asUser, 'x-svc-role': role }
      const variables = { s: { text: 'x'.repeat(4000) } }
      const send = async (n: number) => {
        remote.forget()
        return (await engine.post('/v1/graphql', { query: `query ($s: Search!) { ${places(n)} }`, variables }, headers))
          .body
      }
      assert.equal((await send(3)).errors?.[0]?.extensions.code, 'bad-request')
      assert.deepEqual(remote.asked, [])
      assert.equal((await send(2)).errors, undefined)
    })

  test('a preset cannot be given in a variable either', async () => {
    const query = 'query ($s: Search) { find(by: $s) }'
    const { body } = await engine.post('/v1/graphql', { query, variables: { s: { owner: 1 } } }, asUser)
    assert.equal(body.errors?.[0]?.message, "field 'owner' not found in type: 'Search'")
  })

  test('usage knows the fields and values of each request with one plan', async () => {
    const query = 'query Used($s: Search, $o: Order) { find(by: $s, order: $o) }'
    for (const [s, o] of [
      [{ text: 'a' }, 'ASC'],
      [{ deep: { ids: ['1'] } }, 'ASC'],
    ])
      await ask(query, { s, o })
    await engine.metadata('get_usage', {})
    const less = `
      type Query { find(by: Search, all: [Search!], order: Order = ASC, id: Int): String }
      input Search { owner: Int @preset(value: "x-svc-user-id")  deep: Search }
      enum Order { ASC }`
    const { body, text } = await engine.post('/v1/metadata', {
      type: 'bulk_atomic',
      args: [
        { type: 'drop_remote_schema_permissions', args: { remote_schema: 'r', role: 'user' } },
        {
          type: 'add_remote_schema_permissions',
          args: { remote_schema: 'r', role: 'user', definition: { schema: less } },
        },
      ],
      dry_run: { preview: true },
    })
    const changes: readonly { at: string; used?: readonly { operation: string; count: number; certain: boolean }[] }[] =
      body.preview?.roles[0].schema.changes ?? assert.fail(text)
    const used = (at: string) =>
      changes
        .find((one) => one.at === at)
        ?.used?.flatMap(({ operation, count, certain }) => (operation === 'Used' ? [count, certain] : []))
    assert.deepEqual(used('Search.text'), [2, true])
    assert.deepEqual(used('Search.ids'), [2, true])
    assert.deepEqual(used('Search.list'), [])
    assert.deepEqual(used('Order.DESC') ?? [], [])
  })

  test('the admin may all that the remote schema takes', async () => {
    const query = 'query ($s: Search, $o: Order) { find(by: $s, order: $o) }'
    assert.deepEqual(await ask(query, { s: { owner: 1, ids: ['1'] }, o: 'DESC' }, {}), {
      find: { by: { text: 'any', owner: 1, ids: ['1'] }, order: 'DESC' },
    })
  })
})
