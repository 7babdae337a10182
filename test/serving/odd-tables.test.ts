/** Tables, columns and types that PostgreSQL allows and GraphQL does not expect, through the real process. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { buildClientSchema, getIntrospectionQuery, validateSchema } from 'graphql'
import { runOnDatabase } from '../admin/run-on-database.ts'
import { type Engine, startEngine } from '../engine.ts'
import { createTestDatabase, type TestDatabase } from '../postgres.ts'

const schema = `
  CREATE TYPE mood AS ENUM ('fine', 'grim');
  CREATE TYPE place AS (town text, no int);
  CREATE DOMAIN state AS mood;
  CREATE DOMAIN site AS place;
  CREATE DOMAIN span AS int4range;
  CREATE TABLE item (id int PRIMARY KEY, state state, moods mood[], site site, places place[], span span);
  INSERT INTO item VALUES (1, 'fine', '{fine}', ('Rome', 1), ARRAY[('Oslo', 2)::place], '[1,3)'),
    (2, 'grim', '{grim,fine}', ('Bath', 2), NULL, '[5,7)'), (3, NULL, NULL, NULL, NULL, NULL);
  CREATE TABLE odd_key (id int CONSTRAINT "odd key" PRIMARY KEY);
  CREATE TABLE odd_unique (id int PRIMARY KEY, a int CONSTRAINT "a-unique" UNIQUE);
  CREATE TABLE odd_index (id int PRIMARY KEY, a int);
  CREATE UNIQUE INDEX "some-a" ON odd_index (a) WHERE a > 0;
  CREATE UNIQUE INDEX "all a" ON odd_index (a);
  CREATE TABLE "odd name" (id int PRIMARY KEY);
  CREATE TABLE money (id int PRIMARY KEY);
  CREATE TABLE date (id int PRIMARY KEY, day date);
  CREATE TABLE jsonb (id int PRIMARY KEY);
  CREATE TABLE with_json (id int PRIMARY KEY, meta jsonb);
  CREATE TABLE "Int_comparison_exp" (id int PRIMARY KEY);
  CREATE TABLE "__Type" (id int PRIMARY KEY);
  CREATE TABLE __schema (id int PRIMARY KEY);
  CREATE TABLE other (id int PRIMARY KEY);
  CREATE TABLE wide (${Array.from({ length: 200 }, (_, i) => `c${i} int`).join(', ')});
  INSERT INTO wide (c0, c199) VALUES (1, 2), (3, 4);
  CREATE TYPE tint AS ENUM ('red');
  CREATE FUNCTION items_of(mood mood, tint tint) RETURNS SETOF other STABLE LANGUAGE sql AS $$ SELECT * FROM other $$;
  CREATE FUNCTION tinted(item, tint tint) RETURNS int STABLE LANGUAGE sql AS $$ SELECT 1 $$;
`

describe('odd tables', () => {
  let database: TestDatabase
  let engine: Engine

  before(async () => {
    database = await createTestDatabase()
    await runOnDatabase(database.url, schema)
    engine = await startEngine({ databaseUrl: database.url })
    const set = await engine.metadata('pg_track_table', { table: 'item' })
    assert.equal(set.status, 200, set.text)
  })
  after(async () => {
    await engine.stop()
    await database.drop()
  })

  const ask = async (query: string) => {
    const { body } = await engine.post('/v1/graphql', { query })
    return body.data ?? body.errors[0]
  }

  for (const [operators, what] of [
    [7, 'almost as much as a row of PostgreSQL has columns'],
    [9, 'more than that'],
  ] as const)
    test(`at once can be aggregated ${what}`, async () => {
      await engine.metadata('pg_track_table', { table: 'wide' })
      const names = ['sum', 'avg', 'min', 'max', 'stddev', 'stddev_pop', 'stddev_samp', 'var_pop', 'variance']
      const all = Array.from({ length: 200 }, (_, i) => `c${i}`).join(' ')
      const asked = names.slice(0, operators).map((name) => `${name} { ${all} }`)
      const { wide_aggregate: answer } = await ask(
        `{ wide_aggregate { aggregate { count ${asked.join(' ')} } nodes { c0 } } }`,
      )
      const { count, sum, max } = answer.aggregate
      assert.deepEqual([count, sum.c0, sum.c1, max.c199, Object.keys(sum).length], [2, 4, null, 4, 200])
      assert.deepEqual(answer.nodes, [{ c0: 1 }, { c0: 3 }])
    })

  const conditions: readonly (readonly [string, readonly number[]])[] = [
    ['state: { _eq: "fine" }', [1]],
    ['state: { _in: ["grim", "fine"] }', [1, 2]],
    ['state: { _gt: "fine" }', [2]],
    ['state: { _neq: "fine" }', [2]],
    ['moods: { _contains: ["grim"] }', [2]],
    ['site: { _eq: "(Rome,1)" }', [1]],
    ['site: { _in: ["(Bath,2)"] }', [2]],
    ['places: { _contains: ["(Oslo,2)"] }', [1]],
    ['span: { _eq: "[1,3)" }', [1]],
    ['span: { _lt: "[4,9)" }', [1]],
    ['span: { _is_null: true }', [3]],
  ]
  for (const [condition, ids] of conditions)
    test(`domains over enums, composites and ranges are compared: ${condition}`, async () => {
      const { item } = await ask(`{ item(where: { ${condition} }, order_by: { id: asc }) { id } }`)
      assert.deepEqual(
        item?.map(({ id }: { id: number }) => id),
        ids,
      )
    })

  test('domains over enums have an order, and a largest value', async () => {
    assert.deepEqual(
      await ask(`{ item(order_by: { state: desc_nulls_last }, distinct_on: state) { state }
        item_aggregate { aggregate { max { state moods } min { state } count(columns: [site], distinct: true) } } }`),
      {
        item: [{ state: 'grim' }, { state: 'fine' }, { state: null }],
        item_aggregate: {
          aggregate: { max: { state: 'grim', moods: ['grim', 'fine'] }, min: { state: 'fine' }, count: 2 },
        },
      },
    )
  })

  for (const [table, constraint] of [
    ['odd_key', 'odd key'],
    ['odd_unique', 'a-unique'],
  ] as const)
    test(`${table} cannot be tracked: the name of its constraint is no GraphQL name`, async () => {
      const { status, body } = await engine.metadata('pg_track_table', { table })
      assert.deepEqual([status, body.code], [400, 'validation-failed'])
      assert.match(body.error, new RegExp(`cannot include the constraint "${constraint}" of table "${table}"`))
    })

  for (const table of ['odd_index', 'odd name'])
    test(`${table} can be tracked: what is odd about it does not reach GraphQL`, async () => {
      const { status, text } = await engine.metadata('pg_track_table', { table })
      assert.equal(status, 200, text)
    })

  for (const name of ['date', 'Int_comparison_exp', '__Type', '__schema'])
    test(`a table called ${name} clashes with what GraphQL calls so`, async () => {
      const { status, body } = await engine.metadata('pg_track_table', { table: name })
      assert.deepEqual([status, body.code], [500, 'unexpected'])
      assert.match(body.error, new RegExp(`conflicting definitions .*'${name}`))
      const configuration = { custom_name: `table_${name}` }
      const renamed = await engine.metadata('bulk_atomic', [
        { type: 'pg_track_table', args: { table: name, configuration } },
        { type: 'pg_untrack_table', args: { table: name } },
      ])
      assert.equal(renamed.status, 200, renamed.text)
    })

  test('a table called like a scalar is served while no column is of that type', async () => {
    const track = (table: string) => engine.metadata('pg_track_table', { table })
    assert.equal((await track('money')).status, 200)
    assert.equal((await track('jsonb')).status, 200)
    const refused = await track('with_json')
    assert.equal(refused.status, 500)
    assert.match(refused.body.internal[0].reason, /conflicting definitions for type "jsonb"/)
    assert.equal((await engine.metadata('pg_untrack_table', { table: 'jsonb' })).status, 200)
    assert.equal((await track('with_json')).status, 200)
    assert.equal((await track('jsonb')).status, 500)
    const { body } = await engine.metadata('export_metadata', {})
    const [source] = body.sources
    const tables = [...source.tables, { table: { schema: 'public', name: 'jsonb' } }]
    const all = await engine.metadata('replace_metadata', {
      allow_inconsistent_metadata: true,
      metadata: { ...body, sources: [{ ...source, tables: [] }] },
    })
    assert.equal(all.status, 200, all.text)
    const { body: reported } = await engine.metadata(
      'replace_metadata',
      {
        allow_inconsistent_metadata: true,
        metadata: { ...body, sources: [{ ...source, tables }] },
      },
      { version: 2 },
    )
    assert.deepEqual(
      reported.inconsistent_objects.map(({ name }: { name: string }) => name),
      ['table jsonb in source default'],
    )
    const client = buildClientSchema(await ask(getIntrospectionQuery()))
    assert.deepEqual(validateSchema(client), [])
  })

  const call = (name: string) =>
    engine.metadata('pg_set_table_customization', {
      table: 'other',
      configuration: name === '' ? {} : { custom_name: name },
    })
  const asked = () => ask('{ __schema { types { name } } }')

  test('no table can be called like an enum, a composite type or another one that columns are of', async () => {
    assert.equal((await engine.metadata('pg_track_table', { table: 'other' })).status, 200)
    const before = await asked()
    for (const name of ['mood', 'place_scalar', 'int4range']) {
      const { status, body } = await call(name)
      assert.deepEqual([status, body.code], [500, 'unexpected'], name)
      assert.equal(body.internal[0].reason, `Conflicting objects: conflicting definitions for type "${name}"`)
    }
    assert.deepEqual(await asked(), before)
  })

  test('a column of an enum cannot be had as long as a table is called like it', async () => {
    const run = (sql: string) => engine.post('/v2/query', { type: 'run_sql', args: { sql } })
    assert.equal((await call('tint')).status, 200)
    const { status, body } = await run('ALTER TABLE item ADD COLUMN tint tint')
    assert.deepEqual(
      [status, body.internal?.[0].reason],
      [500, 'Conflicting objects: conflicting definitions for type "tint"'],
    )
    assert.equal((await call('')).status, 200)
    assert.equal((await run('ALTER TABLE item ADD COLUMN tint tint')).status, 200)
    assert.equal((await call('tint')).status, 500)
    assert.equal((await run('ALTER TABLE item DROP COLUMN tint')).status, 200)
    assert.equal((await call('tint')).status, 200)
    assert.equal((await call('')).status, 200)
  })

  const uses = [
    {
      what: 'function',
      made: { type: 'pg_track_function', args: { function: 'items_of' } },
      undone: { type: 'pg_untrack_function', args: { function: 'items_of' } },
    },
    {
      what: 'computed field',
      made: {
        type: 'pg_add_computed_field',
        args: { table: 'item', name: 'tinted', definition: { function: 'tinted' } },
      },
      undone: { type: 'pg_drop_computed_field', args: { table: 'item', name: 'tinted' } },
    },
    {
      what: 'native query',
      made: {
        type: 'pg_track_native_query',
        args: {
          root_field_name: 'native',
          code: 'SELECT {{tint}} AS t',
          arguments: { tint: { type: 'tint' } },
          returns: { fields: [{ name: 't', type: { scalar: 'tint' } }] },
        },
      },
      undone: { type: 'pg_untrack_native_query', args: { root_field_name: 'native' } },
    },
  ]
  for (const { what, made, undone } of uses)
    test(`no table can be called like the type of an argument of a ${what}`, async () => {
      const add = () => engine.metadata(made.type, made.args)
      assert.equal((await add()).status, 200)
      assert.equal((await call('tint')).status, 500)
      assert.equal((await engine.metadata(undone.type, undone.args)).status, 200)
      assert.equal((await call('tint')).status, 200)
      const { status, body } = await add()
      assert.deepEqual(
        [status, body.internal?.[0].reason],
        [500, 'Conflicting objects: conflicting definitions for type "tint"'],
      )
      assert.equal((await call('')).status, 200)
    })

  test('no logical model can be called like an enum that columns are of', async () => {
    const { status, body } = await engine.metadata('pg_track_logical_model', {
      name: 'mood',
      fields: [{ name: 'a', type: { scalar: 'text' } }],
    })
    assert.deepEqual(
      [status, body.internal?.[0].reason],
      [500, 'Conflicting objects: conflicting definitions for type "mood"'],
    )
  })
})
