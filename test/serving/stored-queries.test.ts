/**
 * Query collections, the allow-list and REST endpoints (reference/metadata-operations#stored-queries,
 * reference/stored-queries#collections-and-the-allow-list) through the real process.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { runOnDatabase } from '../admin/run-on-database.ts'
import { type Engine, startEngine } from '../engine.ts'
import { createTestDatabase, type TestDatabase } from '../postgres.ts'

const schema = `
  CREATE TABLE artist (id int PRIMARY KEY, name text NOT NULL, big bigint, live boolean, tags text[]);
  INSERT INTO artist VALUES (1, 'Ada', 9007199254740993, true, '{a}'), (2, 'Bo', 2, false, '{}');
`

const queries = [
  { name: 'all', query: 'query { artist(order_by: {id: asc}) { id name } }' },
  { name: 'one', query: 'query ($id: Int!) { artist(where: {id: {_eq: $id}}) { name } }' },
  { name: 'named', query: 'query ($name: String = "Bo") { artist(where: {name: {_eq: $name}}) { id } }' },
  { name: 'big', query: 'query ($big: bigint!) { artist(where: {big: {_eq: $big}}) { id } }' },
  { name: 'living', query: 'query ($live: Boolean!) { artist(where: {live: {_eq: $live}}) { id live } }' },
  { name: 'listed', query: 'query ($ids: [Int!]!) { artist(where: {id: {_in: $ids}}) { id } }' },
]

describe('stored queries', () => {
  let database: TestDatabase
  let engine: Engine

  const ok = async (type: string, args: unknown) => {
    const { status, text, body } = await engine.metadata(type, args)
    assert.equal(status, 200, text)
    return body
  }
  const refused = async (type: string, args: unknown) => {
    const { status, body } = await engine.metadata(type, args)
    return { status, code: body.code, path: body.path, error: body.error }
  }
  const endpoint = (name: string, url: string, query: string, methods = ['GET', 'POST']) => ({
    name,
    url,
    methods,
    definition: { query: { collection_name: 'shop', query_name: query } },
  })

  before(async () => {
    database = await createTestDatabase()
    await runOnDatabase(database.url, schema)
    engine = await startEngine({ databaseUrl: database.url, env: { SVC_GRAPHQL_ENABLE_ALLOWLIST: 'true' } })
    await ok('pg_track_table', { table: 'artist' })
    await ok('pg_create_select_permission', {
      table: 'artist',
      role: 'user',
      permission: { columns: ['id', 'name', 'big'], filter: {} },
    })
    await ok('create_query_collection', { name: 'shop', definition: { queries } })
    for (const args of [
      endpoint('all', 'artists', 'all'),
      endpoint('one', 'artists/:id', 'one'),
      endpoint('named', 'named', 'named'),
      endpoint('big', 'big/:big', 'big'),
      endpoint('living', 'living', 'living'),
      endpoint('listed', 'listed', 'listed'),
    ])
      await ok('create_rest_endpoint', args)
  })
  after(async () => {
    await engine.stop()
    await database.drop()
  })

  const get = async (path: string, headers = {}) => {
    const { status, body } = await engine.get(`/api/rest/${path}`, headers)
    return { status, body }
  }

  test('an endpoint answers with the data itself, for the role that asks', async () => {
    assert.deepEqual(await get('artists'), {
      status: 200,
      body: { artist: [{ id: 1, name: 'Ada' }, { id: 2, name: 'Bo' }] }, // biome-ignore format: one line a row
    })
    const nobody = await get('artists', { 'x-svc-role': 'nobody' })
    assert.equal(nobody.body.code, 'validation-failed')
  })

  test('variables come from path, body, query string and form, in that order', async () => {
    assert.deepEqual((await get('artists/2')).body, { artist: [{ name: 'Bo' }] })
    assert.deepEqual((await get('named?name=Ada')).body, { artist: [{ id: 1 }] })
    assert.deepEqual((await get('named')).body, { artist: [{ id: 2 }] })
    assert.deepEqual((await get('named?name=')).body, { artist: [{ id: 2 }] })
    const post = (path: string, body: string, type: string) =>
      engine.send('POST', `/api/rest/${path}`, body, { 'content-type': type })
    assert.deepEqual((await post('named?name=Bo', '{"name":"Ada"}', 'text/plain')).body, { artist: [{ id: 1 }] })
    assert.deepEqual((await post('artists/1', '{"id":2}', 'application/json')).body, { artist: [{ name: 'Ada' }] })
    assert.deepEqual((await post('named', 'name=Ada', 'application/x-www-form-urlencoded')).body, {
      artist: [{ id: 1 }],
    })
    assert.deepEqual((await post('listed', '{"ids":[2]}', 'application/json')).body, { artist: [{ id: 2 }] })
  })

  test('numbers keep their digits, a flag without a value says yes', async () => {
    assert.deepEqual((await get('big/9007199254740993')).body, { artist: [{ id: 1 }] })
    assert.deepEqual((await get('big/9007199254740992')).body, { artist: [] })
    assert.deepEqual((await get('living?live')).body, { artist: [{ id: 1, live: true }] })
    assert.deepEqual((await get('living?live=false')).body, { artist: [{ id: 2, live: false }] })
  })

  const wrong = [
    ['nothing', 404, 'not-found', 'Endpoint not found'],
    ['named?nope=1', 400, 'bad-request', 'Unexpected variable nope'],
    ['artists/x', 400, 'bad-request', 'the value "x" of variable id is no Int'],
    ['living?live=yes', 400, 'bad-request', 'the value "yes" of variable live is no Boolean'],
    ['living', 400, 'validation-failed', 'expecting a value for non-nullable variable: "live"'],
    [
      'listed?ids=1',
      400,
      'bad-request',
      'List variables are not currently supported in URL or Query parameters. (Variable ids, with value "1")',
    ],
  ] as const
  for (const [path, status, code, error] of wrong)
    test(`GET ${path}: ${error}`, async () => {
      assert.deepEqual(await get(path), { status, body: { error, path: '$', code } })
    })

  test('another method than the declared ones', async () => {
    const { status, body } = await engine.send('DELETE', '/api/rest/artists', null)
    assert.deepEqual([status, body.code, body.error], [405, 'method-not-allowed', 'Allowed methods: GET, POST'])
    const trace = await engine.send('PROPFIND', '/api/rest/artists', null)
    assert.deepEqual([trace.status, trace.body.error], [400, 'Method PROPFIND not supported.'])
  })

  test('endpoints that a request could not choose between are refused', async () => {
    assert.deepEqual(await refused('create_rest_endpoint', endpoint('clash', 'artists/:name', 'named')), {
      status: 400,
      code: 'invalid-configuration',
      path: '$.args',
      error: 'Ambiguous URL paths: artists/:id, artists/:name',
    })
    await ok('create_rest_endpoint', endpoint('other', 'artists/:name', 'named', ['PUT']))
    await ok('drop_rest_endpoint', { name: 'other' })
    assert.equal(
      (await refused('create_rest_endpoint', endpoint('lost', 'lost', 'nope'))).error,
      'Inconsistent object: in endpoint lost: query with name nope does not exist in collection shop',
    )
  })

  test('operations of collections and of the allow-list say what is wrong', async () => {
    const message = (of: { error: string }) => of.error
    assert.deepEqual(await refused('create_query_collection', { name: 'shop', definition: { queries } }), {
      status: 400,
      code: 'already-exists',
      path: '$.args.name',
      error: 'query collection with name "shop" already exists',
    })
    const twice = [queries[0], queries[0]]
    assert.deepEqual((await refused('create_query_collection', { name: 'x', definition: { queries: twice } })).path, '$.args.definition.queries') // biome-ignore format: one call
    const text = await refused('add_query_to_collection', { collection_name: 'shop', query_name: 'x', query: '{' })
    assert.deepEqual([text.code, text.path], ['parse-failed', '$.args.query'])
    const missing = await refused('add_query_to_collection', { collection_name: 'x', query_name: 'x', query: '{ a }' })
    assert.deepEqual([missing.code, missing.path], ['not-exists', '$.args.collection_name'])
    const gone = await refused('drop_query_from_collection', { collection_name: 'shop', query_name: 'x' })
    assert.deepEqual([gone.code, message(gone)], ['not-found', 'query with name "x" not found in collection "shop"'])
    const entry = await refused('drop_collection_from_allowlist', { collection: 'shop' })
    assert.deepEqual([entry.code, message(entry)], ['not-found', 'collection "shop" doesn\'t exist in the allowlist'])
    const scope = { global: true, roles: ['user'] }
    const both = await refused('add_collection_to_allowlist', { collection: 'shop', scope })
    assert.deepEqual([both.code, both.path], ['parse-failed', '$.args.scope.roles'])
    // an endpoint needs it
    assert.equal((await refused('drop_query_collection', { collection: 'shop', cascade: true })).status, 500)
  })

  test('roles may send what their collections hold, however it is written; the admin sends anything', async () => {
    const asUser = async (query: string) =>
      (await engine.post('/v1/graphql', { query }, { 'x-svc-role': 'user' })).body.errors?.[0].message ?? 'allowed'
    const all = queries[0]?.query ?? ''
    assert.equal(await asUser(all), 'query is not allowed')
    await ok('add_collection_to_allowlist', { collection: 'shop', scope: { global: false, roles: ['other'] } })
    assert.equal(await asUser(all), 'query is not allowed')
    assert.match((await ok('add_collection_to_allowlist', { collection: 'shop' })).message, /already exists/)
    await ok('update_scope_of_collection_in_allowlist', {
      collection: 'shop',
      scope: { global: false, roles: ['user'] },
    })
    assert.equal(await asUser(all), 'allowed')
    assert.equal(await asUser('query { artist(order_by: {id: asc}) { __typename id, name } } # same'), 'allowed')
    assert.equal(await asUser('query { artist(order_by: {id: asc}) { name id } }'), 'query is not allowed')
    // longer than what is remembered
    assert.equal(await asUser(`${all} # ${'x'.repeat(10_000)}`), 'allowed')
    assert.equal(await asUser(`{ artist { id } } # ${'x'.repeat(10_000)}`), 'query is not allowed')
    assert.equal(await asUser('query Q { artist(order_by: {id: asc}) { id name } }'), 'query is not allowed')
    assert.equal((await get('artists', { 'x-svc-role': 'user' })).status, 200)
    assert.equal((await engine.post('/v1/graphql', { query: '{ artist { big } }' })).body.errors, undefined)
    await ok('drop_collection_from_allowlist', { collection: 'shop' })
    assert.equal(await asUser(all), 'query is not allowed')
    assert.equal((await get('artists', { 'x-svc-role': 'user' })).body.error, 'query is not allowed')
  })

  test('an argument that does not fit is a warning, said once', async () => {
    const query = '{ artist(first: 1, where: {none: {}}) { id } }'
    const added = { collection_name: 'shop', query_name: 'warned', query }
    const { warnings } = await ok('add_query_to_collection', added)
    assert.deepEqual(warnings, [
      {
        code: 'invalid-query-argument',
        type: 'query_collections',
        name: 'query_collections warned in shop',
        message:
          'In query collection "shop" the query "warned" has arguments that do not fit: ' +
          `"$.artist: 'artist' has no argument named 'first'", ` +
          `"$.artist.args.where.none: field 'none' not found in type: 'artist_bool_exp'"`,
      },
    ])
    assert.deepEqual(await ok('drop_query_from_collection', { collection_name: 'shop', query_name: 'warned' }), {
      message: 'success',
    })
  })

  test('a stored query that would no longer be valid refuses the change, and only it is dropped when it has become invalid', async () => {
    const refusal = await engine.metadata('pg_set_table_customization', {
      table: 'artist',
      configuration: { column_config: { name: { custom_name: 'title' } } },
    })
    assert.equal(refusal.status, 400)
    assert.deepEqual(
      refusal.body.internal.map((one: { name: string }) => one.name),
      ['query_collections all in shop', 'query_collections one in shop'],
    )
    assert.equal(
      refusal.body.internal[1].reason,
      'Inconsistent object: In query collection "shop" the query "one" is invalid with the following error(s): ' +
        '"$.artist.name: field \'name\' not found in object \'artist\'". This query is being used in the following REST endpoint(s): "one"',
    )
    await runOnDatabase(database.url, 'ALTER TABLE artist RENAME COLUMN live TO alive')
    await ok('reload_metadata', {})
    const [found, ...others] = await ok('get_inconsistent_metadata', {})
    assert.deepEqual([found.name, others.length], ['query_collections living in shop', 0])
    await ok('drop_rest_endpoint', { name: 'living' })
    await ok('drop_inconsistent_metadata', {})
    const { query_collections } = await ok('export_metadata', {})
    assert.deepEqual(
      query_collections[0].definition.queries.map((one: { name: string }) => one.name),
      ['all', 'one', 'named', 'big', 'listed'],
    )
  })
})
