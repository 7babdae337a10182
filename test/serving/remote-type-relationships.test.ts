/**
 * Relationships that start at types of remote schemas (reference/remote-schemas#relationships,
 * reference/remote-schemas#joins): to tables and to other remote schemas, in chains.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { runOnDatabase } from '../admin/run-on-database.ts'
import { type Engine, type RequestHeaders, startEngine } from '../engine.ts'
import { createTestDatabase, type TestDatabase } from '../postgres.ts'
import { type RemoteServer, startRemoteServer } from './remote-server.ts'

const cmsSdl = `
  interface Node { id: ID! }
  type Query { article(id: Int!): Article  articles: [Article!]!  nodes: [Node!]!  crew: [[Writer]] }
  type Mutation { publish(id: Int!): Article }
  type Article implements Node { id: ID!  writer: Int  title: String  tags: [String!]  words(of: Int): Int  author: Writer }
  type Writer implements Node { id: ID!  account: Int  author: Int }
`
const writer = (id: number) => ({ __typename: 'Writer', id, account: id === 2 ? null : 70 + id, author: id })
const article = (id: number) => ({
  __typename: 'Article',
  id,
  writer: id === 3 ? null : id,
  title: `t${id}`,
  tags: ['x'],
  author: () => writer(id),
})
const cms = {
  article: ({ id }: { id: number }) => (id > 3 ? null : article(id)),
  articles: () => [article(1), article(2), article(3)],
  nodes: () => [article(1), writer(1), article(2)],
  crew: () => [[writer(1), null], [writer(2)]],
  publish: ({ id }: { id: number }) => article(id),
}
const bankSdl = `
  type Query { account(id: Int!, currency: String): Account }
  type Account { id: Int!  currency: String  label: String }
`
const bank = {
  account: ({ id, currency }: { id: number; currency?: string }) => ({
    id,
    currency: currency ?? null,
    label: `l${id}`,
  }),
}

describe('relationships of types of remote schemas', () => {
  let database: TestDatabase
  let cmsServer: RemoteServer
  let bankServer: RemoteServer
  let engine: Engine

  const ok = async (type: string, args: unknown) => {
    const { status, text, body } = await engine.metadata(type, args)
    assert.equal(status, 200, text)
    return body
  }
  const refused = async (type: string, args: unknown, status = 400) => {
    const answer = await engine.metadata(type, args)
    assert.equal(answer.status, status, answer.text)
    return answer.body
  }
  const ask = async (query: string, headers: RequestHeaders = {}, variables?: object) =>
    (await engine.post('/v1/graphql', { query, ...(variables && { variables }) }, headers)).body
  const data = async (query: string, headers: RequestHeaders = {}, variables?: object) => {
    const body = await ask(query, headers, variables)
    assert.equal(body.errors, undefined, JSON.stringify(body))
    return body.data
  }
  const relationship = (type_name: string, name: string, definition: object) => ({
    remote_schema: 'cms',
    type_name,
    name,
    definition,
  })
  const toTable = (field: string, column: string, table: string, relationship_type: string) => ({
    to_source: { source: 'default', table, relationship_type, field_mapping: { [field]: column } },
  })
  const create = (type: string, name: string, definition: object) =>
    ok('create_remote_schema_remote_relationship', relationship(type, name, definition))
  const toAccount = {
    to_remote_schema: {
      remote_schema: 'bank',
      lhs_fields: ['account'],
      remote_field: { account: { arguments: { id: '$account' } } },
    },
  }

  before(async () => {
    cmsServer = await startRemoteServer(cmsSdl, cms)
    bankServer = await startRemoteServer(bankSdl, bank)
    database = await createTestDatabase()
    await runOnDatabase(
      database.url,
      `CREATE TABLE person (id int PRIMARY KEY, name text, article int);
       CREATE TABLE sale (id int PRIMARY KEY, article int, price numeric);
       INSERT INTO person VALUES (1, 'ann', 2), (2, 'bob', 1);
       INSERT INTO sale VALUES (1, 1, 12345678901234567890.5), (2, 1, 2), (3, 2, 3);`,
    )
    engine = await startEngine({
      databaseUrl: database.url,
      env: { SVC_GRAPHQL_ENABLE_REMOTE_SCHEMA_PERMISSIONS: 'true' },
    })
    for (const table of ['person', 'sale']) await ok('pg_track_table', { table })
    await ok('add_remote_schema', { name: 'cms', definition: { url: cmsServer.url } })
    await ok('add_remote_schema', { name: 'bank', definition: { url: bankServer.url } })
    await ok('pg_create_remote_relationship', {
      table: 'person',
      name: 'favourite',
      definition: {
        to_remote_schema: {
          remote_schema: 'cms',
          lhs_fields: ['article'],
          remote_field: { article: { arguments: { id: '$article' } } },
        },
      },
    })
    await create('Article', 'person', toTable('writer', 'id', 'person', 'object'))
    await create('Article', 'sales', toTable('id', 'article', 'sale', 'array'))
    await create('Writer', 'details', toAccount)
    await create('Writer', 'person', toTable('author', 'id', 'person', 'object'))
  })
  after(async () => {
    await engine.stop()
    await cmsServer.close()
    await bankServer.close()
    await database.drop()
  })

  test('to a table: by its keys, in the order of the selection, with the arguments of lists', async () => {
    const { text } = await engine.post('/v1/graphql', {
      query:
        '{ articles { p: person { name } title sales(order_by: {id: desc}, limit: 1) { id price } sales_aggregate { aggregate { count } } id } }',
    })
    assert.equal(
      text,
      '{"data":{"articles":[' +
        '{"p":{"name":"ann"},"title":"t1","sales":[{"id":2,"price":2}],"sales_aggregate":{"aggregate":{"count":2}},"id":"1"},' +
        '{"p":{"name":"bob"},"title":"t2","sales":[{"id":3,"price":3}],"sales_aggregate":{"aggregate":{"count":1}},"id":"2"},' +
        '{"p":null,"title":"t3","sales":[],"sales_aggregate":{"aggregate":{"count":0}},"id":"3"}]}}',
    )
  })

  test('to a field of another remote schema, in lists of lists: equal keys once, none for null', async () => {
    bankServer.forget()
    assert.deepEqual(await data('{ crew { id details(currency: "EUR") { id currency } } }'), {
      crew: [[{ id: '1', details: { id: 71, currency: 'EUR' } }, null], [{ id: '2', details: null }]],
    })
    assert.equal(bankServer.asked.length, 1)
    await data('{ articles { author { id } } nodes { id } crew { id } }')
    assert.equal(bankServer.asked.length, 1)
  })

  test('in chains: table, remote schema, table, remote schema, another remote schema; one request a level', async () => {
    cmsServer.forget()
    bankServer.forget()
    const query = `query ($c: String) {
      person(order_by: {id: asc}) { name favourite { title person { id favourite { author { details(currency: $c) { id currency } } } } } }
    }`
    assert.deepEqual(await data(query, {}, { c: 'CHF' }), {
      person: [
        {
          name: 'ann',
          favourite: {
            title: 't2',
            person: { id: 2, favourite: { author: { details: { id: 71, currency: 'CHF' } } } },
          },
        },
        {
          name: 'bob',
          favourite: { title: 't1', person: { id: 1, favourite: { author: { details: null } } } },
        },
      ],
    })
    assert.equal(cmsServer.asked.length, 2)
    assert.equal(bankServer.asked.length, 1)
  })

  test('of several types behind an interface, each has its own', async () => {
    assert.deepEqual(
      await data(
        '{ nodes { __typename id ... on Article { person { name } } ... on Writer { details { label } person { id } } } }',
      ),
      {
        nodes: [
          { __typename: 'Article', id: '1', person: { name: 'ann' } },
          { __typename: 'Writer', id: '1', details: { label: 'l71' }, person: { id: 1 } },
          { __typename: 'Article', id: '2', person: { name: 'bob' } },
        ],
      },
    )
  })

  test('what is selected of one in several places is merged', async () => {
    const query = `{ article(id: 1) { person { id } ...F } article(id: 1) { author { details { id } } author { details { label } } } }
      fragment F on Article { ... on Article { person { name } } }`
    assert.deepEqual(await data(query), {
      article: { person: { id: 1, name: 'ann' }, author: { details: { id: 71, label: 'l71' } } },
    })
    const differing = await ask('{ articles { sales(limit: 1) { id } sales(limit: 2) { id } } }')
    assert.match(differing.errors[0].message, /inconsistent arguments/)
  })

  test('in answers of mutations, and skipped ones are not asked', async () => {
    assert.deepEqual(await data('mutation { publish(id: 1) { person { name } } }'), {
      publish: { person: { name: 'ann' } },
    })
    assert.deepEqual(
      await data(
        'query ($no: Boolean!) { article(id: 1) { id person @include(if: $no) { name } } }',
        {},
        { no: false },
      ),
      { article: { id: '1' } },
    )
  })

  test('a role sees one where it sees the type and the target; the keys it need not see', async () => {
    const clerk = { 'X-Svc-Role': 'clerk' }
    await ok('add_remote_schema_permissions', {
      remote_schema: 'cms',
      role: 'clerk',
      definition: {
        schema:
          'type Query { articles: [Article!]! } type Article { title: String author: Writer } type Writer { id: ID! }',
      },
    })
    const none = await ask('{ articles { title person { name } } }', clerk)
    assert.equal(none.errors[0].message, "field 'person' not found in type: 'Article'")
    const noBank = await ask('{ articles { author { details { id } } } }', clerk)
    assert.equal(noBank.errors[0].message, "field 'details' not found in type: 'Writer'")
    await ok('pg_create_select_permission', {
      table: 'person',
      role: 'clerk',
      permission: { columns: ['name'], filter: { id: { _eq: 'X-Svc-Person' } } },
    })
    assert.deepEqual(await data('{ articles { title person { name } } }', { ...clerk, 'X-Svc-Person': '2' }), {
      articles: [
        { title: 't1', person: null },
        { title: 't2', person: { name: 'bob' } },
        { title: 't3', person: null },
      ],
    })
    await ok('add_remote_schema_permissions', {
      remote_schema: 'bank',
      role: 'clerk',
      definition: { schema: 'type Query { account(id: Int!): Account } type Account { label: String }' },
    })
    assert.deepEqual(await data('{ articles { author { details { label } } } }', clerk), {
      articles: [
        { author: { details: { label: 'l71' } } },
        { author: { details: null } },
        { author: { details: { label: 'l73' } } },
      ],
    })
    const seen = await data(
      '{ __type(name: "Article") { fields { name args { name } type { kind name ofType { kind } } } } }',
      clerk,
    )
    assert.deepEqual(seen.__type.fields, [
      { name: 'author', args: [], type: { kind: 'OBJECT', name: 'Writer', ofType: null } },
      { name: 'person', args: [], type: { kind: 'OBJECT', name: 'person', ofType: null } },
      { name: 'title', args: [], type: { kind: 'SCALAR', name: 'String', ofType: null } },
    ])
  })

  test('definitions that do not fit are refused with the reason', async () => {
    const bad = async (type: string, name: string, definition: object) =>
      JSON.stringify(await refused('create_remote_schema_remote_relationship', relationship(type, name, definition)))
    const person = (field: string, column = 'id') => toTable(field, column, 'person', 'object')
    for (const [answer, reason] of [
      [await bad('Nope', 'x', person('id')), 'object type with name'],
      [await bad('Node', 'x', person('id')), 'object type with name'],
      [await bad('Query', 'x', person('id')), 'object type with name'],
      [await bad('Article', 'title', person('id')), 'already exists in type'],
      [await bad('Article', 'x', person('tags')), 'field with name tags is not provided by the lhs entity Article'],
      [await bad('Article', 'x', person('words')), 'field with name words is not provided by the lhs entity Article'],
      [await bad('Article', 'x', person('author')), 'field with name author is not provided by the lhs entity Article'],
      [await bad('Article', 'x', person('id', 'nope')), 'has no column named'],
      [await bad('Article', 'x', toTable('id', 'id', 'nope', 'object')), 'does not exist in source: default'],
      [await bad('Article', 'x', { to_source: { ...person('id').to_source, source: 'nope' } }), 'source not found: '],
      [
        await bad('Article', 'x', {
          to_remote_schema: {
            ...toAccount.to_remote_schema,
            lhs_fields: ['title'],
            remote_field: { account: { arguments: { id: '$title' } } },
          },
        }),
        'expected type',
      ],
    ] as const)
      assert.ok(answer.includes(reason), `${reason} in ${answer}`)
    const missing = { remote_schema: 'cms', type_name: 'Article', name: 'nope' }
    const answer = await refused('delete_remote_schema_remote_relationship', missing)
    assert.equal(answer.code, 'not-exists')
    assert.equal(answer.error, 'no relationship defined on remote schema cms with name nope on type Article')
    assert.equal((await refused('update_remote_schema_remote_relationship', { ...missing, definition: person('id') })).code, 'not-exists') // biome-ignore format: one line
    assert.equal((await refused('delete_remote_schema_remote_relationship', { ...missing, remote_schema: 'no' })).code, 'not-exists') // biome-ignore format: one line
  })

  test('renamed targets are followed, dependents keep what they need, changes of a remote make it inconsistent', async () => {
    const sql = await engine.post('/v2/query', {
      type: 'run_sql',
      args: { sql: 'ALTER TABLE sale RENAME COLUMN article TO piece' },
    })
    assert.equal(sql.status, 200, sql.text)
    assert.deepEqual(await data('{ article(id: 2) { sales { id } } }'), { article: { sales: [{ id: 3 }] } })
    const untrack = await refused('pg_untrack_table', { table: 'sale' })
    assert.equal(untrack.code, 'dependency-error')
    assert.match(untrack.error, /remote_relationship sales on type Article in remote schema cms/)
    assert.match(
      (await refused('remove_remote_schema', { name: 'bank' })).error,
      /remote_relationship details on type Writer in remote schema cms/,
    )
    cmsServer.serve(cmsSdl.replace('writer: Int', 'writers: Int'))
    const reload = () => ok('reload_metadata', { reload_remote_schemas: ['cms'], reload_sources: false })
    const { inconsistent_objects: objects } = await reload()
    const found = objects.filter(({ type }: { type: string }) => type === 'remote_schema_remote_relationship')
    assert.deepEqual(found, [
      {
        type: 'remote_schema_remote_relationship',
        name: 'remote_schema_remote_relationship remote_relationship person on type Article in remote schema cms',
        reason:
          'Inconsistent object: in remote schema "cms": in type "Article": in remote relationship "person": field with name writer is not provided by the lhs entity Article',
        definition: {
          name: 'person',
          definition: {
            to_source: {
              source: 'default',
              table: { schema: 'public', name: 'person' },
              relationship_type: 'object',
              field_mapping: { writer: 'id' },
            },
          },
        },
      },
    ])
    assert.match((await ask('{ articles { person { id } } }')).errors[0].message, /not found in type/)
    assert.deepEqual(await data('{ article(id: 2) { sales { id } } }'), { article: { sales: [{ id: 3 }] } })
    cmsServer.serve(cmsSdl)
    await reload()
    assert.deepEqual(await data('{ article(id: 2) { person { id } } }'), { article: { person: { id: 2 } } })
    await ok('delete_remote_schema_remote_relationship', { remote_schema: 'cms', type_name: 'Article', name: 'person' })
    assert.match((await ask('{ articles { person { id } } }')).errors[0].message, /not found in type/)
    const metadata = await ok('export_metadata', {})
    const schema = metadata.remote_schemas.find(({ name }: { name: string }) => name === 'cms')
    assert.deepEqual(
      schema.remote_relationships.map(({ type_name }: { type_name: string }) => type_name),
      ['Article', 'Writer'],
    )
  })
})
