/** Answers of a customized remote schema with abstract types: what passes, under which names, and what is refused (docs/remote-schemas.md). */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { runOnDatabase } from '../admin/run-on-database.ts'
import { type Engine, startEngine } from '../engine.ts'
import { createTestDatabase, type TestDatabase } from '../postgres.ts'
import { type RemoteServer, startRemoteServer } from './remote-server.ts'

const sdl = `
  type Query { node(id: Int!): Node  hit: Hit  hits: [[Hit!]]  user: User! }
  interface Node { id: ID!  owner: Node }
  type User implements Node { id: ID!  owner: Node  status: Status  size: Int }
  type Robot implements Node { id: ID!  owner: Node  size: String!  big: Big }
  union Hit = User | Robot
  enum Status { ON OFF }
  scalar Big
`
const user = { __typename: 'User', id: '1', status: 'ON', size: 3 }
const robot = { __typename: 'Robot', id: 2, size: 'large', big: { any: [1] }, owner: user }
const root = {
  node: ({ id }: { id: number }) => (id === 1 ? user : robot),
  hit: robot,
  hits: [[user, robot], null],
  user,
}

describe('answers of a customized remote schema', () => {
  let database: TestDatabase
  let engine: Engine
  let lenient: Engine
  let dataFirst: Engine
  let remote: RemoteServer

  const definition = () => ({
    url: remote.url,
    customization: {
      root_fields_namespace: 'crm',
      type_names: { prefix: 'Crm' },
      field_names: [
        { parent_type: 'Node', mapping: { id: 'key' } },
        { parent_type: 'User', mapping: { id: 'key', status: 'state' } },
        { parent_type: 'Robot', mapping: { id: 'key' } },
      ],
    },
  })
  before(async () => {
    remote = await startRemoteServer(sdl, root)
    database = await createTestDatabase()
    engine = await startEngine({ databaseUrl: database.url })
    lenient = await startEngine({
      databaseUrl: database.url,
      env: { SVC_GRAPHQL_REMOTE_SCHEMA_CHECK_ANSWERS: 'false' },
    })
    dataFirst = await startEngine({
      databaseUrl: database.url,
      env: { SVC_GRAPHQL_REMOTE_SCHEMA_PRIORITIZE_DATA: 'true' },
    })
    const ok = async (type: string, args: unknown, on = engine) => {
      const { status, text } = await on.metadata(type, args)
      assert.equal(status, 200, text)
    }
    await runOnDatabase(database.url, 'CREATE TABLE pet (id int); INSERT INTO pet VALUES (1), (2)')
    await ok('pg_track_table', { table: 'pet' })
    await ok('add_remote_schema', { name: 'crm', definition: definition() })
    const to_remote_schema = {
      remote_schema: 'crm',
      lhs_fields: ['id'],
      remote_field: { node: { arguments: { id: '$id' } } },
    }
    await ok('pg_create_remote_relationship', { table: 'pet', name: 'node', definition: { to_remote_schema } })
    for (const other of [lenient, dataFirst]) await ok('reload_metadata', {}, other)
  })
  after(async () => {
    await engine.stop()
    await lenient.stop()
    await dataFirst.stop()
    await remote.close()
    await database.drop()
  })
  const ask = async (query: string, on = engine) =>
    (await on.post('/v1/graphql', { query: `{ crm { ${query} } }` })).body

  for (const [query, answer] of [
    ['user { __typename key state size }', { user: { __typename: 'CrmUser', key: '1', state: 'ON', size: 3 } }],
    [
      'node(id: 2) { t: __typename key ... on CrmRobot { size big owner { __typename ... on CrmUser { state } } } ... on CrmUser { state } }',
      { node: { t: 'CrmRobot', key: '2', size: 'large', big: { any: [1] }, owner: { __typename: 'CrmUser', state: 'ON' } } },
    ],
    ['node(id: 1) { ... on CrmRobot { s: size } ... on CrmNode { key } }', { node: { key: '1' } }],
    [
      'hits { __typename ... on CrmUser { key state } ...R } } } fragment R on CrmRobot { size owner { t: __typename',
      {
        hits: [
          [
            { __typename: 'CrmUser', key: '1', state: 'ON' },
            { __typename: 'CrmRobot', size: 'large', owner: { t: 'CrmUser' } },
          ],
          null,
        ],
      },
    ],
    ['hit { ... on CrmUser { key } }', { hit: {} }],
    ['user { key @skip(if: true) }', { user: {} }],
    ['user { ... @include(if: false) { key } } user { key }', { user: { key: '1' } }],
    ['user { key } user { state @skip(if: true) } user { size }', { user: { key: '1', size: 3 } }],
    ['node(id: 2) { ... on CrmNode { ... on CrmUser { state } } owner { ... on CrmRobot { key } } }', { node: { owner: {} } }],
  ] as const) // biome-ignore format: a table
    test(query, async () => assert.deepEqual(await ask(query), { data: { crm: answer } }))

  for (const [query, answer, message] of [
    ['hit { __typename }', { hit: { __typename: 'Ghost' } }, 'with another value at "crm.hit.__typename", where its schema has String!'],
    ['user { __typename }', { user: { __typename: 'Robot' } }, 'with another value at "crm.user.__typename", where its schema has String!'],
    ['user { s: state }', { user: { s: 'GONE' } }, 'with another value at "crm.user.s", where its schema has Status'],
    ['user { state }', { user: { state: 7 } }, 'with a number at "crm.user.state", where its schema has Status'],
    ['hits { ... on CrmUser { key } }', { hits: [null, [{}, null]] }, 'with null at "crm.hits.1.1", where its schema has Hit!'],
    ['hits { ... on CrmUser { k: key } ... on CrmRobot { k: key } }', { hits: [[{ k: [] }]] }, 'with a list at "crm.hits.0.0.k", where its schema has ID!'],
    ['node(id: 1) { key ... on CrmUser { size } }', { node: { size: 1 } }, 'without a member at "crm.node.key", where its schema has a member "key" of Node'],
    ['user { key }', { user: null }, 'with null at "crm.user", where its schema has User!'],
  ] as const) // biome-ignore format: a table
    test(`${query} answered with ${JSON.stringify(answer)}`, async () => {
      remote.answerWith({ status: 200, text: JSON.stringify({ data: answer }) })
      try {
        const body = await ask(query)
        assert.equal(body.errors?.[0]?.message, `the remote schema "crm" answered ${message}`)
        assert.equal(body.errors[0].extensions.code, 'remote-schema-error')
        assert.deepEqual(await ask(query, lenient), { data: { crm: answer } })
      } finally {
        remote.answerWith(null)
      }
    })

  const answered = async (text: string, query: string, on: Engine) => {
    remote.answerWith({ status: 200, text })
    try {
      return (await on.post('/v1/graphql', { query })).body
    } finally {
      remote.answerWith(null)
    }
  }

  const errors = [{ message: 'user is gone', path: ['user'] }]
  const said = JSON.stringify(errors)
  for (const [data, isRight] of [
    ['null', false],
    ['{}', false],
    ['{"user":null}', false],
    ['{"user":{"size":null}}', true],
  ] as const)
    test(`errors next to ${data}`, async () => {
      const query = '{ crm { user { size } } }'
      for (const on of [engine, lenient, dataFirst]) {
        const body = await answered(`{"data":${data},"errors":${said}}`, query, on)
        if (isRight && on === dataFirst) assert.deepEqual(body, { data: { crm: JSON.parse(data) } })
        else assert.deepEqual(body, { data: null, errors })
      }
    })

  for (const [data, isRight] of [
    ['null', false],
    ['{"f0":{"key":"1"}}', false],
    ['{"f0":{"key":"1"},"f1":{"key":null}}', false],
    ['{"f0":{"key":"1"},"f1":null}', true],
  ] as const)
    test(`errors next to ${data} of a relationship`, async () => {
      const query = '{ pet { node { key } } }'
      for (const on of [engine, lenient, dataFirst]) {
        const body = await answered(`{"data":${data},"errors":${said}}`, query, on)
        if (isRight && on === dataFirst) assert.deepEqual(body.data, { pet: [{ node: { key: '1' } }, { node: null }] })
        else assert.deepEqual(body.errors[0].extensions.internal, { errors })
      }
    })

  test('of equal members the last counts, in values and in what is wrong with them', async () => {
    const [wrong, right] = ['{"size":"x"}', '{"size":1}']
    const ofRoot = (first: string, last: string) =>
      answered(`{"data":{"user":${first},"user":${last}}}`, '{ crm { user { size } } }', engine)
    assert.deepEqual(await ofRoot(wrong, right), { data: { crm: { user: { size: 1 } } } })
    assert.match((await ofRoot(right, wrong)).errors[0].message, /a string at "crm.user.size"/)
    const ofJoin = (...values: readonly string[]) =>
      answered(`{"data":{${values.join()}}}`, '{ pet { node { key } } }', engine)
    const fine = '"f0":{"key":"1"},"f1":null'
    assert.deepEqual((await ofJoin('"f0":7', fine)).data, { pet: [{ node: { key: '1' } }, { node: null }] })
    const { errors: found } = await ofJoin('"f0":7', '"f1":{"key":null}', '"f0":null')
    assert.equal(
      found[0].message,
      'the remote schema "crm" answered with null at "pet.node.key", where its schema has ID!',
    )
  })

  test('a field may be asked for as often as selections are allowed', async () => {
    const query = `{ crm { user { ${'size '.repeat(9_990)} } } }`
    const body = await answered('{"data":{"user":{"size":3}}}', query, engine)
    assert.deepEqual(body, { data: { crm: { user: { size: 3 } } } })
  })

  test('a server that changes meanwhile is read again by a reload, and back again', async () => {
    const changed = sdl.replace('status: Status', 'status: String').replace('size: Int', 'size: String!')
    const query = 'user { state size }'
    const body = (answer: object) => ({ data: { crm: { user: answer } } })
    const reload = async () =>
      assert.equal((await engine.metadata('reload_remote_schema', { name: 'crm' })).status, 200)
    remote.serve(changed)
    remote.answerWith({ status: 200, text: '{"data":{"user":{"state":"NEW","size":"3"}}}' })
    assert.match((await ask(query)).errors[0].message, /another value at "crm.user.state"/)
    remote.answerWith(null)
    await reload()
    assert.deepEqual(await ask(query), body({ state: 'ON', size: '3' }))
    remote.answerWith({ status: 200, text: '{"data":{"user":{"state":"NEW","size":"3"}}}' })
    assert.deepEqual(await ask(query), body({ state: 'NEW', size: '3' }))
    remote.answerWith(null)
    remote.serve(sdl)
    assert.match((await ask(query)).errors[0].message, /with a number at "crm.user.size", where its schema has String!/)
    await reload()
    assert.deepEqual(await ask(query), body({ state: 'ON', size: 3 }))
    remote.answerWith({ status: 503, text: 'away' })
    await engine.metadata('reload_metadata', { reload_remote_schemas: true })
    assert.equal((await ask(query)).errors[0].extensions.code, 'validation-failed')
    remote.answerWith(null)
    await reload()
    assert.deepEqual(await ask(query), body({ state: 'ON', size: 3 }))
  })
})
