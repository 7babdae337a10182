/**
 * Native queries and logical models as metadata declares and changes them
 * (reference/metadata-operations#native-queries-and-logical-models), through the real process and a real database.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { buildClientSchema, getIntrospectionQuery, printType, validateSchema } from 'graphql'
import pg from 'pg'
import { runOnDatabase } from '../admin/run-on-database.ts'
import { type Engine, startEngine } from '../engine.ts'
import type { TestDatabase } from '../postgres.ts'
import { type Articles, liked, likedFields, reader, refusedWith, startArticles, titled } from './articles.ts'

describe('native queries as they are declared and changed', () => {
  let articles: Articles
  let database: TestDatabase
  let engine: Engine

  before(async () => {
    articles = await startArticles()
    ;({ database, engine } = articles)
  })
  after(() => articles.stop())

  const ask = async (query: string, headers = {}, variables = {}) =>
    (await engine.post('/v1/graphql', { query, variables }, headers)).body

  test('what the database refuses, and what does not fit the logical model, is reported when it is tracked', async () => {
    const track = (more: object) =>
      engine.metadata('pg_track_native_query', { root_field_name: 'bad', returns: 'liked_article', ...more })
    await refusedWith(
      track({ code: 'SELECT * FROM nowhere' }),
      'invalid-configuration',
      /relation "nowhere" does not exist/,
    )
    await refusedWith(track({ code: 'SELECT 1 AS id; SELECT 2' }), 'invalid-configuration', /syntax error/)
    await refusedWith(
      track({ code: 'SELECT 1 AS id, NULL::text AS title' }),
      'invalid-configuration',
      /the code gives no column "words"/,
    )
    await refusedWith(
      track({ code: `SELECT 1::bigint AS id, '' AS title, '{}'::text[] AS words` }),
      'invalid-configuration',
      /the field "id" is declared as int4, and the code gives int8/,
    )
    await refusedWith(track({ code: 'SELECT {{a}}' }), 'validation-failed', /arguments that are not declared: "a"/)
    await refusedWith(track({ code: 'SELECT {{a' }), 'parse-failed', /not closed/)
    await refusedWith(
      track({ code: 'SELECT {{a}}', arguments: { a: { type: 'nothing' } } }),
      'invalid-configuration',
      /the type "nothing" of the argument "a" does not exist/,
    )
    await refusedWith(
      track({ code: 'SELECT 1', returns: 'nobody' }),
      'invalid-configuration',
      /the logical model "nobody" is not tracked/,
    )
    await refusedWith(
      track({ code: liked.code, arguments: liked.arguments, root_field_name: 'article' }),
      'unexpected',
      /conflicting definitions .* for fields: \['article' defined in/,
    )
    await refusedWith(
      engine.metadata('pg_track_logical_model', { name: 'comment', fields: [] }),
      'unexpected',
      /conflicting definitions .*comment/,
    )
    await refusedWith(engine.metadata('pg_track_native_query', titled), 'already-tracked', /already tracked: "titled"/)
    await refusedWith(
      engine.metadata('pg_untrack_native_query', { root_field_name: 'nobody' }),
      'not-found',
      /native query "nobody" does not exist/,
    )
    assert.equal((await engine.metadata('pg_untrack_logical_model', { name: 'liked_article' })).status, 500)
  })

  test('types are those of the database, whatever it calls them', async () => {
    const fields = [
      { name: 'mood', type: { scalar: 'mood' } },
      { name: 'at', type: { scalar: 'timestamp with time zone', nullable: true } },
      { name: 'moods', type: { array: { scalar: 'mood' } } },
    ]
    const set = await engine.metadata('bulk', [
      { type: 'pg_track_logical_model', args: { name: 'moody', fields } },
      {
        type: 'pg_track_native_query',
        args: {
          root_field_name: 'moods',
          code: `SELECT {{one}} AS mood, NULL::timestamptz AS at, {{all}} AS moods`,
          arguments: { one: { type: 'mood' }, all: { type: 'mood[]' } },
          returns: 'moody',
        },
      },
    ])
    assert.equal(set.status, 200, set.text)
    assert.deepEqual(await ask('{ moods(args: {one: "grim", all: ["fine", "grim"]}) { mood at moods } }'), {
      data: { moods: [{ mood: 'grim', at: null, moods: ['fine', 'grim'] }] },
    })
    await engine.metadata('bulk', [
      { type: 'pg_untrack_native_query', args: { root_field_name: 'moods' } },
      { type: 'pg_untrack_logical_model', args: { name: 'moody' } },
    ])
  })

  test('a logical model may contain objects of other logical models and lists of them, from JSON and from composites', async () => {
    await runOnDatabase(
      database.url,
      `CREATE TYPE place AS (town text, at timestamptz); CREATE TYPE visit AS (no bigint, place place);`,
    )
    const model = (name: string, fields: readonly object[]) => ({
      type: 'pg_track_logical_model',
      args: { name, fields },
    })
    const permit = (name: string, role: string, columns: readonly string[], filter: object = {}) => ({
      type: 'pg_create_logical_model_select_permission',
      args: { name, role, permission: { columns, filter } },
    })
    const code = `SELECT 1 AS key, '{"town": "Bath", "at": "2020-01-01T00:00:00Z"}'::jsonb AS home,
        ARRAY[(1, ('Rome', NULL)::place)::visit, (9007199254740993, NULL)::visit, NULL] AS visits,
        '[{"no": 7, "place": {"town": "Oslo"}}, null, 3]'::json AS others
      UNION ALL SELECT 2, 'null', NULL, '{}'`
    const set = await engine.metadata('bulk', [
      model('place_model', [
        { name: 'town', type: { scalar: 'text', nullable: true } },
        { name: 'at', type: { scalar: 'timestamptz', nullable: true } },
      ]),
      model('visit_model', [
        { name: 'no', type: { scalar: 'bigint' } },
        { name: 'place', type: { logical_model: 'place_model', nullable: true } },
      ]),
      model('traveller', [
        { name: 'key', type: { scalar: 'integer' } },
        { name: 'home', type: { logical_model: 'place_model', nullable: true } },
        { name: 'visits', type: { array: { logical_model: 'visit_model' }, nullable: true } },
        { name: 'others', type: { array: { logical_model: 'visit_model' }, nullable: true } },
      ]),
      { type: 'pg_track_native_query', args: { root_field_name: 'travellers', code, returns: 'traveller' } },
      permit('traveller', 'reader', ['key', 'home', 'visits']),
      permit('visit_model', 'reader', ['no'], { no: { _lt: 'x-svc-from' } }),
    ])
    assert.equal(set.status, 200, set.text)
    const query =
      '{ travellers(order_by: {key: asc}) { key home { town at } visits { no place { town } } others { __typename no place { town at } } } }'
    const answer = await engine.post('/v1/graphql', { query })
    assert.equal(
      answer.text,
      `{"data":{"travellers":[{"key":1,"home":{"town":"Bath","at":"2020-01-01T00:00:00+00:00"},"visits":[{"no":1,"place":{"town":"Rome"}},{"no":9007199254740993,"place":null}],"others":[{"__typename":"visit_model","no":7,"place":{"town":"Oslo","at":null}}]}, {"key":2,"home":null,"visits":null,"others":null}]}}`,
    )
    assert.deepEqual((await ask('{ travellers(where: {key: {_eq: 1}}) { visits { no } } }', reader)).data, {
      travellers: [{ visits: [{ no: 1 }] }],
    })
    for (const hidden of ['home { town }', 'others { no }', 'visits { place { town } }'])
      assert.match(
        (await ask(`{ travellers { ${hidden} } }`, reader)).errors[0].message,
        /^field '\w+' not found in type/,
      )
    const client = buildClientSchema((await ask(getIntrospectionQuery())).data)
    assert.deepEqual(validateSchema(client), [])
    const type = client.getType('traveller')
    assert.ok(type)
    assert.match(printType(type), /home: place_model\n.*others: \[visit_model!\]\n.*visits: \[visit_model!\]/s)
    await refusedWith(
      engine.metadata('pg_track_native_query', {
        root_field_name: 'bad',
        code: `SELECT 1 AS key, 'here' AS home, '[]'::json AS visits, '[]'::json AS others`,
        returns: 'traveller',
      }),
      'invalid-configuration',
      /the field "home" holds a row of another logical model, and the code gives text/,
    )
    assert.equal((await engine.metadata('pg_untrack_logical_model', { name: 'place_model' })).status, 500)
    const gone = await engine.metadata('bulk', [
      { type: 'pg_untrack_native_query', args: { root_field_name: 'travellers' } },
      ...['traveller', 'visit_model', 'place_model'].map((name) => ({
        type: 'pg_untrack_logical_model',
        args: { name },
      })),
    ])
    assert.equal(gone.status, 200, gone.text)
  })

  test('changed, it keeps its permissions, and is listed as it was declared', async () => {
    const update = await engine.metadata('bulk', [
      {
        type: 'pg_update_logical_model',
        args: { name: 'liked_article', fields: [...likedFields, { name: 'likes', type: { scalar: 'int' } }] },
      },
      { type: 'pg_update_native_query', args: { ...liked, description: 'Liked ones' } },
    ])
    assert.equal(update.status, 200, update.text)
    assert.deepEqual(await ask('{ liked(args: {above: 0}) { id } }', { ...reader, 'x-svc-from': '3' }), {
      data: { liked: [{ id: 3 }] },
    })
    const models = (await engine.metadata('pg_get_logical_model', { source: 'default' })).body
    assert.deepEqual(models.length, 1)
    assert.equal(models[0].fields.length, 4)
    assert.equal(models[0].select_permissions.length, 1)
    const queries = (await engine.metadata('pg_get_native_query', { source: 'default' })).body
    assert.deepEqual(
      queries.map(({ root_field_name: name }: { root_field_name: string }) => name),
      ['liked', 'titled'],
    )
    assert.equal(queries[0].description, 'Liked ones')
  })

  test('of a logical model in place, permissions are made and dropped as of its native query', async () => {
    const of = { type: 'native_query', name: 'titled', role: 'reader' }
    const permission = { columns: '*', filter: {} }
    const made = await engine.metadata('pg_create_logical_model_select_permission', { ...of, permission })
    assert.equal(made.status, 200, made.text)
    assert.deepEqual((await ask('{ titled(args: {most: 1}) { key } }', reader)).data, { titled: [{ key: 1 }] })
    await refusedWith(
      engine.metadata('pg_create_logical_model_select_permission', { ...of, permission }),
      'already-exists',
      /already defined/,
    )
    await refusedWith(
      engine.metadata('pg_create_logical_model_select_permission', {
        ...of,
        role: 'other',
        permission: { columns: ['nothing'], filter: {} },
      }),
      'invalid-configuration',
      /column "nothing" does not exist/,
    )
    assert.equal((await engine.metadata('pg_drop_logical_model_select_permission', of)).status, 200)
    await refusedWith(
      engine.metadata('pg_drop_logical_model_select_permission', of),
      'not-found',
      /select permission on logical model "titled" for role "reader" does not exist/,
    )
  })

  test('SQL that would break it is refused; broken behind the back, it is inconsistent until it is whole again', async () => {
    const refused = await engine.post('/v2/query', {
      type: 'run_sql',
      args: { sql: 'ALTER TABLE article ALTER COLUMN title TYPE varchar(9); ALTER TABLE article DROP COLUMN likes' },
    })
    assert.equal(refused.status, 400)
    assert.equal(refused.body.code, 'dependency-error')
    assert.match(refused.body.error, /native query liked in source "default"/)
    const client = new pg.Client({ connectionString: database.url })
    await client.connect()
    const reload = async () => (await engine.metadata('reload_metadata', {})).body
    await client.query('ALTER TABLE article RENAME COLUMN likes TO loved')
    const reported = await reload()
    assert.deepEqual(
      reported.inconsistent_objects.map(({ type, name }: { type: string; name: string }) => [type, name]),
      [['native_query', 'native_query liked in source default']],
    )
    assert.match(
      reported.inconsistent_objects[0].reason,
      /the database refuses the code: column "likes" does not exist/,
    )
    assert.equal((await ask('{ liked(args: {above: 0}) { id } }')).errors[0].extensions.code, 'validation-failed')
    assert.equal((await ask('{ titled(args: {most: 1}) { key } }')).data.titled.length, 1)
    await client.query('ALTER TABLE article RENAME COLUMN loved TO likes')
    await client.end()
    assert.equal((await reload()).is_consistent, true)
    assert.equal((await ask('{ liked(args: {above: 9}) { id } }')).data.liked.length, 1)
  })

  test('a table that it leads to is not untracked without it', async () => {
    const { status, body } = await engine.metadata('pg_untrack_table', { table: 'comment' })
    assert.equal(status, 400)
    assert.equal(body.code, 'dependency-error')
    assert.match(body.error, /native query liked in source "default"/)
  })

  test('in a plan its parts arrive in any order: what could still come is waited for', async () => {
    const plan = '6c1f6c3e-7c0b-4f0e-9a51-0f3f7b6f9d11'
    const tried = async (type: string, args: object) => {
      const { body } = await engine.metadata(type, args, { dry_run: { plan } })
      const [{ verdict, needs = [], error }] = body.results
      return [
        verdict,
        ...needs.map(({ name }: { name: string }) => name),
        ...(verdict === 'error' ? [error.error] : []),
      ]
    }
    const model = 'logical_model planned in source default'
    const code = 'SELECT 1 AS id'
    assert.deepEqual(
      await tried('pg_create_logical_model_select_permission', {
        name: 'planned',
        role: 'reader',
        permission: { columns: ['id'], filter: {} },
      }),
      ['pending', model],
    )
    const query = { root_field_name: 'planning', returns: 'planned' }
    assert.deepEqual(await tried('pg_track_native_query', { ...query, code }), ['pending', model])
    const [verdict, reason] = await tried('pg_track_native_query', {
      ...query,
      root_field_name: 'bad',
      code: 'SELEC 1',
    })
    assert.equal(verdict, 'error')
    assert.match(reason, /the database refuses the code: syntax error/)
    const fields = [{ name: 'id', type: 'integer' }]
    assert.deepEqual(await tried('pg_track_logical_model', { name: 'planned', fields }), ['ok'])
    assert.deepEqual(await tried('pg_track_native_query', { ...query, root_field_name: 'late', code }), ['ok'])
  })

  test('validation switched off, what the database refuses is served, and refused when it is asked', async (t) => {
    const env = { SVC_GRAPHQL_DISABLE_NATIVE_QUERY_VALIDATION: 'true' }
    const trusting = await startEngine({ databaseUrl: database.url, env }, t)
    const track = { root_field_name: 'hopeful', code: 'SELECT 1 AS id FROM later', returns: 'liked_article' }
    const { status, text } = await trusting.metadata('pg_track_native_query', track)
    assert.equal(status, 200, text)
    const { body } = await trusting.post('/v1/graphql', { query: '{ hopeful { id } }' })
    assert.equal(body.errors[0].message, 'database query error')
    assert.equal((await trusting.metadata('pg_untrack_native_query', { root_field_name: 'hopeful' })).status, 200)
    const stored = await trusting.post('/v1/graphql', { query: '{ titled(args: {most: 1}) { key title } }' })
    assert.deepEqual(stored.body.data, { titled: [{ key: 1, title: 'Bees' }] })
  })
})
