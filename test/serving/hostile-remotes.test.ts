/**
 * A remote schema that misbehaves costs its own request an error and nothing else
 * (reference/remote-schemas#requests-to-remotes, reference/remote-schemas#joins).
 */
import assert from 'node:assert/strict'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { buildSchema, introspectionFromSchema } from 'graphql'
import { runOnDatabase } from '../admin/run-on-database.ts'
import { type Engine, startEngine } from '../engine.ts'
import { createTestDatabase, type TestDatabase } from '../postgres.ts'

const sdl = `
  type Query { user(id: Int!): User  users: [User!]! }
  type User { id: Int!  pet: Int  name: String!  friend: User }
`
const introspection = (text: string) =>
  JSON.stringify({ data: introspectionFromSchema(buildSchema(text), { descriptions: true }) })

type Answer = (response: ServerResponse, query: string) => void
const text =
  (body: string | Buffer, status = 200): Answer =>
  (response) => {
    response.statusCode = status
    response.end(body)
  }

describe('a hostile remote schema', () => {
  let database: TestDatabase
  let engine: Engine
  let schema = introspection(sdl)
  let answer: Answer = text('{}')
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const { query } = JSON.parse(body)
    if (query.includes('__schema')) response.end(schema)
    else answer(response, query)
  })

  const ask = async (query: string) => (await engine.post('/v1/graphql', { query })).body
  const errorOf = async (query: string) => {
    const body = await ask(query)
    assert.equal(body.errors?.length, 1, JSON.stringify(body).slice(0, 500))
    return body.errors[0]
  }
  const works = async () => assert.deepEqual(await ask('{ pet { id } }'), { data: { pet: [{ id: 1 }, { id: 2 }] } })
  const ok = async (type: string, args: unknown) => {
    const { status, text: message } = await engine.metadata(type, args)
    assert.equal(status, 200, message)
  }

  before(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    database = await createTestDatabase()
    await runOnDatabase(database.url, 'CREATE TABLE pet (id int PRIMARY KEY); INSERT INTO pet VALUES (1), (2)')
    engine = await startEngine({
      databaseUrl: database.url,
      env: { SVC_GRAPHQL_MAX_WEBHOOK_RESPONSE_SIZE: '2000000' },
    })
    await ok('pg_track_table', { table: 'pet' })
    await ok('add_remote_schema', { name: 'bad', definition: { url, timeout_seconds: 1 } })
    const to = { to_remote_schema: { remote_schema: 'bad', lhs_fields: ['id'], remote_field: { user: { arguments: { id: '$id' } } } } } // biome-ignore format: one line
    await ok('pg_create_remote_relationship', { table: 'pet', name: 'user', definition: to })
    await ok('create_remote_schema_remote_relationship', {
      remote_schema: 'bad',
      type_name: 'User',
      name: 'own_pet',
      definition: {
        to_source: { source: 'default', table: 'pet', relationship_type: 'object', field_mapping: { pet: 'id' } },
      },
    })
  })
  after(async () => {
    await engine.stop()
    server.closeAllConnections()
    server.close()
    await database.drop()
  })

  const user = '"id":1,"name":"n","own_pet":"User","svc_join_0_0":1'
  const root = '{ users { id name own_pet { id } } }'
  const join = '{ pet { id user { id name own_pet { id } } } }'

  test('that is slow costs its timeout, while other requests are answered', async () => {
    answer = () => {}
    const slow = errorOf(join)
    await works()
    const error = await slow
    assert.equal(error.extensions.code, 'remote-schema-error')
    assert.match(error.message, /^HTTP exception occurred while sending the request to /)
    assert.equal(error.extensions.internal.message, 'Response timeout')
  })

  test('whose answer does not end is cut off', async () => {
    answer = (response) => {
      response.write('{"data":{"users":[')
      const more = () => {
        while (!response.destroyed && response.write('{"id":1,"name":"x"},'.repeat(1000)));
        if (!response.destroyed) response.once('drain', more)
      }
      more()
    }
    const error = await errorOf(root)
    assert.equal(error.extensions.code, 'remote-schema-error')
    assert.match(error.extensions.internal.message, /larger than 2000000 bytes/)
    await works()
  })

  for (const [name, body] of [
    ['nothing', ''],
    ['HTML', '<html>'],
    ['JSON that ends early', '{"data":{"users":['],
    ['JSON with something behind it', '{"data":{"users":[]}} x'],
    ['what is not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d])],
    ['a hundred thousand open brackets', '['.repeat(100_000)],
  ] as const)
    test(`that answers with ${name}`, async () => {
      answer = text(body)
      for (const query of [root, join]) {
        const error = await errorOf(query)
        assert.equal(error.message, 'the remote schema did not answer with JSON')
        assert.equal(error.extensions.code, 'remote-schema-error')
      }
      await works()
    })

  test('that answers something else than it was asked', async () => {
    for (const [body, code, message] of [
      ['[]', 'remote-schema-error', 'Missing "data" field with no errors in response from remote'],
      ['7', 'remote-schema-error', 'Missing "data" field with no errors in response from remote'],
      ['{"data":null}', 'remote-schema-error', 'Received null "data" field with no errors in response from remote'],
      ['{"data":[]}', 'remote-schema-error', 'Received null "data" field with no errors in response from remote'],
      ['{"data":{"f0":{}}}', 'remote-schema-error', 'expecting key users'],
    ] as const) {
      answer = text(body)
      const error = await errorOf(root)
      assert.equal(error.message, message)
      assert.equal(error.extensions.code, code)
    }
    for (const body of ['{"data":{}}', '{"data":null}', `{"data":{"f0":{${user}}}}`]) {
      answer = text(body)
      assert.equal((await errorOf(join)).extensions.code, 'unexpected')
    }
    answer = text('{"errors":{"not":"a list"}}')
    assert.equal((await errorOf(join)).message, 'Errors from remote server')
    await works()
  })

  const promised = (at: string, said: string, type: string) =>
    `the remote schema "bad" answered ${said} at "${at}", where its schema has ${type}`
  for (const [name, body, at, said, type] of [
    ['null where its schema has none', `{${user.replace('"n"', 'null')}}`, 'users.0.name', 'with null', 'String!'],
    ['null in a list', 'null', 'users.0', 'with null', 'User!'],
    ['a number for a string', `{${user.replace('"n"', '7')}}`, 'users.0.name', 'with a number', 'String!'],
    ['a string for a number', `{${user.replace('1', '"1"')}}`, 'users.0.id', 'with a string', 'Int!'],
    ['a fraction for a whole number', `{${user.replace('1', '1.5')}}`, 'users.0.id', 'with a number', 'Int!'],
    ['a list for an object', `{${user}},[]`, 'users.1', 'with a list', 'User!'],
    ['an object for a scalar', `{${user}},{${user.replace('"n"', '{"a":[]}')}}`, 'users.1.name', 'with an object', 'String!'],
    ['an object for a value to join by', `{${user.replace(/1$/, '{}')}}`, 'users.0.svc_join_0_0', 'with an object', 'Int'],
    ['an object without a member', `{${user.replace('"id":1,', '')}}`, 'users.0.id', 'without a member', 'a member "id" of User!'],
    ['members twice, one of them wrong', `{"name":7,${user}}`, 'users.0.name', 'with a number', 'String!'],
  ] as const) // biome-ignore format: a table
    test(`that answers with ${name}`, async () => {
      answer = text(`{"data":{"users":[${body}]}}`)
      const error = await errorOf(root)
      assert.equal(error.message, promised(at, said, type))
      assert.deepEqual(error.extensions, { code: 'remote-schema-error', path: '$.selectionSet.users' })
      await works()
    })

  test('that answers with something else than a list', async () => {
    answer = text('{"data":{"users":{"id":1}}}')
    assert.equal((await errorOf(root)).message, promised('users', 'with an object', '[User!]!'))
  })

  test('that answers a join with other types', async () => {
    answer = text(`{"data":{"f0":{${user}},"f1":{${user.replace('"n"', 'true')}}}}`)
    const error = await errorOf(join)
    assert.equal(error.message, promised('pet.user.name', 'with a boolean', 'String!'))
    assert.deepEqual(error.extensions, { code: 'remote-schema-error', path: '$.selectionSet.pet.selectionSet.user' })
    await works()
  })

  test('whose answer has errors and wrong data fails with its errors', async () => {
    answer = text('{"data":{"users":[7]},"errors":[{"message":"mine"}]}')
    assert.equal((await errorOf(root)).message, 'mine')
  })

  test('that answers more than it was asked, in another order, with whole numbers that are written as fractions', async () => {
    answer = text(
      `{"data":{"users":[{"extra":{"__proto__":1},"name":"n","id":1.0,"svc_join_0_0":2,"own_pet":"User","more":[null]}]}}`,
    )
    assert.equal(
      (await engine.post('/v1/graphql', { query: root })).text,
      '{"data":{"users":[{"extra":{"__proto__":1},"name":"n","id":1.0,"own_pet":{"id":2},"more":[null]}]}}',
    )
  })

  test('that gives keys no table has, names twice or in escapes', async () => {
    answer = text(
      '{"data":{"users":[{"svc_join_0_0":2,"own\\u005fpet":"U","id":1,"id":2,"name":""},{"svc_join_0_0":99999,"own_pet":"U","id":1,"name":""}]}}',
    )
    assert.equal(
      (await engine.post('/v1/graphql', { query: root })).text,
      '{"data":{"users":[{"own\\u005fpet":{"id":2},"id":1,"id":2,"name":""},{"own_pet":null,"id":1,"name":""}]}}',
    )
    answer = text('{"data":{"users":[{"svc_join_0_0":"no number","own_pet":"U"}]}}')
    assert.ok((await errorOf(root)).extensions.code)
    await works()
  })

  test('that nests its answer a million deep', async () => {
    const deep = `${'{"friend":'.repeat(100_000)}null${'}'.repeat(100_000)}`
    answer = text(`{"data":{"users":[{${user},"extra":${deep}}]}}`)
    const answered = await engine.post('/v1/graphql', { query: root })
    assert.ok(answered.text.includes(deep))
    answer = text(`{"data":{"users":[${deep}]}}`)
    assert.equal((await errorOf(root)).message, promised('users.0.id', 'without a member', 'a member "id" of User!'))
    answer = text(`{"errors":[${deep}]}`)
    assert.match((await errorOf(root)).message, /too deep/)
    answer = text(`{"data":{"users":[{"own_pet":1,"svc_join_0_0":${'['.repeat(100_000)}${']'.repeat(100_000)}}]}}`)
    assert.ok((await errorOf(root)).extensions.code)
    await works()
  })

  test('that never answers holds a dry run up for its timeout, and no other request', async (t) => {
    const silent = createServer(() => {})
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    t.after(() => silent.closeAllConnections())
    t.after(() => silent.close())
    const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/`
    const definition = { url, timeout_seconds: 1 }
    let isAnswered = false
    const tried = engine
      .metadata('add_remote_schema', { name: 'silent', definition }, { dry_run: true })
      .then((answer) => {
        isAnswered = true
        return answer
      })
    await works()
    assert.equal((await engine.metadata('export_metadata', {})).status, 200)
    assert.equal(
      (await engine.metadata('pg_untrack_table', { table: 'pet', cascade: true }, { dry_run: true })).status,
      200,
    )
    assert.equal(isAnswered, false)
    const { status, body } = await tried
    assert.equal(status, 200)
    assert.match(JSON.stringify(body), /HTTP exception occurred while sending the request to/)
    const { metadata = {}, ...rest } = (await engine.metadata('export_metadata', {})).body
    assert.ok(!JSON.stringify([metadata, rest]).includes('silent'))
    await works()
  })

  test('whose introspection is huge, recursive or another each time', async () => {
    const reload = async () => (await engine.metadata('reload_metadata', { reload_remote_schemas: ['bad'], reload_sources: false })).body // biome-ignore format: one line
    const reasonOf = (body: {
      readonly inconsistent_objects?: readonly { readonly name: string; readonly reason: string }[]
    }) => body.inconsistent_objects?.find(({ name }) => name === 'remote_schema bad')?.reason
    schema = JSON.stringify({ data: { __schema: 'x'.repeat(3_000_000) } })
    assert.match(reasonOf(await reload()) ?? '', /HTTP exception/)
    const list = (depth: number): object =>
      depth === 0 ? { kind: 'SCALAR', name: 'Int' } : { kind: 'LIST', ofType: list(depth - 1) }
    const field = (type: object) => ({ name: 'user', args: [], type })
    const types = (type: object) => [{ kind: 'OBJECT', name: 'Query', fields: [field(type)], interfaces: [] }]
    const deep = `${'{"kind":"LIST","ofType":'.repeat(50_000)}{"kind":"SCALAR","name":"Int"}${'}'.repeat(50_000)}`
    schema = JSON.stringify({
      data: { __schema: { queryType: { name: 'Query' }, types: types({ kind: 'X' }) } },
    }).replace('{"kind":"X"}', deep)
    assert.match(reasonOf(await reload()) ?? '', /deep/)
    schema = JSON.stringify({ data: { __schema: { queryType: { name: 'Query' }, types: types(list(5)) } } })
    assert.match(JSON.stringify(await reload()), /in remote relationship/)
    schema = '{"data":{"__schema":{"queryType":{"name":"__proto__"},"types":[]}}}'
    assert.ok(reasonOf(await reload()))
    await works()
    schema = introspection(sdl)
    assert.deepEqual(await reload(), { message: 'success', is_consistent: true })
  })
})
