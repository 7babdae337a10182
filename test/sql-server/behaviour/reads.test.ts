/**
 * What a client reads of a source on SQL Server, by the engine as a process: on the double, or on the server that
 * SVC_TEST_MSSQL_URL names (an ODBC connection string; tables of the schema svc_reads are made there, and dropped).
 */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { type Engine, startEngine } from '../../engine.ts'
import { startSqlServerDouble } from '../sql-server-double.ts'

const real = process.env.SVC_TEST_MSSQL_URL

const drop = `IF OBJECT_ID('svc_reads.most', 'P') IS NOT NULL DROP PROCEDURE svc_reads.most;
IF OBJECT_ID('svc_reads.track') IS NOT NULL DROP TABLE svc_reads.track;
IF OBJECT_ID('svc_reads.album') IS NOT NULL DROP TABLE svc_reads.album;
IF OBJECT_ID('svc_reads.artist') IS NOT NULL DROP TABLE svc_reads.artist;`

const create = [
  `CREATE TABLE svc_reads.artist (id int PRIMARY KEY, name nvarchar(50) NULL);
CREATE TABLE svc_reads.album (id int PRIMARY KEY, title nvarchar(50) NOT NULL, artist_id int NULL REFERENCES svc_reads.artist(id), year int NULL);
CREATE TABLE svc_reads.track (id bigint PRIMARY KEY, name varchar(50) NOT NULL, album_id int NULL REFERENCES svc_reads.album(id), price decimal(38, 18) NULL, paid money NULL, plays int NULL, live bit NULL);
INSERT INTO svc_reads.artist (id, name) VALUES (1, N'Ann'), (2, N'Боб'), (3, NULL);
INSERT INTO svc_reads.album (id, title, artist_id, year) VALUES (10, N'First', 1, 1990), (11, N'Second', 1, NULL), (12, N'Third', 2, 1995), (13, N'Lost', NULL, 1991);
INSERT INTO svc_reads.track (id, name, album_id, price, paid, plays, live) VALUES (9007199254740993, 'a', 10, 12345678901234567890.123456789012345678, 922337203685477.5807, 13, 1), (2, 'b', 10, 1.5, 1.10, 4, 0), (3, 'c', 12, NULL, NULL, NULL, NULL), (4, 'd', NULL, 2.5, 0, 7, 1)`,
  'CREATE PROCEDURE svc_reads.most @n int AS SELECT TOP (@n) id, title FROM svc_reads.album ORDER BY id',
]

const table = (name: string) => ({ schema: 'svc_reads', name })
const track = (name: string) => ({
  type: 'mssql_track_table',
  args: { source: 'ms', table: table(name), configuration: { custom_name: name } },
})
const select = (name: string, role: string, permission: object) => ({
  type: 'mssql_create_select_permission',
  args: { source: 'ms', table: table(name), role, permission },
})
const relationship = (kind: 'object' | 'array', from: string, name: string, using: object) => ({
  type: `mssql_create_${kind}_relationship`,
  args: { source: 'ms', table: table(from), name, using },
})

