/**
 * Remote relationships (reference/remote-schemas#relationships, reference/remote-schemas#joins) through the real
 * process, two databases and a real GraphQL server.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { runOnDatabase } from '../admin/run-on-database.ts'
import { type Engine, type RequestHeaders, startEngine } from '../engine.ts'
import { createTestDatabase, type TestDatabase } from '../postgres.ts'
import { type RemoteServer, startRemoteServer } from './remote-server.ts'

const sdl = `
  type Query { account(id: Int!, currency: String): Account  search(by: Search!): [Account!]!  fails(id: Int!): String  secret(id: Int!): String }
  type Account { id: Int!  label(prefix: String, n: Int): String!  currency: String  type: String }
  input Search { id: Int  label: String  tags: [String!] }
`
const account = (id: number, currency?: string) => ({
  id,
  currency: currency ?? null,
  type: null,
  label: ({ prefix = 'a', n = 0 }: { prefix?: string; n?: number }) => `${prefix}${id}.${n}`,
})
const root = {
  account: ({ id, currency }: { id: number; currency?: string }) => (id === 404 ? null : account(id, currency)),
  search: ({ by }: { by: { id?: number; label?: string; tags?: string[] } }) =>
    (by.tags ?? ['none']).map((tag) => ({ ...account(by.id ?? 0), currency: by.label ?? null, type: tag })),
  fails: () => {
    throw new Error('it failed')
  },
  secret: () => 's',
}

describe('remote relationships', () => {
  let database: TestDatabase
  let other: TestDatabase
  let remote: RemoteServer
  let engine: Engine

  const ok = async (type: string, args: unknown) => {
    const { status, text, body } = await engine.metadata(type, args)
    assert.equal(status, 200, text)
    return body
  }
  const refused = async (type: string, args: unknown) => {
    const { status, body } = await engine.metadata(type, args)
    assert.equal(status, 400)
    return body
  }
  const ask = async (query: string, headers: RequestHeaders = {}, variables?: object) =>
    (await engine.post('/v1/graphql', { query, ...(variables && { variables }) }, headers)).body
  const data = async (query: string, headers: RequestHeaders = {}, variables?: object) => {
    const body = await ask(query, headers, variables)
    assert.equal(body.errors, undefined, JSON.stringify(body))
    return body.data
  }
  const toAccount = {
    remote_schema: 'bank',
    lhs_fields: ['account'],
    remote_field: { account: { arguments: { id: '$account' } } },
  }

  before(async () => {
    remote = await startRemoteServer(sdl, root)
    database = await createTestDatabase()
    other = await createTestDatabase()
    await runOnDatabase(
      database.url,
      `CREATE TABLE owner (id int PRIMARY KEY, name text, account int);
       CREATE TABLE pet (id int PRIMARY KEY, owner int REFERENCES owner, note jsonb, raw json, marks xml);
       INSERT INTO owner VALUES (1, 'ann', 7), (2, 'bob', 7), (3, 'cem', NULL), (4, 'dan', 404);
       INSERT INTO pet (id, owner, note) VALUES (1, 1, '{"account": ":join", ":account:0": 3}'), (2, 2, NULL), (3, 2, NULL), (4, 3, NULL);`,
    )
    await runOnDatabase(
      other.url,
      `CREATE TABLE bill (id int PRIMARY KEY, payer int, amount numeric, raw json[]);
       INSERT INTO bill (id, payer, amount) VALUES (1, 1, 12345678901234567890.5), (2, 1, 2), (3, 2, 3);`,
    )
    engine = await startEngine({
      databaseUrl: database.url,
      env: { REMOTE_URL: remote.url, SVC_GRAPHQL_ENABLE_REMOTE_SCHEMA_PERMISSIONS: 'true' },
    })
    await ok('pg_add_source', { name: 'billing', configuration: { connection_info: { database_url: other.url } } })
    for (const table of ['owner', 'pet']) await ok('pg_track_table', { table })
    await ok('pg_track_table', { source: 'billing', table: 'bill' })
    await ok('pg_create_object_relationship', {
      table: 'pet',
      name: 'keeper',
      using: { foreign_key_constraint_on: 'owner' },
    })
    await ok('add_remote_schema', { name: 'bank', definition: { url: '{{REMOTE_URL}}' } })
    await ok('pg_create_remote_relationship', {
      table: 'owner',
      name: 'account_details',
      definition: { to_remote_schema: toAccount },
    })
    await ok('pg_create_remote_relationship', {
      table: 'owner',
      name: 'bills',
      definition: {
        to_source: { source: 'billing', table: 'bill', relationship_type: 'array', field_mapping: { id: 'payer' } },
      },
    })
    await ok('pg_create_remote_relationship', {
      source: 'billing',
      table: 'bill',
      name: 'payer_details',
      definition: {
        to_source: { source: 'default', table: 'owner', relationship_type: 'object', field_mapping: { payer: 'id' } },
      },
    })
  })
  after(async () => {
    await engine.stop()
    await remote.close()
    await database.drop()
    await other.drop()
  })

  test('rows get the remote field by one request, equal keys once, null where a key is null', async () => {
    remote.forget()
    assert.deepEqual(
      await data(
        '{ owner(order_by: {id: asc}) { a: account_details(currency: "EUR") { label(prefix: "x") currency __typename } id } }',
      ),
      {
        owner: [
          { a: { label: 'x7.0', currency: 'EUR', __typename: 'Account' }, id: 1 },
          { a: { label: 'x7.0', currency: 'EUR', __typename: 'Account' }, id: 2 },
          { a: null, id: 3 },
          { a: null, id: 4 },
        ],
      },
    )
    assert.equal(remote.asked.length, 1)
    assert.equal(remote.asked[0]?.body.query.match(/account\(/g)?.length, 2)
  })

  test('fields keep the order of the selection, and variables of the client pass', async () => {
    const { text } = await engine.post('/v1/graphql', {
      query:
        'query ($p: String, $n: Int) { owner_by_pk(id: 1) { id account_details { label(prefix: $p, n: $n) } name } }',
      variables: { p: 'y', n: 5 },
    })
    assert.equal(text, '{"data":{"owner_by_pk":{"id":1,"account_details":{"label":"y7.5"},"name":"ann"}}}')
  })

  test('in nested objects and lists, and JSON of rows is left as it is', async () => {
    remote.forget()
    assert.deepEqual(
      await data('{ pet(where: {id: {_lte: 2}}, order_by: {id: asc}) { note keeper { account_details { id } } } }'),
      {
        pet: [
          { note: { account: ':join', ':account:0': 3 }, keeper: { account_details: { id: 7 } } },
          { note: null, keeper: { account_details: { id: 7 } } },
        ],
      },
    )
    assert.equal(remote.asked.length, 1)
  })

  test('to a table of another source, and from there on: numbers keep their digits', async () => {
    const { text } = await engine.post('/v1/graphql', {
      query: `{ owner(where: {id: {_lte: 3}}, order_by: {id: asc}) { bills(order_by: {id: asc}, limit: 1) { amount payer_details { name account_details { id } } } bills_aggregate { aggregate { count } } } }`,
    })
    assert.equal(
      text,
      '{"data":{"owner":[' +
        '{"bills":[{"amount":12345678901234567890.5,"payer_details":{"name":"ann","account_details":{"id":7}}}],"bills_aggregate":{"aggregate":{"count":2}}}, ' +
        '{"bills":[{"amount":3,"payer_details":{"name":"bob","account_details":{"id":7}}}],"bills_aggregate":{"aggregate":{"count":1}}}, ' +
        '{"bills":[],"bills_aggregate":{"aggregate":{"count":0}}}]}}',
    )
  })

  test('in what mutations return', async () => {
    assert.deepEqual(
      await data(
        'mutation { insert_owner(objects: [{id: 9, account: 9}]) { returning { account_details { id } bills { id } } affected_rows } delete_owner_by_pk(id: 9) { account_details { id } } }',
      ),
      {
        insert_owner: { returning: [{ account_details: { id: 9 }, bills: [] }], affected_rows: 1 },
        delete_owner_by_pk: { account_details: { id: 9 } },
      },
    )
  })

  test('arguments given in part are merged with those of the client, whose types have the rest', async () => {
    const by = { id: '$account', tags: ['fixed'] }
    await ok('pg_create_remote_relationship', {
      table: 'owner',
      name: 'found',
      svc_fields: ['account'],
      remote_schema: 'bank',
      remote_field: { search: { arguments: { by } } },
    })
    assert.deepEqual(
      await data(
        'query ($l: String) { owner_by_pk(id: 1) { found(by: {label: $l, tags: ["own"]}) { id currency type } } }',
        {},
        { l: 'lab' },
      ),
      {
        owner_by_pk: {
          found: [
            { id: 7, currency: 'lab', type: 'own' },
            { id: 7, currency: 'lab', type: 'fixed' },
          ],
        },
      },
    )
    const answer = await ask('{ owner_by_pk(id: 1) { found(by: {id: 8}) { id } } }')
    assert.match(answer.errors[0].message, /id/)
    const type = await data('{ __type(name: "Search_remote_rel_ownerfound") { inputFields { name } } }')
    assert.deepEqual(type.__type.inputFields, [{ name: 'label' }, { name: 'tags' }])
  })

  test('a role sees it where it sees the target and every fixed argument', async () => {
    for (const [source, table] of [
      ['default', 'owner'],
      ['billing', 'bill'],
    ])
      await ok('pg_create_select_permission', {
        source,
        table,
        role: 'clerk',
        permission:
          table === 'owner' ? { columns: ['name'], filter: {} } : { columns: ['id'], filter: { id: { _gt: 1 } } },
      })
    const clerk = { 'X-Svc-Role': 'clerk' }
    const none = await ask('{ owner { account_details { id } } }', clerk)
    assert.equal(none.errors[0].message, "field 'account_details' not found in type: 'owner'")
    assert.deepEqual(await data('{ owner(where: {name: {_eq: "ann"}}) { bills { id } } }', clerk), {
      owner: [{ bills: [{ id: 2 }] }],
    })
    await ok('add_remote_schema_permissions', {
      remote_schema: 'bank',
      role: 'clerk',
      definition: {
        schema:
          'type Query { account(id: Int!, currency: String @preset(value: "USD")): Account } type Account { id: Int! currency: String }',
      },
    })
    assert.deepEqual(await data('{ owner(where: {name: {_eq: "ann"}}) { account_details { id currency } } }', clerk), {
      owner: [{ account_details: { id: 7, currency: 'USD' } }],
    })
  })

  test('an error of the remote fails the request', async () => {
    await ok('pg_create_remote_relationship', {
      table: 'pet',
      name: 'failing',
      definition: {
        to_remote_schema: {
          remote_schema: 'bank',
          lhs_fields: ['id'],
          remote_field: { fails: { arguments: { id: '$id' } } },
        },
      },
    })
    const { errors } = await ask('{ pet { failing } }')
    assert.equal(errors[0].message, 'Errors from remote server')
    assert.equal(errors[0].extensions.code, 'unexpected')
    remote.answerWith({ status: 200, text: '{"data":{}}' })
    try {
      assert.equal((await ask('{ pet { failing } }')).errors[0].extensions.code, 'unexpected')
    } finally {
      remote.answerWith(null)
    }
  })

  test('definitions that do not fit are refused with the reason', async () => {
    const create = (changes: object) =>
      refused('pg_create_remote_relationship', {
        table: 'owner',
        name: 'bad',
        definition: { to_remote_schema: { ...toAccount, ...changes } },
      })
    const field = (args: object) => ({ remote_field: { account: { arguments: args } } })
    for (const [changes, reason] of [
      [{ remote_schema: 'nope' }, 'remote schema with name "nope" not found'],
      [{ lhs_fields: ['nope'] }, 'field with name nope is not provided by the lhs entity owner'],
      [field({ id: '$nope' }), 'variable "nope" is not found'],
      [field({ nope: 1 }), 'argument with name nope not found in remote schema'],
      [field({ id: 'x' }), 'expected type "Int" but got "String"'],
      [field({ id: null }), 'null is not allowed here'],
      [{ remote_field: { nope: {} } }, 'remote field with name nope and type Query not found'],
    ] as const)
      assert.ok(
        JSON.stringify(await create(changes)).includes(JSON.stringify(reason).slice(1, -1)),
        JSON.stringify(await create(changes)),
      )
    assert.equal(
      (await refused('pg_create_remote_relationship', { table: 'owner', name: 'bad' })).error,
      'create_remote_relationship expects exactly one of: remote_schema, definition',
    )
    assert.equal(
      (
        await refused('pg_update_remote_relationship', {
          table: 'owner',
          name: 'bad',
          definition: { to_remote_schema: toAccount },
        })
      ).code,
      'not-exists',
    )
    assert.equal(
      (await refused('pg_delete_remote_relationship', { table: 'pet', name: 'keeper' })).code,
      'unexpected-payload',
    )
    assert.equal(
      (
        await refused('pg_create_remote_relationship', {
          table: 'pet',
          name: 'keeper',
          definition: { to_remote_schema: { ...toAccount, lhs_fields: ['id'] } },
        })
      ).code,
      'already-exists',
    )
  })

  test('no relationship compares values of types that have no equality', async () => {
    const toBills = (field_mapping: object) => ({
      to_source: { source: 'billing', table: 'bill', relationship_type: 'array', field_mapping },
    })
    const create = (definition: object) =>
      refused('pg_create_remote_relationship', { table: 'pet', name: 'bad', definition })
    for (const [mapping, column, type] of [
      [{ raw: 'id' }, 'raw', 'json'],
      [{ marks: 'id' }, 'marks', 'xml'],
      [{ id: 'raw' }, 'raw', 'json'],
    ] as const) {
      const { error } = await create(toBills(mapping))
      assert.ok(error.includes(`the column "${column}" is of type ${type}, whose values cannot be joined on`), error)
    }
    const manual_configuration = { remote_table: 'owner', column_mapping: { raw: 'name' } }
    const byHand = { table: 'pet', name: 'bad', using: { manual_configuration } }
    const toPet = { source: 'default', remote_table: 'pet', field_mapping: { raw: 'raw' } }
    const found = { fields: [{ name: 'raw', type: 'json' }], relationships: [{ name: 'r', type: 'object', ...toPet }] }
    const ofTypes = await refused('set_custom_types', { objects: [{ name: 'Found', ...found }] })
    assert.match(ofTypes.error, /the column "raw" .* is of type json, whose values cannot be joined on/)
    const fields = [{ name: 'raw', type: 'json' }]
    await ok('pg_track_logical_model', { name: 'raws', fields })
    const using = { manual_configuration: { remote_table: 'pet', column_mapping: { raw: 'id' } } }
    const query = { root_field_name: 'raws', code: 'SELECT raw FROM pet', returns: 'raws' }
    const ofQuery = await refused('pg_track_native_query', { ...query, array_relationships: [{ name: 'r', using }] })
    assert.match(ofQuery.error, /the column "raw" is of type json, whose values cannot be joined on/)
    await ok('pg_untrack_logical_model', { name: 'raws' })
    const { error } = await refused('pg_create_array_relationship', byHand)
    assert.match(error, /the column "raw" is of type json, whose values cannot be joined on/)
  })

  test('the remote schema cannot be removed while a relationship leads to it', async () => {
    assert.equal((await refused('remove_remote_schema', { name: 'bank' })).code, 'dependency-error')
  })
})
