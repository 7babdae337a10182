/** Remote schemas (reference/remote-schemas) through the real process and a real GraphQL server. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { buildClientSchema, getIntrospectionQuery, printType, validateSchema } from 'graphql'
import { runOnDatabase } from '../admin/run-on-database.ts'
import { type Engine, type RequestHeaders, startEngine } from '../engine.ts'
import { createTestDatabase, type TestDatabase } from '../postgres.ts'
import { type RemoteServer, startRemoteServer } from './remote-server.ts'

const sdl = `
  type Query { user(id: Int!, limit: Int = 10): User  users(by: Search): [User!]!  whoami: String  fails: String  size: Float }
  type Mutation { rename(id: Int!, name: String!): User }
  type Subscription { ticks: Int }
  interface Node { id: ID! }
  type User implements Node { id: ID!  name: String  status: Status  node: Node  hit: Hit }
  type Group implements Node { id: ID!  title: String }
  union Hit = User | Group
  enum Status { ON OFF }
  input Search { name: String  owner: Int  deep: Search }
`
const user = (id: number) => ({
  __typename: 'User',
  id,
  name: `user ${id}`,
  status: 'ON',
  node: () => ({ __typename: 'Group', id: 7, title: 'seven' }),
  hit: () => user(id + 1),
})
const root = {
  user: ({ id }: { id: number }) => user(id),
  users: ({ by }: { by?: { name?: string; owner?: number } }) => [
    { ...user(by?.owner ?? 1), name: by?.name ?? 'nobody' },
  ],
  whoami: () => 'me',
  fails: () => {
    throw new Error('it failed')
  },
  size: () => 1.5,
  rename: ({ id, name }: { id: number; name: string }) => ({ ...user(id), name }),
}

describe('remote schemas', () => {
  let database: TestDatabase
  let remote: RemoteServer
  let engine: Engine

  const ok = async (type: string, args: unknown) => {
    const { status, text, body } = await engine.metadata(type, args)
    assert.equal(status, 200, text)
    return body
  }
  const ask = async (query: string, headers: RequestHeaders = {}, variables?: object) =>
    (await engine.post('/v1/graphql', { query, ...(variables && { variables }) }, headers)).body
  const data = async (query: string, headers: RequestHeaders = {}, variables?: object) => {
    const body = await ask(query, headers, variables)
    assert.equal(body.errors, undefined, JSON.stringify(body))
    return body.data
  }

  before(async () => {
    remote = await startRemoteServer(sdl, root)
    database = await createTestDatabase()
    await runOnDatabase(database.url, 'CREATE TABLE pet (id int PRIMARY KEY); INSERT INTO pet VALUES (1)')
    engine = await startEngine({
      databaseUrl: database.url,
      env: { REMOTE_URL: remote.url, TOKEN: 't0', SVC_GRAPHQL_ENABLE_REMOTE_SCHEMA_PERMISSIONS: 'true' },
    })
    await ok('pg_track_table', { table: 'pet' })
    await ok('add_remote_schema', {
      name: 'crm',
      definition: {
        url: '{{REMOTE_URL}}',
        forward_client_headers: true,
        headers: [{ name: 'X-Token', value_from_env: 'TOKEN' }],
      },
    })
  })
  after(async () => {
    await engine.stop()
    await remote.close()
    await database.drop()
  })

  test('its fields are next to those of tables; one request each, with variables, fragments and aliases', async () => {
    remote.forget()
    const query = `query Q($id: Int!, $no: Boolean = false) {
      pet { id }
      a: user(id: $id) { n: name ...more @skip(if: $no) }
      whoami
    } fragment more on User { status hit { __typename ... on User { id } ... on Group { title } } }`
    const { body, headers } = await engine.post('/v1/graphql', { query, variables: { id: 3 }, operationName: 'Q' })
    assert.deepEqual(body.data, {
      pet: [{ id: 1 }],
      a: { n: 'user 3', status: 'ON', hit: { __typename: 'User', id: '4' } },
      whoami: 'me',
    })
    assert.deepEqual(headers['set-cookie'], ['remote=1', 'remote=1'])
    assert.deepEqual(remote.asked[0]?.body.variables, { id: 3 })
    assert.equal(remote.asked[0]?.body.operationName, 'Q')
    assert.equal(remote.asked[0]?.headers['x-token'], 't0')
    assert.equal(remote.asked[0]?.headers['x-svc-role'], 'admin')
    assert.equal(remote.asked[0]?.headers['x-svc-admin-secret'], undefined)
    assert.equal(remote.asked.length, 2)
  })

  test('client headers are forwarded, the engine and what the session says are not overridden', async () => {
    remote.forget()
    await data('{ whoami }', { 'x-trace': 'abc', 'x-token': 'mine', 'user-agent': 'ua', 'x-svc-user-id': '5' })
    const headers = remote.asked[0]?.headers ?? {}
    assert.deepEqual(
      [headers['x-trace'], headers['x-token'], headers['x-forwarded-user-agent'], headers['x-svc-user-id']],
      ['abc', 't0', 'ua', '5'],
    )
  })

  test('mutations reach it too', async () => {
    assert.deepEqual(await data('mutation { rename(id: 1, name: "x") { name } }'), { rename: { name: 'x' } })
  })

  test('the schema of the admin is a valid one, with all types of the remote', async () => {
    const schema = buildClientSchema(await data(getIntrospectionQuery()))
    assert.deepEqual(validateSchema(schema), [])
    const type = schema.getType('User')
    assert.ok(type)
    assert.match(printType(type), /type User implements Node \{\n {2}hit: Hit\n/)
    assert.ok(schema.getSubscriptionType()?.getFields().ticks)
  })

  const wrong: readonly (readonly [string, string, string])[] = [
    ['{ user { name } }', '$.selectionSet.user.args.id', "missing required field 'id'"],
    ['{ user(id: 1) { nope } }', '$.selectionSet.user.selectionSet.nope', "field 'nope' not found in type: 'User'"],
    ['{ user(id: 1) }', '$.selectionSet.user.selectionSet', "missing selection set for 'User'"],
    ['{ user(id: 1, x: 1) { id } }', '$.selectionSet.user', "'user' has no argument named 'x'"],
    [
      'query ($id: String!) { user(id: $id) { id } }',
      '$.selectionSet.user.args.id',
      "variable 'id' is declared as 'String!', but used where 'Int!' is expected",
    ],
    [
      '{ users(by: {nope: 1}) { id } }',
      '$.selectionSet.users.args.by.nope',
      "field 'nope' not found in type: 'Search'",
    ],
  ]
  for (const [query, path, message] of wrong)
    test(`refused before the remote is asked: ${message}`, async () => {
      remote.forget()
      const { errors } = await ask(query, {}, query.includes('$id') ? { id: 'x' } : undefined)
      assert.deepEqual([errors[0].extensions.path, errors[0].message], [path, message])
      assert.equal(remote.asked.length, 0)
    })

  test('its errors are the answer; odd answers are errors of their own', async () => {
    const failed = await ask('{ pet { id } fails }')
    assert.equal(failed.data, null)
    assert.equal(failed.errors[0].message, 'it failed')
    const odd = [
      ['{', 'the remote schema did not answer with JSON'],
      ['{}', 'Missing "data" field with no errors in response from remote'],
      ['{"data":null}', 'Received null "data" field with no errors in response from remote'],
      ['{"data":{"whoami":1},"errors":[]}', 'Empty "errors" field in response from remote'],
      ['{"data":{}}', 'expecting key whoami'],
    ] as const
    for (const [text, message] of odd) {
      remote.answerWith({ status: 500, text })
      const { errors } = await ask('{ whoami }')
      assert.deepEqual([errors[0].message, errors[0].extensions.code], [message, 'remote-schema-error'])
    }
    remote.answerWith({ status: 500, text: '{"data":{"size":12345678901234567890.5}}' })
    const { text } = await engine.post('/v1/graphql', { query: '{ size }' })
    assert.equal(text, '{"data":{"size":12345678901234567890.5}}')
    remote.answerWith(null)
  })

  test('a role sees and may ask what its permission names; presets are put in for it', async () => {
    const asUser = { 'x-svc-role': 'user', 'x-svc-user-id': '9' }
    assert.match((await ask('{ whoami }', asUser)).errors[0].message, /'whoami' not found/)
    await ok('add_remote_schema_permissions', {
      remote_schema: 'crm',
      role: 'user',
      definition: {
        schema: `
          type Query { user(id: Int! @preset(value: "x-svc-user-id")): User  users(by: Search): [User!]! }
          type User { id: ID! name: String }
          input Search { name: String  owner: Int @preset(value: "x-svc-user-id") }
        `,
      },
    })
    assert.deepEqual(await data('{ user { id } }', asUser), { user: { id: '9' } })
    assert.deepEqual(await data('{ users(by: {name: "n"}) { id name } }', asUser), { users: [{ id: '9', name: 'n' }] })
    assert.deepEqual(await data('query ($by: Search) { users(by: $by) { id } }', asUser, { by: { name: 'n' } }), {
      users: [{ id: '9' }],
    })
    assert.match((await ask('{ user(id: 1) { id } }', asUser)).errors[0].message, /no argument named 'id'/)
    assert.match((await ask('{ user { status } }', asUser)).errors[0].message, /'status' not found/)
    const missing = await ask('{ user { id } }', { 'x-svc-role': 'user' })
    assert.equal(missing.errors[0].message, '"x-svc-user-id" session variable expected, but not found')
    const odd = await ask('{ user { id } }', { ...asUser, 'x-svc-user-id': 'me' })
    assert.equal(odd.errors[0].extensions.code, 'coercion-error')
    await ok('drop_remote_schema_permissions', { remote_schema: 'crm', role: 'user' })
    assert.match((await ask('{ user { id } }', asUser)).errors[0].message, /'user' not found/)
  })

  test('two of them are separated by a namespace; the same root field twice is refused', async () => {
    const definition = { url: remote.url }
    const clash = await engine.metadata('add_remote_schema', { name: 'twin', definition })
    assert.notEqual(clash.status, 200)
    assert.deepEqual(await data('{ whoami }'), { whoami: 'me' })
    const customization = {
      root_fields_namespace: 'twin',
      type_names: { prefix: 'Twin' },
      field_names: [{ parent_type: 'User', mapping: { name: 'title' } }],
    }
    await ok('add_remote_schema', { name: 'twin', definition: { ...definition, customization } })
    assert.deepEqual(await data('{ whoami twin { user(id: 2) { __typename title hit { __typename } } } }'), {
      whoami: 'me',
      twin: { user: { __typename: 'TwinUser', title: 'user 2', hit: { __typename: 'TwinUser' } } },
    })
    await ok('remove_remote_schema', { name: 'twin' })
  })

  test('a reload shows what its server has become; one that is away is inconsistent until it is back', async () => {
    remote.serve(sdl.replace('whoami: String', 'whoami: String  extra: Int'))
    assert.match((await ask('{ extra }')).errors[0].message, /not found/)
    await ok('reload_remote_schema', { name: 'crm' })
    assert.deepEqual(await data('{ extra }'), { extra: null })
    remote.answerWith({ status: 502, text: 'no' })
    await ok('reload_metadata', { reload_remote_schemas: ['crm'], reload_sources: false })
    const [found] = await ok('get_inconsistent_metadata', {})
    assert.equal(found.type, 'remote_schema')
    assert.deepEqual(await data('{ pet { id } }'), { pet: [{ id: 1 }] })
    remote.answerWith(null)
    await engine.observed('model-updated', ({ rebuilt }) => rebuilt > 0)
    for (let back = false; !back; ) back = (await ask('{ whoami }')).data?.whoami === 'me'
    assert.deepEqual(await ok('get_inconsistent_metadata', {}), [])
  })

  test('an engine starts without waiting for a remote that does not answer', async (t) => {
    remote.hang(true)
    const other = await startEngine({ databaseUrl: database.url, env: { REMOTE_URL: remote.url, TOKEN: 't0' } }, t)
    const { body } = await other.post('/v1/graphql', { query: '{ pet { id } }' })
    assert.deepEqual(body.data, { pet: [{ id: 1 }] })
    const [found] = (await other.metadata('get_inconsistent_metadata', {})).body
    assert.equal(found.name, 'remote_schema crm')
    remote.hang(false)
  })

  test('null in arguments is sent as it was given, and with --remote-schema-skip-nulls not at all', async (t) => {
    const query = `query ($by: Search, $limit: Int) {
      a: users(by: {name: null, owner: 3, deep: {name: null, owner: 1}}) { id }
      b: users(by: null) { id }
      c: users(by: $by) { id }
      d: user(id: 1, limit: $limit) { id }
      e: users(by: {name: "n", deep: $by}) { id }
    }`
    const variables = { by: { owner: null, deep: { name: 'x', owner: null } }, limit: null }
    const sent = async (of: Engine) => {
      remote.forget()
      const { body } = await of.post('/v1/graphql', { query, variables })
      assert.equal(body.errors, undefined, JSON.stringify(body.errors))
      return remote.asked.map(({ body: { query, variables = {} } }) => [query.replaceAll(/\s+/g, ' '), variables])
    }
    assert.deepEqual((await sent(engine)).slice(1, 3), [
      ['query { b: users(by: null) { id } }', {}],
      ['query ($by: Search) { c: users(by: $by) { id } }', { by: variables.by }],
    ])
    const { url: databaseUrl } = await createTestDatabase(t)
    const skipping = await startEngine({ databaseUrl, env: { SVC_GRAPHQL_REMOTE_SCHEMA_SKIP_NULLS: 'true' } }, t)
    await skipping.metadata('add_remote_schema', { name: 'crm', definition: { url: remote.url } })
    const kept = { deep: { name: 'x' } }
    assert.deepEqual(await sent(skipping), [
      ['query { a: users(by: {owner: 3, deep: {owner: 1}}) { id } }', {}],
      ['query { b: users { id } }', {}],
      ['query ($by: Search) { c: users(by: $by) { id } }', { by: kept }],
      ['query ($limit: Int) { d: user(id: 1, limit: $limit) { id } }', {}],
      ['query ($by: Search) { e: users(by: {name: "n", deep: $by}) { id } }', { by: kept }],
    ])
  })

  test('operations say what is wrong', async () => {
    const refused = async (type: string, args: unknown) => (await engine.metadata(type, args)).body.error
    assert.equal(
      await refused('add_remote_schema', { name: 'crm', definition: { url: remote.url } }),
      'remote schema with name "crm" already exists',
    )
    assert.equal(
      await refused('add_remote_schema', { name: 'x', definition: { url_from_env: 'NOPE' } }),
      "environment variable 'NOPE' not set",
    )
    assert.match(
      await refused('add_remote_schema', { name: 'x', definition: { url: 'http://127.0.0.1:1/' } }),
      /^HTTP exception occurred while sending the request to "http:\/\/127.0.0.1:1\/"/,
    )
    assert.equal(
      await refused('update_remote_schema', { name: 'x', definition: { url: remote.url } }),
      'remote schema with name "x" doesn\'t exist',
    )
    assert.equal(await refused('remove_remote_schema', { name: 'x' }), 'no such remote schema')
    assert.equal(await refused('reload_remote_schema', { name: 'x' }), 'remote schema with name "x" does not exist')
    assert.ok((await ok('introspect_remote_schema', { name: 'crm' })).data.__schema.types.length > 5)
  })
})