const metadata = [
  ...['artist', 'album', 'track'].map(track),
  relationship('object', 'album', 'artist', { foreign_key_constraint_on: 'artist_id' }),
  relationship('array', 'album', 'tracks', {
    foreign_key_constraint_on: { table: table('track'), column: 'album_id' },
  }),
  relationship('object', 'track', 'album', { foreign_key_constraint_on: 'album_id' }),
  select('album', 'listener', { columns: ['id', 'title'], filter: { artist_id: 'X-Svc-Artist-Id' } }),
  select('artist', 'listener', {
    columns: ['id', 'name'],
    filter: { id: { _in: [1, 2] } },
    limit: 1,
    allow_aggregations: true,
  }),
  select('track', 'cheap', { columns: ['id', 'price'], filter: { plays: { _lt: 10 } } }),
  select('track', 'named', { columns: ['id', 'name'], filter: {} }),
  { type: 'add_inherited_role', args: { role_name: 'both', role_set: ['cheap', 'named'] } },
  {
    type: 'mssql_track_logical_model',
    args: {
      source: 'ms',
      name: 'found',
      fields: [
        { name: 'id', type: { scalar: 'int' } },
        { name: 'title', type: { scalar: 'nvarchar(50)', nullable: true } },
      ],
    },
  },
  {
    type: 'mssql_track_native_query',
    args: {
      source: 'ms',
      root_field_name: 'albums_since',
      code: 'SELECT id, title FROM svc_reads.album WHERE year >= {{year}};',
      arguments: { year: { type: 'int' } },
      returns: 'found',
    },
  },
  {
    type: 'mssql_track_stored_procedure',
    args: {
      source: 'ms',
      stored_procedure: table('most'),
      configuration: { exposed_as: 'query', custom_name: 'most' },
      returns: 'found',
      arguments: { n: { type: 'int' } },
    },
  },
]

const reviews = `CREATE TABLE review (id int PRIMARY KEY, album_id int, text text);
INSERT INTO review VALUES (1, 10, 'good'), (2, 11, 'bad'), (3, NULL, 'none')`

const remote = (prefix: string, source: string, from: unknown, name: string, definition: object) => ({
  type: `${prefix}_create_remote_relationship`,
  args: { source, table: from, name, definition: { to_source: definition } },
})
const toAlbum = { source: 'ms', table: table('album'), field_mapping: { album_id: 'id' } }
const joins = [
  { type: 'pg_track_table', args: { source: 'pg', table: 'review' } },
  remote('pg', 'pg', 'review', 'album', { ...toAlbum, relationship_type: 'object' }),
  remote('pg', 'pg', 'review', 'albums', { ...toAlbum, relationship_type: 'array' }),
  remote('mssql', 'ms', table('album'), 'reviews', {
    source: 'pg',
    table: 'review',
    field_mapping: { id: 'album_id' },
    relationship_type: 'array',
  }),
]

