/** Tracked functions (reference/database-objects#tracked-functions) through the real process and a real database. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import pg from 'pg'
import { type Answer, type Engine, startEngine } from '../engine.ts'
import { createTestDatabase, type TestDatabase } from '../postgres.ts'

const schema = `
  CREATE TABLE article (id int PRIMARY KEY, title text, author text, likes int);
  INSERT INTO article VALUES (1, 'Bees', 'ada', 5), (2, 'Ants', 'ada', 9), (3, 'Bears', 'bo', 1);
  CREATE TABLE untracked (id int);
  CREATE FUNCTION search(term text, above int DEFAULT 0) RETURNS SETOF article STABLE LANGUAGE sql
    AS $$ SELECT * FROM article WHERE title ILIKE term || '%' AND likes >= above $$;
  CREATE FUNCTION mine(session json) RETURNS SETOF article STABLE LANGUAGE sql
    AS $$ SELECT * FROM article WHERE author = session ->> 'x-svc-user-id' $$;
  CREATE FUNCTION latest() RETURNS article STABLE LANGUAGE sql AS $$ SELECT * FROM article ORDER BY id DESC LIMIT 1 $$;
  CREATE FUNCTION by_id(int) RETURNS article STABLE LANGUAGE sql AS $$ SELECT * FROM article WHERE id = $1 $$;
  CREATE FUNCTION pick() RETURNS SETOF article VOLATILE LANGUAGE sql AS $$ SELECT * FROM article WHERE id = 2 $$;
  CREATE FUNCTION like_all() RETURNS SETOF article VOLATILE LANGUAGE sql AS $$ SELECT * FROM article $$;
  CREATE SCHEMA shop;
  CREATE FUNCTION shop.everything() RETURNS SETOF article STABLE LANGUAGE sql AS $$ SELECT * FROM article $$;
  CREATE FUNCTION answer() RETURNS int STABLE LANGUAGE sql AS $$ SELECT 42 $$;
  CREATE FUNCTION many(VARIADIC ids int[]) RETURNS SETOF article STABLE LANGUAGE sql
    AS $$ SELECT * FROM article WHERE id = ANY (ids) $$;
  CREATE FUNCTION lost() RETURNS SETOF untracked STABLE LANGUAGE sql AS $$ SELECT * FROM untracked $$;
  CREATE FUNCTION article() RETURNS SETOF article STABLE LANGUAGE sql AS $$ SELECT * FROM article $$;
  CREATE FUNCTION twice() RETURNS SETOF article STABLE LANGUAGE sql AS $$ SELECT * FROM article $$;
  CREATE FUNCTION twice(int) RETURNS SETOF article STABLE LANGUAGE sql AS $$ SELECT * FROM article $$;
  CREATE TABLE search_args (id int);
  CREATE TABLE x_article_args (id int);
  CREATE FUNCTION labelled(article, text) RETURNS text STABLE LANGUAGE sql AS $$ SELECT $1.title || $2 $$;
`

describe('tracked functions', () => {
  let database: TestDatabase
  let engine: Engine

  const start = (env = {}) => startEngine({ databaseUrl: database.url, env })

  before(async () => {
    database = await createTestDatabase()
    const client = new pg.Client({ connectionString: database.url })
    await client.connect()
    await client.query(schema)
    await client.end()
    engine = await start()
    const track = (name: unknown, configuration?: object) => ({
      type: 'pg_track_function',
      args: { function: name, ...(configuration && { configuration }) },
    })
    const set = await engine.metadata('bulk', [
      { type: 'pg_track_table', args: { table: 'article' } },
      track('search'),
      track('mine', { session_argument: 'session' }),
      track('latest'),
      track('by_id', { custom_name: 'find' }),
      track('pick', { exposed_as: 'query' }),
      track('like_all'),
      track({ schema: 'shop', name: 'everything' }, { custom_root_fields: { function_aggregate: 'count_all' } }),
      {
        type: 'pg_create_select_permission',
        args: {
          table: 'article',
          role: 'reader',
          permission: { columns: ['id', 'title'], filter: { likes: { _gt: 1 } }, limit: 1 },
        },
      },
    ])
    assert.equal(set.status, 200, set.text)
  })
  after(async () => {
    await engine.stop()
    await database.drop()
  })

  const ask = async (query: string, headers = {}, variables: object = {}) => {
    const { body } = await engine.post('/v1/graphql', { query, variables }, headers)
    return body.data ?? body.errors[0]
  }
  const refusal = ({ status, body }: Answer) => [status, body.code, body.error]

  test('rows of a function are filtered, ordered, cut and aggregated like those of its table', async () => {
    assert.deepEqual(
      await ask(
        `query ($t: String) {
          search(args: {term: $t}, order_by: {likes: desc}, limit: 1) { id }
          least: search(args: {above: 2, term: "b"}) { title }
          none: search(args: {term: null}) { id }
          search_aggregate(args: {term: "b"}, where: {likes: {_gt: 0}}) { aggregate { count max { likes } } nodes { id } }
        }`,
        {},
        { t: 'b' },
      ),
      {
        search: [{ id: 1 }],
        least: [{ title: 'Bees' }],
        none: [],
        search_aggregate: { aggregate: { count: 2, max: { likes: 5 } }, nodes: [{ id: 1 }, { id: 3 }] },
      },
    )
    const missing = await ask('{ search(args: {above: 1}) { id } }')
    assert.deepEqual(
      [missing.message, missing.extensions.code, missing.extensions.path],
      ['Non default arguments cannot be omitted', 'not-supported', '$.selectionSet.search.args.args'],
    )
    assert.match((await ask('{ search { id } }')).message, /missing required field 'args'/)
  })

  test('a dry run points at the part of the configuration that is wrong', async () => {
    const at = async (configuration: object) => {
      const args = { function: 'latest', configuration: { custom_name: 'other', ...configuration } }
      const { body } = await engine.metadata(
        'bulk',
        [
          { type: 'pg_untrack_function', args: { function: 'latest' } },
          { type: 'pg_track_function', args },
        ],
        { dry_run: true },
      )
      return body.results[1].at
    }
    assert.equal(await at({ session_argument: 'nobody' }), '$.args[1].args.configuration.session_argument')
    assert.equal(await at({ exposed_as: 'mutation' }), '$.args[1].args.configuration.exposed_as')
  })

  test('a function of one row gives it or null; unnamed arguments have numbers; names can be one’s own', async () => {
    assert.deepEqual(
      await ask('{ latest { id } find(args: {arg_1: 2}) { title } none: find(args: {arg_1: 9}) { id } }'),
      {
        latest: { id: 3 },
        find: { title: 'Ants' },
        none: null,
      },
    )
    assert.deepEqual(await ask('{ shop_everything(where: {id: {_eq: 1}}) { id } count_all { aggregate { count } } }'), {
      shop_everything: [{ id: 1 }],
      count_all: { aggregate: { count: 3 } },
    })
    assert.match((await ask('{ latest_aggregate { aggregate { count } } }')).message, /not found/)
  })

  test('the session is handed over and never asked of the client', async () => {
    const headers = { 'x-svc-role': 'admin', 'x-svc-user-id': 'bo' }
    assert.deepEqual(await ask('{ mine { id } }', headers), { mine: [{ id: 3 }] })
    assert.match((await ask('{ mine(args: {session: "{}"}) { id } }')).message, /'mine' has no argument named 'args'/)
  })

  test('a volatile function is a query where metadata says so, else it is none', async () => {
    assert.deepEqual(await ask('{ pick { id } }'), { pick: [{ id: 2 }] })
    assert.match((await ask('{ like_all { id } }')).message, /field 'like_all' not found in type: 'query_root'/)
  })

  test('a role that may select from the table may ask its functions, under its filter and limit', async () => {
    const reader = { 'x-svc-role': 'reader' }
    assert.deepEqual(await ask('{ search(args: {term: ""}, order_by: {id: asc}) { id title } }', reader), {
      search: [{ id: 1, title: 'Bees' }],
    })
    assert.match((await ask('{ search(args: {term: ""}) { likes } }', reader)).message, /field 'likes' not found/)
    assert.match((await ask('{ search_aggregate(args: {term: ""}) { nodes { id } } }', reader)).message, /not found/)
    assert.match((await ask('{ latest { id } }', { 'x-svc-role': 'nobody' })).message, /not found/)
  })

  test('introspection shows root fields with their arguments, and every type it mentions', async () => {
    const { query, args, __schema } = await ask(`{
      query: __type(name: "query_root") { fields { name type { kind name } args { name type { kind name ofType { name } } } } }
      args: __type(name: "search_args") { inputFields { name type { name } } }
      __schema { types { name } }
    }`)
    const named = (name: string) => query.fields.find((one: { name: string }) => one.name === name)
    assert.deepEqual(
      named('search').args.map(({ name }: { name: string }) => name),
      ['args', 'distinct_on', 'limit', 'offset', 'order_by', 'where'],
    )
    assert.deepEqual(named('search').args[0].type, { kind: 'NON_NULL', name: null, ofType: { name: 'search_args' } })
    assert.deepEqual(named('latest').type, { kind: 'OBJECT', name: 'article' })
    assert.deepEqual(args.inputFields, [
      { name: 'above', type: { name: 'Int' } },
      { name: 'term', type: { name: 'String' } },
    ])
    const types = __schema.types.map(({ name }: { name: string }) => name)
    assert.ok(types.includes('search_args') && types.includes('find_args') && !types.includes('like_all_args'))
  })

  const wrong: readonly (readonly [what: string, name: string, reason: string, configuration?: object])[] = [
    ['none of that name', 'no', 'in function "no": no such function exists: "no"'],
    [
      'an overloaded one',
      'twice',
      'in function "twice": function "twice" is overloaded. Overloaded functions are not supported',
    ],
    [
      'one that gives no rows',
      'answer',
      'in function "answer": the function "answer" cannot be tracked because the function does not return a "COMPOSITE" type',
    ],
    [
      'one with any number of arguments',
      'many',
      'in function "many": the function "many" cannot be tracked because function with "VARIADIC" parameters are not supported',
    ],
    ['one whose table is not tracked', 'lost', 'table "untracked" is not tracked'],
  ]
  for (const [what, name, reason] of wrong)
    test(`${what} is refused with the reason`, async () => {
      const answer = await engine.metadata('pg_track_function', { function: name })
      assert.deepEqual(refusal(answer), [400, 'invalid-configuration', `Inconsistent object: ${reason}`])
      const [reported] = answer.body.internal
      assert.deepEqual(
        [reported.type, reported.name, reported.definition],
        ['function', `function ${name} in source default`, { schema: 'public', name }],
      )
    })

  test('what is tracked already, a table by that name, and a taken root field are refused', async () => {
    const again = await engine.metadata('pg_track_function', { function: 'search' })
    assert.deepEqual(refusal(again), [400, 'already-tracked', 'function already tracked: "search"'])
    const table = await engine.metadata('pg_track_function', { function: 'article' })
    assert.deepEqual(refusal(table), [400, 'not-supported', 'table with name "article" already exists'])
    const clash = await engine.metadata('pg_set_function_customization', {
      function: 'latest',
      configuration: { custom_name: 'article' },
    })
    assert.deepEqual([clash.status, clash.body.code], [500, 'unexpected'])
    assert.match(clash.body.error, /conflicting definitions .*'article' defined in \[function latest in source default/)
    const mutation = await engine.metadata('pg_set_function_customization', {
      function: 'latest',
      configuration: { exposed_as: 'mutation' },
    })
    assert.match(mutation.body.error, /requested to be exposed as a mutation, but is not marked VOLATILE/)
  })

  test('the older endpoint tracks and untracks by the bare name, and by version 2', async () => {
    const query = async (type: string, args: unknown, version = 1) =>
      (await engine.post('/v1/query', { type, args, version })).status
    assert.equal(await query('untrack_function', 'pick'), 200)
    assert.equal(await query('track_function', { schema: 'public', name: 'pick' }), 200)
    assert.equal(await query('untrack_function', { function: 'pick', source: 'default' }), 200)
    assert.equal(await query('track_function', { function: 'pick', configuration: { exposed_as: 'query' } }, 2), 200)
    assert.deepEqual(await ask('{ pick { id } }'), { pick: [{ id: 2 }] })
    const gone = await engine.metadata('pg_untrack_function', { function: 'no' })
    assert.deepEqual(refusal(gone), [400, 'not-exists', 'function "no" does not exist in source: default'])
  })

  test('untracking the table is refused while a function gives its rows, and takes it along with cascade', async () => {
    const refused = await engine.metadata('pg_untrack_table', { table: 'article' })
    assert.equal(refused.body.code, 'dependency-error')
    assert.match(refused.body.error, /function latest in source "default"/)
    const { body: metadata } = await engine.metadata('export_metadata', {})
    assert.equal((await engine.metadata('pg_untrack_table', { table: 'article', cascade: true })).status, 200)
    assert.doesNotMatch((await engine.metadata('export_metadata', {})).text, /functions/)
    assert.deepEqual((await engine.metadata('replace_metadata', metadata)).body, { message: 'success' })
    assert.deepEqual((await engine.metadata('export_metadata', {})).body, metadata)
    assert.deepEqual(await ask('{ latest { id } }'), { latest: { id: 3 } })
  })

  test('SQL that changes tracked functions: a new body counts at once, a second form is refused, a drop untracks', async () => {
    const sql = (text: string) => engine.post('/v2/query', { type: 'run_sql', args: { sql: text } })
    await sql(
      'CREATE OR REPLACE FUNCTION latest() RETURNS article STABLE LANGUAGE sql AS $$ SELECT * FROM article WHERE id = 1 $$',
    )
    assert.deepEqual(await ask('{ latest { id } }'), { latest: { id: 1 } })
    const second = await sql(
      'CREATE FUNCTION latest(int) RETURNS article STABLE LANGUAGE sql AS $$ SELECT * FROM article $$',
    )
    assert.deepEqual(refusal(second), [
      400,
      'not-supported',
      'the following tracked function(s) cannot be overloaded: "latest"',
    ])
    const volatile = await sql('ALTER FUNCTION latest VOLATILE')
    assert.deepEqual(refusal(volatile).slice(0, 2), [400, 'not-supported'])
    assert.equal((await sql('DROP FUNCTION latest')).status, 200)
    assert.match((await ask('{ latest { id } }')).message, /not found/)
    assert.doesNotMatch((await engine.metadata('export_metadata', {})).text, /latest/)
  })

  test('where permissions are not inferred a role needs one for the function, and a select permission for that', async () => {
    await engine.stop()
    engine = await start({ SVC_GRAPHQL_INFER_FUNCTION_PERMISSIONS: 'false' })
    const reader = { 'x-svc-role': 'reader' }
    const search = '{ search(args: {term: "b"}) { id } }'
    assert.match((await ask(search, reader)).message, /not found/)
    const create = (role: string) => engine.metadata('pg_create_function_permission', { function: 'search', role })
    const refused = await create('nobody')
    assert.deepEqual([refused.status, refused.body.code, refused.body.path], [400, 'not-supported', '$.args'])
    assert.match(refused.body.error, /role "nobody" does not have a select permission on the returned table "article"/)
    assert.equal(
      refused.body.internal[0].name,
      'function_permission nobody permission for function search in source default',
    )
    assert.equal((await create('reader')).status, 200)
    assert.equal((await create('reader')).body.code, 'already-exists')
    assert.deepEqual(await ask(search, reader), { search: [{ id: 1 }] })
    const drop = await engine.metadata('pg_drop_select_permission', { table: 'article', role: 'reader' })
    assert.deepEqual(refusal(drop).slice(0, 2), [500, 'unexpected'])
    assert.equal(
      (await engine.metadata('pg_drop_function_permission', { function: 'search', role: 'reader' })).status,
      200,
    )
    assert.match((await ask(search, reader)).message, /not found/)
  })

  test('the type of arguments shares its name with no other type: who has it keeps it', async () => {
    const ok = async (type: string, args: object) => {
      const answer = await engine.metadata(type, args)
      assert.equal(answer.status, 200, answer.text)
    }
    const clashes = async (type: string, args: object, name: string) => {
      const { status, body } = await engine.metadata(type, args)
      assert.deepEqual([status, body.code], [type === 'pg_track_table' ? status : 500, 'unexpected'])
      assert.match(`${body.error} ${JSON.stringify(body.internal)}`, new RegExp(`conflicting definitions.*${name}`))
    }
    const field = { table: 'article', name: 'x', definition: { function: 'labelled' } }
    await clashes('pg_track_table', { table: 'search_args' }, 'search_args')
    await ok('pg_track_table', { table: 'x_article_args' })
    await clashes('pg_add_computed_field', field, 'x_article_args')
    await ok('pg_untrack_table', { table: 'x_article_args' })
    await ok('pg_add_computed_field', field)
    await clashes('pg_track_table', { table: 'x_article_args' }, 'x_article_args')
    await ok('pg_set_table_customization', { table: 'article', configuration: { custom_name: 'text' } })
    await ok('pg_track_table', { table: 'x_article_args' })
    await clashes('pg_set_table_customization', { table: 'article', configuration: {} }, 'x_article_args')
    await ok('bulk', [
      { type: 'pg_untrack_table', args: { table: 'x_article_args' } },
      { type: 'pg_set_table_customization', args: { table: 'article', configuration: {} } },
    ])
    assert.deepEqual(await ask('{ article_by_pk(id: 1) { x(args: {arg_1: "!"}) } }'), { article_by_pk: { x: 'Bees!' } })
  })
})
