/** Computed fields (reference/database-objects#computed-fields) through the real process and a real database. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import pg from 'pg'
import { type Answer, type Engine, startEngine } from '../engine.ts'
import { createTestDatabase, type TestDatabase } from '../postgres.ts'

const schema = `
  CREATE TABLE author (id int PRIMARY KEY, first_name text NOT NULL, last_name text);
  INSERT INTO author VALUES (1, 'Ada', 'Lovelace'), (2, 'Bo', NULL), (3, 'Cy', 'Young');
  CREATE TABLE article (id int PRIMARY KEY, title text, author_id int REFERENCES author, likes int);
  INSERT INTO article VALUES (10, 'Engines', 1, 5), (11, 'Notes', 1, 9), (12, 'Bees', 2, 1);
  CREATE FUNCTION full_name(author) RETURNS text STABLE LANGUAGE sql
    AS $$ SELECT concat_ws(' ', $1.first_name, $1.last_name) $$;
  CREATE FUNCTION greeting(author_row author, word text, mark text DEFAULT '!') RETURNS text STABLE LANGUAGE sql
    AS $$ SELECT word || ' ' || author_row.first_name || mark $$;
  CREATE FUNCTION likes_of(author_row author, factor int DEFAULT 1) RETURNS bigint STABLE LANGUAGE sql
    AS $$ SELECT factor * coalesce(sum(likes), 0) FROM article WHERE author_id = author_row.id $$;
  CREATE FUNCTION whoami(author, session json) RETURNS jsonb STABLE LANGUAGE sql
    AS $$ SELECT jsonb_build_object('role', session ->> 'x-svc-role', 'id', $1.id) $$;
  CREATE FUNCTION articles_of(author_row author) RETURNS SETOF article STABLE LANGUAGE sql
    AS $$ SELECT * FROM article WHERE author_id = author_row.id $$;
  CREATE FUNCTION search(term text, author_row author) RETURNS SETOF article STABLE LANGUAGE sql
    AS $$ SELECT * FROM article WHERE author_id = author_row.id AND title ILIKE '%' || term || '%' $$;
  CREATE FUNCTION first_article(author) RETURNS article STABLE LANGUAGE sql
    AS $$ SELECT * FROM article WHERE author_id = $1.id ORDER BY id LIMIT 1 $$;
  CREATE FUNCTION loud(author) RETURNS text VOLATILE LANGUAGE sql AS $$ SELECT upper($1.first_name) $$;
  CREATE FUNCTION nothing() RETURNS int STABLE LANGUAGE sql AS $$ SELECT 1 $$;
  CREATE FUNCTION names(author) RETURNS text[] STABLE LANGUAGE sql AS $$ SELECT ARRAY[$1.first_name] $$;
  CREATE FUNCTION twice(author) RETURNS text STABLE LANGUAGE sql AS $$ SELECT 'a' $$;
  CREATE FUNCTION twice(author, int) RETURNS text STABLE LANGUAGE sql AS $$ SELECT 'a' $$;
`

const field = (name: string, definition: object, table = 'author') => ({
  type: 'pg_add_computed_field',
  args: { table, name, definition },
})

describe('computed fields', () => {
  let database: TestDatabase
  let engine: Engine

  before(async () => {
    database = await createTestDatabase()
    const client = new pg.Client({ connectionString: database.url })
    await client.connect()
    await client.query(schema)
    await client.end()
    engine = await startEngine({ databaseUrl: database.url })
    const set = await engine.metadata('bulk', [
      { type: 'pg_track_tables', args: { tables: ['author', 'article'] } },
      field('full_name', { function: 'full_name' }),
      field('greeting', { function: 'greeting', table_argument: 'author_row' }),
      field('likes', { function: 'likes_of' }),
      field('me', { function: 'whoami', session_argument: 'session' }),
      field('articles', { function: 'articles_of' }),
      field('found', { function: 'search', table_argument: 'author_row' }),
      field('first', { function: 'first_article' }),
      {
        type: 'pg_create_select_permission',
        args: {
          table: 'author',
          role: 'reader',
          permission: {
            columns: ['id'],
            computed_fields: ['full_name'],
            filter: { full_name: { _neq: 'Bo' }, articles: { likes: { _gt: 1 } } },
            allow_aggregations: true,
          },
        },
      },
      {
        type: 'pg_create_select_permission',
        args: { table: 'article', role: 'reader', permission: { columns: ['title'], filter: { likes: { _gt: 5 } } } },
      },
      {
        type: 'pg_create_select_permission',
        args: { table: 'author', role: 'names', permission: { columns: [], computed_fields: '*', filter: {} } },
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

  test('scalars are fields of the row, also where rows are ordered and cut', async () => {
    assert.deepEqual(
      await ask('{ author(order_by: {full_name: desc}, limit: 2) { id full_name likes articles { title } } }'),
      {
        author: [
          { id: 3, full_name: 'Cy Young', likes: 0, articles: [] },
          { id: 2, full_name: 'Bo', likes: 1, articles: [{ title: 'Bees' }] },
        ],
      },
    )
  })

  test('arguments: given, defaulted, by position and by name, from variables', async () => {
    assert.deepEqual(
      await ask(
        `query ($w: String) { author_by_pk(id: 1) {
          greeting(args: {word: $w}) loud: greeting(args: {mark: "?", word: "Hey"})
          none: greeting(args: {word: null}) likes double: likes(args: {factor: 2}) found(args: {term: "n"}, order_by: {id: desc}) { id }
        } }`,
        {},
        { w: 'Hi' },
      ),
      {
        author_by_pk: {
          greeting: 'Hi Ada!',
          loud: 'Hey Ada?',
          none: null,
          likes: 14,
          double: 28,
          found: [{ id: 11 }, { id: 10 }],
        },
      },
    )
    const { message, extensions } = await ask('{ author { greeting(args: {mark: "?"}) } }')
    assert.equal(message, 'Non default arguments cannot be omitted')
    assert.equal(extensions.code, 'not-supported')
    assert.match((await ask('{ author { greeting } }')).message, /missing required field 'args'/)
    assert.match((await ask('{ author { greeting(args: {no: 1}) } }')).message, /field 'no' not found/)
  })

  test('the session is handed over, and json results take a path', async () => {
    assert.deepEqual(await ask('{ author_by_pk(id: 2) { me role: me(path: "$.role") } }'), {
      author_by_pk: { me: { role: 'admin', id: 2 }, role: 'admin' },
    })
  })

  test('a function that gives one row gives a list of it, or an empty one', async () => {
    assert.deepEqual(await ask('{ author(order_by: {id: asc}) { first { title } } }'), {
      author: [{ first: [{ title: 'Engines' }] }, { first: [{ title: 'Bees' }] }, { first: [] }],
    })
  })

  test('where and order_by go through scalars and rows, aggregates over scalars take arguments', async () => {
    assert.deepEqual(await ask('{ author(where: {full_name: {_like: "% %"}, articles: {likes: {_gt: 8}}}) { id } }'), {
      author: [{ id: 1 }],
    })
    assert.deepEqual(await ask('{ author(order_by: {articles_aggregate: {count: desc}}) { id } }'), {
      author: [{ id: 1 }, { id: 2 }, { id: 3 }],
    })
    assert.deepEqual(
      await ask(`{ author_aggregate(order_by: {id: asc}, limit: 2) {
        aggregate { count sum { likes(args: {factor: 10}) } max { full_name } } nodes { full_name } } }`),
      {
        author_aggregate: {
          aggregate: { count: 2, sum: { likes: 150 }, max: { full_name: 'Bo' } },
          nodes: [{ full_name: 'Ada Lovelace' }, { full_name: 'Bo' }],
        },
      },
    )
  })

  test('a role has listed scalars and the rows it may select, under their own filter', async () => {
    const reader = { 'x-svc-role': 'reader' }
    assert.deepEqual(await ask('{ author { id full_name articles { title } } }', reader), {
      author: [{ id: 1, full_name: 'Ada Lovelace', articles: [{ title: 'Notes' }] }],
    })
    assert.match((await ask('{ author { likes } }', reader)).message, /field 'likes' not found in type: 'author'/)
    assert.match((await ask('{ author(where: {me: {_eq: 1}}) { id } }', reader)).message, /field 'me' not found/)
    assert.match((await ask('{ author_aggregate { aggregate { sum { likes } } } }', reader)).message, /not found/)
    const names = { 'x-svc-role': 'names' }
    assert.deepEqual(await ask('{ author(where: {full_name: {_eq: "Bo"}}) { full_name likes } }', names), {
      author: [{ full_name: 'Bo', likes: 1 }],
    })
    assert.match((await ask('{ author { articles { title } } }', names)).message, /field 'articles' not found/)
  })

  test('introspection shows fields, arguments and their input types, and every type it mentions', async () => {
    const { author, args, where, __schema } = await ask(`{
      author: __type(name: "author") { fields { name type { kind name } args { name type { kind name ofType { name } } } } }
      args: __type(name: "greeting_author_args") { inputFields { name type { name } } }
      where: __type(name: "author_bool_exp") { inputFields { name type { name } } }
      __schema { types { name } }
    }`)
    const named = (name: string) => author.fields.find((one: { name: string }) => one.name === name)
    assert.deepEqual(named('full_name'), { name: 'full_name', type: { kind: 'SCALAR', name: 'String' }, args: [] })
    assert.deepEqual(named('greeting').args, [
      { name: 'args', type: { kind: 'NON_NULL', name: null, ofType: { name: 'greeting_author_args' } } },
    ])
    assert.deepEqual(named('likes').args[0].type, { kind: 'INPUT_OBJECT', name: 'likes_author_args', ofType: null })
    assert.equal(named('articles').type.kind, 'LIST')
    assert.deepEqual(args.inputFields, [
      { name: 'mark', type: { name: 'String' } },
      { name: 'word', type: { name: 'String' } },
    ])
    const inWhere = where.inputFields.map(({ name }: { name: string }) => name)
    assert.ok(inWhere.includes('full_name') && inWhere.includes('articles') && !inWhere.includes('greeting'))
    const types = __schema.types.map(({ name }: { name: string }) => name)
    assert.ok(types.includes('greeting_author_args') && types.includes('String_comparison_exp'))
  })

  test('every type that introspection mentions is there, for the role as for the admin', async () => {
    for (const role of ['admin', 'reader', 'names']) {
      const { __schema } = await ask(
        `{ __schema { types { name fields { type { ...t } args { type { ...t } } } inputFields { type { ...t } } } } }
        fragment t on __Type { name ofType { name ofType { name ofType { name } } } }`,
        { 'x-svc-role': role },
      )
      const known = new Set(__schema.types.map(({ name }: { name: string }) => name))
      const mentioned = [...JSON.stringify(__schema).matchAll(/"name":"(\w+)","ofType"/g)].map(([, name]) => name)
      assert.deepEqual(
        mentioned.filter((name) => !known.has(name)),
        [],
        role,
      )
    }
  })

  const wrong: readonly (readonly [what: string, definition: object, reason: string, name?: string])[] = [
    ['no such function', { function: 'no' }, 'no such function exists: "no"'],
    [
      'an overloaded one',
      { function: 'twice' },
      'function "twice" is overloaded. Overloaded functions are not supported',
    ],
    [
      'a volatile one without the argument named',
      { function: 'loud', table_argument: 'row' },
      'the computed field "new" cannot be added to table "author" for the following reasons:\n  • the function "loud" is of type VOLATILE; cannot be added as a computed field\n  • "row" is not an input argument of the function "loud"\n',
    ],
    [
      'one without arguments',
      { function: 'nothing' },
      'the computed field "new" cannot be added to table "author" because the function "nothing" has no input arguments',
    ],
    [
      'a session argument that is no JSON',
      { function: 'greeting', session_argument: 'word' },
      'the computed field "new" cannot be added to table "author" because "word" argument of the function "greeting" is not of type JSON',
    ],
    [
      'an array as result',
      { function: 'names' },
      'the computed field "new" cannot be added to table "author" because the function "names" returning type text[] is not a BASE type',
    ],
    [
      'a name that GraphQL has not',
      { function: 'full_name' },
      'the computed field "a b" cannot be added to table "author" because the computed field "a b" is not a valid GraphQL name',
      'a b',
    ],
  ]
  for (const [what, definition, reason, name = 'new'] of wrong)
    test(`${what} is refused with the reason`, async () => {
      const answer = await engine.metadata('pg_add_computed_field', { table: 'author', name, definition })
      const text = `Inconsistent object: in table "author": in computed field "${name}": ${reason}`
      assert.deepEqual(refusal(answer), [400, 'invalid-configuration', text])
      const [reported] = answer.body.internal
      assert.equal(reported.name, `computed_field ${name} in table author in source default`)
    })

  test('names that are taken, and what is not there', async () => {
    const add = (name: string) => engine.metadata('pg_add_computed_field', field(name, { function: 'full_name' }).args)
    assert.deepEqual(refusal(await add('first_name')), [
      400,
      'invalid-configuration',
      'Inconsistent object: field definition conflicts with postgres column',
    ])
    assert.deepEqual(refusal(await add('likes')).slice(0, 2), [400, 'already-exists'])
    const drop = await engine.metadata('pg_drop_computed_field', { table: 'author', name: 'no' })
    assert.deepEqual(refusal(drop).slice(0, 2), [400, 'not-exists'])
    const listed = await engine.metadata('pg_create_select_permission', {
      table: 'author',
      role: 'x',
      permission: { columns: [], computed_fields: ['articles'], filter: {} },
    })
    assert.match(listed.body.error, /auto-derived from the permissions on its returning table "article"/)
  })

  test('what uses a computed field stands in the way of dropping it and its function', async () => {
    const text =
      'cannot drop due to the following dependent objects: permission author.reader.select in source "default"'
    const drop = await engine.metadata('pg_drop_computed_field', { table: 'author', name: 'full_name' })
    assert.deepEqual(refusal(drop), [400, 'dependency-error', text])
    const untrack = await engine.metadata('pg_untrack_table', { table: 'article' })
    assert.match(untrack.body.error, /computed field author\.articles in source "default"/)
    const sql = (text: string, cascade = false) =>
      engine.post('/v2/query', { type: 'run_sql', args: { sql: text, cascade } })
    assert.deepEqual(refusal(await sql('DROP FUNCTION full_name(author)')), [
      400,
      'dependency-error',
      'cannot drop due to the following dependent objects: computed field author.full_name in source "default", permission author.reader.select in source "default"',
    ])
    assert.deepEqual(refusal(await sql('ALTER FUNCTION likes_of VOLATILE')), [
      400,
      'not-supported',
      'The type of function "likes_of" associated with computed field "likes" of table "author" is being altered to "VOLATILE"',
    ])
    assert.equal(
      (
        await sql(
          'CREATE OR REPLACE FUNCTION likes_of(author_row author, factor int DEFAULT 1) RETURNS bigint STABLE LANGUAGE sql AS $$ SELECT 7::bigint $$',
        )
      ).status,
      200,
    )
    assert.deepEqual(await ask('{ author_by_pk(id: 1) { likes } }'), { author_by_pk: { likes: 7 } })
  })

  test('a dry run says what a real run says and changes nothing', async () => {
    const args = { table: 'author', name: 'again', definition: { function: 'full_name' }, comment: 'c' }
    const dry = await engine.metadata('pg_add_computed_field', args, { dry_run: true })
    assert.equal(dry.status, 200)
    assert.match(dry.text, /computed_field again in table author in source default/)
    assert.match((await ask('{ author { again } }')).message, /not found/)
  })

  test('metadata goes out and comes in again the same; a renamed table keeps its fields', async () => {
    const { body: metadata } = await engine.metadata('export_metadata', {})
    const { computed_fields } = metadata.sources[0].tables.find(
      ({ table }: { table: { name: string } }) => table.name === 'author',
    )
    assert.deepEqual(
      computed_fields.map(({ name }: { name: string }) => name),
      ['articles', 'first', 'found', 'full_name', 'greeting', 'likes', 'me'],
    )
    assert.deepEqual((await engine.metadata('replace_metadata', metadata)).body, { message: 'success' })
    assert.deepEqual((await engine.metadata('export_metadata', {})).body, metadata)
    const sql = (text: string) => engine.post('/v2/query', { type: 'run_sql', args: { sql: text } })
    assert.equal((await sql('ALTER TABLE author RENAME TO writer')).status, 200)
    assert.deepEqual(await ask('{ writer(where: {id: {_eq: 2}}) { full_name articles { title } } }'), {
      writer: [{ full_name: 'Bo', articles: [{ title: 'Bees' }] }],
    })
    assert.equal((await sql('ALTER TABLE writer RENAME TO author')).status, 200)
  })

  test('with cascade a function leaves with what stands on it', async () => {
    const answer = await engine.post('/v2/query', {
      type: 'run_sql',
      args: { sql: 'DROP FUNCTION full_name(author)', cascade: true },
    })
    assert.equal(answer.status, 200, answer.text)
    const { body } = await engine.metadata('export_metadata', {})
    assert.doesNotMatch(JSON.stringify(body), /full_name|reader.*full_name/)
    assert.equal((await engine.get('/healthz')).text, 'OK')
  })
})