suite('a client reads a source on SQL Server', () => {
  const setUp = async (t: Parameters<typeof startSqlServerDouble>[0]): Promise<Engine> => {
    const connection_string = real ?? (await startSqlServerDouble(t)).connectionString
    const engine = await startEngine({}, t)
    const configuration = { connection_info: { connection_string } }
    const take = async (type: string, args: unknown, at = '/v1/metadata') => {
      const { status, text } = await engine.post(at, { type, args })
      assert.equal(status, 200, text)
    }
    await take('mssql_add_source', { name: 'ms', configuration })
    const runSql = (sql: string) => take('mssql_run_sql', { source: 'ms', sql, cascade: true }, '/v2/query')
    if (real) await runSql(`${drop} IF SCHEMA_ID('svc_reads') IS NOT NULL DROP SCHEMA svc_reads;`)
    await runSql('CREATE SCHEMA svc_reads')
    for (const sql of create) await runSql(sql)
    for (const { type, args } of metadata) await take(type, args)
    await take('pg_add_source', {
      name: 'pg',
      configuration: { connection_info: { database_url: engine.databaseUrl } },
    })
    await take('pg_run_sql', { source: 'pg', sql: reviews }, '/v2/query')
    for (const { type, args } of joins) await take(type, args)
    if (real) t.after(() => runSql(`${drop} DROP SCHEMA svc_reads`))
    return engine
  }
  let engine: Engine
  const ends: (() => Promise<void>)[] = []
  before(async () => {
    engine = await setUp({ after: (end) => void ends.push(end) })
  })
  after(async () => {
    for (const end of ends.reverse()) await end()
  })

  const ask = async (query: string, role?: Readonly<Record<string, string>>, variables = {}) =>
    engine.post('/v1/graphql', { query, variables }, role)
  /** The answer's text, since its numbers have more digits than JavaScript's. */
  const data = async (query: string, role?: Readonly<Record<string, string>>, variables = {}) => {
    const { text } = await ask(query, role, variables)
    return text.replace(/^\{"data":(.*)\}$/s, '$1')
  }

  test('rows with the rows of relationships, in an order that has NULL first', async () => {
    assert.equal(
      await data(
        '{ album(order_by: {year: asc}) { title artist { name } tracks(order_by: {id: desc}, limit: 1) { name } } }',
      ),
      '{"album":[{"title":"Second","artist":{"name":"Ann"},"tracks":[]},{"title":"First","artist":{"name":"Ann"},"tracks":[{"name":"a"}]},{"title":"Lost","artist":null,"tracks":[]},{"title":"Third","artist":{"name":"Боб"},"tracks":[{"name":"c"}]}]}',
    )
  })

  test('numbers with every digit, out and in', async () => {
    assert.equal(
      await data('{ track_by_pk(id: 9007199254740993) { id price paid live } }'),
      '{"track_by_pk":{"id":9007199254740993,"price":12345678901234567890.123456789012345678,"paid":922337203685477.5807,"live":true}}',
    )
    const byText = '{ track(where: {id: {_in: $ids}, paid: {_eq: "922337203685477.5807"}}) { name } }'
    assert.equal(
      await data(`query ($ids: [Int!]) ${byText}`, undefined, { ids: ['9007199254740993'] }),
      '{"track":[{"name":"a"}]}',
    )
    assert.equal(await data('{ track_by_pk(id: 9007199254740992) { id } }'), '{"track_by_pk":null}')
  })

  test('no rows where the limit is 0, or a list is empty', async () => {
    assert.equal(await data('query ($n: Int) { album(limit: $n) { id } }', undefined, { n: 0 }), '{"album":[]}')
    assert.equal(await data('{ album(limit: 0) { id } }'), '{"album":[]}')
    assert.equal(await data('{ album(where: {id: {_in: []}}) { id } }'), '{"album":[]}')
    assert.equal(
      await data('{ artist(where: {id: {_nin: []}}, order_by: {id: asc}) { id } }'),
      '{"artist":[{"id":1},{"id":2},{"id":3}]}',
    )
  })

  test('a page behind an offset, with and without an order', async () => {
    assert.equal(
      await data('{ album(order_by: {id: desc}, offset: 1, limit: 2) { id } }'),
      '{"album":[{"id":12},{"id":11}]}',
    )
    assert.equal(JSON.parse(await data('{ album(offset: 3) { id } }')).album.length, 1)
  })

  test('aggregates over the same page that nodes show, and none of no rows', async () => {
    assert.equal(
      await data(
        '{ track_aggregate(order_by: {plays: desc}, offset: 1, limit: 2) { aggregate { count(column: plays) sum { plays } avg { plays } } nodes { plays } } }',
      ),
      '{"track_aggregate":{"aggregate":{"count":2,"sum":{"plays":11},"avg":{"plays":5}},"nodes":[{"plays":7},{"plays":4}]}}',
    )
    assert.equal(
      await data('{ track_aggregate(where: {id: {_eq: 0}}) { aggregate { count max { name } } nodes { id } } }'),
      '{"track_aggregate":{"aggregate":{"count":0,"max":{"name":null}},"nodes":[]}}',
    )
    const { album } = JSON.parse(
      await data(
        '{ album(order_by: {id: asc}, limit: 1) { tracks_aggregate { aggregate { count stddev_pop { plays } } } } }',
      ),
    )
    assert.deepEqual(album, [{ tracks_aggregate: { aggregate: { count: 2, stddev_pop: { plays: 4.5 } } } }])
  })

  test('conditions and orders on rows that relationships lead to', async () => {
    assert.equal(
      await data('{ album(where: {tracks: {plays: {_gt: 5}}, artist: {name: {_like: "A%"}}}) { title } }'),
      '{"album":[{"title":"First"}]}',
    )
    assert.equal(
      await data('{ album(order_by: [{artist: {name: desc}}, {tracks_aggregate: {count: desc}}, {id: asc}]) { id } }'),
      '{"album":[{"id":12},{"id":10},{"id":11},{"id":13}]}',
    )
  })

  test('a role sees its rows: session variables, lists of constants, limits', async () => {
    const listener = { 'x-svc-role': 'listener', 'x-svc-artist-id': '1' }
    assert.equal(
      await data('{ album(order_by: {id: asc}) { title } }', listener),
      '{"album":[{"title":"First"},{"title":"Second"}]}',
    )
    const { body } = await ask('{ album { title } }', { 'x-svc-role': 'listener' })
    assert.deepEqual(body.errors, [
      {
        message: 'missing session variable: "x-svc-artist-id"',
        extensions: { path: '$', code: 'not-found' },
      },
    ])
    assert.equal(
      await data('{ artist_aggregate(order_by: {id: asc}) { aggregate { count } nodes { id } } }', listener),
      '{"artist_aggregate":{"aggregate":{"count":2},"nodes":[{"id":1}]}}',
    )
  })

  test('an inherited role sees a cell where one of its roles does', async () => {
    assert.equal(
      await data('{ track(order_by: {id: asc}, where: {id: {_lt: 10}}) { id name price } }', { 'x-svc-role': 'both' }),
      '{"track":[{"id":2,"name":"b","price":1.500000000000000000},{"id":3,"name":"c","price":null},{"id":4,"name":"d","price":2.500000000000000000}]}',
    )
  })

  test('a native query with arguments, filtered and ordered', async () => {
    assert.equal(
      await data('{ albums_since(args: {year: 1991}, where: {id: {_gt: 0}}, order_by: {id: desc}) { id title } }'),
      '{"albums_since":[{"id":13,"title":"Lost"},{"id":12,"title":"Third"}]}',
    )
  })

  test('a stored procedure, filtered; it is not explained', async () => {
    const query = '{ most(args: {n: 3}, where: {id: {_gt: 10}}, order_by: {id: asc}) { id title } }'
    assert.equal(await data(query), '{"most":[{"id":11,"title":"Second"},{"id":12,"title":"Third"}]}')
    const { status, body } = await engine.post('/v1/graphql/explain', { query: { query } })
    assert.equal(status, 400)
    assert.equal(body.code, 'not-supported')
    assert.equal(body.error, 'queries which require multiple steps cannot be explained')
  })

  test('joins with a source on PostgreSQL, from both sides', async () => {
    const { review } = JSON.parse(
      await data('{ review(order_by: {id: asc}) { album { title } albums(where: {id: {_gt: 10}}) { id } } }'),
    )
    assert.deepEqual(review, [
      { album: { title: 'First' }, albums: [] },
      { album: { title: 'Second' }, albums: [{ id: 11 }] },
      { album: null, albums: null },
    ])
    const { album } = JSON.parse(await data('{ album(order_by: {id: asc}, limit: 2) { id reviews { text } } }'))
    assert.deepEqual(album, [
      { id: 10, reviews: [{ text: 'good' }] },
      { id: 11, reviews: [{ text: 'bad' }] },
    ])
  })

  test('each type of comparison has its own name, and its operators', async () => {
    const { body } = await ask('{ __type(name: "String_MSSQL_comparison_exp") { inputFields { name } } }')
    assert.deepEqual(
      body.data.__type.inputFields.map(({ name }: { name: string }) => name),
      ['_eq', '_gt', '_gte', '_in', '_is_null', '_like', '_lt', '_lte', '_neq', '_nin', '_nlike'],
    )
  })

  test('a value that its column cannot have is refused before it is sent', async () => {
    const { body } = await ask('{ album(where: {id: {_eq: 2147483648}}) { id } }')
    assert.equal(body.errors[0].extensions.code, 'parse-failed')
    assert.match(body.errors[0].message, /^The value 2147483648 lies outside the bounds or is not an integer/)
  })
})
