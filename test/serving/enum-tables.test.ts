/** Enum tables (reference/database-objects#enum-tables) through the real process and a real database. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import pg from 'pg'
import { type Answer, type Engine, startEngine } from '../engine.ts'
import { createTestDatabase, type TestDatabase } from '../postgres.ts'

const schema = `
  CREATE TABLE colors (value text PRIMARY KEY, comment text);
  INSERT INTO colors VALUES ('red', '#FF0000'), ('green', '#00FF00'), ('blue', NULL);
  CREATE TABLE sizes (value text PRIMARY KEY);
  INSERT INTO sizes VALUES ('small'), ('large');
  CREATE TABLE shirts (
    id integer PRIMARY KEY,
    color varchar(20) REFERENCES colors,
    size text NOT NULL REFERENCES sizes);
  INSERT INTO shirts VALUES (1, 'red', 'small'), (2, 'blue', 'large'), (3, NULL, 'large');
  CREATE TABLE stock (color text REFERENCES colors, size text REFERENCES sizes, pieces integer, PRIMARY KEY (color, size));
  INSERT INTO stock VALUES ('red', 'small', 7);
`

const message = (answer: Answer) => answer.body.errors?.[0].message
const errorOf = (answer: Answer) => {
  const [error] = answer.body.errors
  return [error.extensions.code, error.extensions.path, error.message]
}
const typeNames = `query ($name: String!) { __type(name: $name) { fields { name type { name ofType { name } } } } }`

describe('enum tables', () => {
  let database: TestDatabase
  let engine: Engine
  let client: pg.Client

  before(async () => {
    database = await createTestDatabase()
    client = new pg.Client({ connectionString: database.url })
    await client.connect()
    await client.query(schema)
    engine = await startEngine({ databaseUrl: database.url })
    const tables = ['colors', 'sizes', 'shirts', 'stock']
    const tracked = tables.map((table) => ({
      type: 'pg_track_table',
      args: { table, is_enum: table === 'colors' || table === 'sizes' },
    }))
    assert.equal((await engine.metadata('bulk', tracked)).status, 200)
  })
  after(async () => {
    await engine.stop()
    await client.end()
    await database.drop()
  })

  const ask = (query: string, variables: object = {}, headers = {}) =>
    engine.post('/v1/graphql', { query, variables }, headers)

  const typeOf = async (table: string, field: string): Promise<string> => {
    const { body } = await ask(typeNames, { name: table })
    const found = body.data.__type.fields.find(({ name }: { name: string }) => name === field)
    return found.type.name ?? `${found.type.ofType.name}!`
  }

  test('a column that refers to an enum table is of its type, and the table itself remains a table of texts', async () => {
    assert.equal(await typeOf('shirts', 'color'), 'colors_enum')
    assert.equal(await typeOf('shirts', 'size'), 'sizes_enum!')
    assert.equal(await typeOf('colors', 'value'), 'String!')
    const { body } = await ask(
      '{ colors_by_pk(value: "red") { value comment } shirts(order_by: {color: desc_nulls_last}) { color } }',
    )
    assert.deepEqual(body.data, {
      colors_by_pk: { value: 'red', comment: '#FF0000' },
      shirts: [{ color: 'red' }, { color: 'blue' }, { color: null }],
    })
  })

  test('introspection shows the values with their comments, five operators, and no max or min', async () => {
    const { body } = await ask(`{
      type: __type(name: "colors_enum") { kind enumValues { name description } }
      comparison: __type(name: "colors_enum_comparison_exp") { inputFields { name type { name ofType { ofType { name } } } } }
      where: __type(name: "shirts_bool_exp") { inputFields { name type { name } } }
      max: __type(name: "shirts_max_fields") { fields { name } }
      root: __type(name: "query_root") { fields { name args { name type { ofType { name } } } } }
      all: __schema { types { name } }
    }`)
    const { type, comparison, where, max, root, all } = body.data
    assert.deepEqual(type, {
      kind: 'ENUM',
      enumValues: [
        { name: 'blue', description: null },
        { name: 'green', description: '#00FF00' },
        { name: 'red', description: '#FF0000' },
      ],
    })
    const one = { name: 'colors_enum', ofType: null }
    const many = { name: null, ofType: { ofType: { name: 'colors_enum' } } }
    assert.deepEqual(comparison.inputFields, [
      { name: '_eq', type: one },
      { name: '_in', type: many },
      { name: '_is_null', type: { name: 'Boolean', ofType: null } },
      { name: '_neq', type: one },
      { name: '_nin', type: many },
    ])
    assert.deepEqual(
      where.inputFields.find(({ name }: { name: string }) => name === 'color'),
      { name: 'color', type: { name: 'colors_enum_comparison_exp' } },
    )
    assert.deepEqual(max.fields, [{ name: 'id' }])
    const byKey = root.fields.find(({ name }: { name: string }) => name === 'stock_by_pk')
    assert.deepEqual(byKey.args, [
      { name: 'color', type: { ofType: { name: 'colors_enum' } } },
      { name: 'size', type: { ofType: { name: 'sizes_enum' } } },
    ])
    const names = all.types.map(({ name }: { name: string }) => name)
    assert.ok(names.includes('colors_enum') && names.includes('colors_enum_comparison_exp'))
    assert.equal(new Set(names).size, names.length)
  })

  test('values come as names in the document and as strings in variables', async () => {
    const { body } = await ask(
      `query ($one: colors_enum!, $many: [colors_enum!], $size: sizes_enum!, $fallback: colors_enum = red) {
        literal: shirts(where: {color: {_eq: blue}}) { id }
        list: shirts(where: {color: {_in: [red, $one]}}, order_by: {id: asc}) { id }
        single: shirts(where: {color: {_in: red}}) { id }
        variable: shirts(where: {color: {_eq: $one}}) { id }
        variables: shirts(where: {color: {_nin: $many}}) { id }
        fallback: shirts(where: {color: {_neq: $fallback}}) { id }
        null: shirts(where: {color: {_is_null: true}}) { id }
        key: stock_by_pk(color: red, size: $size) { pieces }
      }`,
      { one: 'blue', many: ['red', 'green'], size: 'small' },
    )
    assert.deepEqual(body.data, {
      literal: [{ id: 2 }],
      list: [{ id: 1 }, { id: 2 }],
      single: [{ id: 1 }],
      variable: [{ id: 2 }],
      variables: [{ id: 2 }],
      fallback: [{ id: 2 }],
      null: [{ id: 3 }],
      key: { pieces: 7 },
    })
  })

  test('what is no value of the enum is refused where it stands', async () => {
    const at = '$.selectionSet.shirts.args.where.color'
    const unknown = (found: string) =>
      `expected one of the values ['blue', 'green', 'red'] for type 'colors_enum', but found '${found}'`
    const where = (comparison: string) => `{ shirts(where: {color: {${comparison}}}) { id } }`
    const withVariable = (type: string, comparison: string) => `query ($v: ${type}) ${where(comparison)}`
    const cases: readonly (readonly [string, object, string, string])[] = [
      [where('_eq: pink'), {}, '._eq', unknown('pink')],
      [where('_in: [red, pink]'), {}, '._in[1]', unknown('pink')],
      [where('_in: [red, null]'), {}, '._in[1]', "unexpected null value for type 'colors_enum'"],
      [where('_eq: "red"'), {}, '._eq', "expected an enum value for type 'colors_enum', but found a string"],
      [where('_eq: null'), {}, '._eq', "unexpected null value for type 'colors_enum'"],
      [where('_like: "r%"'), {}, '._like', "field '_like' not found in type: 'colors_enum_comparison_exp'"],
      [where('_gt: red'), {}, '._gt', "field '_gt' not found in type: 'colors_enum_comparison_exp'"],
      [withVariable('colors_enum', '_eq: $v'), { v: 'pink' }, '._eq', unknown('pink')],
      [
        withVariable('colors_enum', '_eq: $v'),
        { v: 5 },
        '._eq',
        "expected an enum value for type 'colors_enum', but found a number",
      ],
      [withVariable('[colors_enum!]', '_in: $v'), { v: ['red', 'pink'] }, '._in[1]', unknown('pink')],
      [
        withVariable('[colors_enum!]', '_in: $v'),
        { v: ['red', null] },
        '._in[1]',
        "unexpected null value for type 'colors_enum'",
      ],
      [withVariable('colors_enum!', '_in: [red, $v]'), { v: 'pink' }, '._in[1]', unknown('pink')],
      [
        withVariable('String', '_eq: $v'),
        { v: 'red' },
        '._eq',
        "variable 'v' is declared as 'String', but used where 'colors_enum' is expected",
      ],
    ]
    for (const [query, variables, place, text] of cases)
      assert.deepEqual(errorOf(await ask(query, variables)), ['validation-failed', `${at}${place}`, text], query)
    // the same text is served from the plan of a good value
    const query = withVariable('colors_enum', '_eq: $v')
    assert.deepEqual((await ask(query, { v: 'red' })).body.data, { shirts: [{ id: 1 }] })
    assert.deepEqual((await ask(query, { v: 'blue' })).body.data, { shirts: [{ id: 2 }] })
    assert.deepEqual(errorOf(await ask(query, { v: 'pink' })), ['validation-failed', `${at}._eq`, unknown('pink')])
    assert.equal(
      message(await ask('{ stock_by_pk(color: red, size: medium) { pieces } }')),
      "expected one of the values ['large', 'small'] for type 'sizes_enum', but found 'medium'",
    )
    assert.match(message(await ask('{ shirts_aggregate { aggregate { max { color } } } }')), /field 'color' not found/)
  })

  test('a permission may filter by an enum, by a constant of it or by the session', async () => {
    const create = (role: string, filter: object) =>
      engine.metadata('pg_create_select_permission', {
        table: 'shirts',
        role,
        permission: { columns: ['id', 'color'], filter },
      })
    assert.equal((await create('constant', { color: { _in: ['red', 'green'] } })).status, 200)
    assert.equal((await create('session', { color: 'X-Svc-Color' })).status, 200)
    const query = '{ shirts { id color } }'
    assert.deepEqual((await ask(query, {}, { 'x-svc-role': 'constant' })).body.data, {
      shirts: [{ id: 1, color: 'red' }],
    })
    const asked = await ask(query, {}, { 'x-svc-role': 'session', 'x-svc-color': 'blue' })
    assert.deepEqual(asked.body.data, { shirts: [{ id: 2, color: 'blue' }] })
    const { status, body } = await create('wrong', { color: { _eq: 'pink' } })
    assert.deepEqual([status, body.code, body.path], [400, 'invalid-configuration', '$.args'])
    assert.equal(
      body.error,
      'Inconsistent object: in table "shirts": in permission for role "wrong": expected one of the values "blue", "green", "red" for type "colors_enum", given "pink"',
    )
    const drop = (role: string) => engine.metadata('pg_drop_select_permission', { table: 'shirts', role })
    for (const role of ['constant', 'session']) assert.equal((await drop(role)).status, 200)
  })

  test('new rows are values after the metadata was reloaded, also for a plan that is kept', async () => {
    const query = '{ shirts(where: {color: {_in: [red, gold]}}) { id } }'
    const kept = 'query ($v: colors_enum) { shirts(where: {color: {_eq: $v}}) { id } }'
    assert.deepEqual((await ask(kept, { v: 'red' })).body.data, { shirts: [{ id: 1 }] })
    await client.query(`INSERT INTO colors VALUES ('gold', NULL)`)
    assert.match(message(await ask(query)), /but found 'gold'/)
    assert.match(message(await ask(kept, { v: 'gold' })), /but found 'gold'/)
    const version = (await engine.metadata('export_metadata', {}, { version: 2 })).body.resource_version
    assert.equal((await engine.metadata('reload_metadata', {})).body.is_consistent, true)
    assert.deepEqual((await ask(query)).body.data, { shirts: [{ id: 1 }] })
    assert.deepEqual((await ask(kept, { v: 'gold' })).body.data, { shirts: [] })
    await client.query(`DELETE FROM colors WHERE value = 'gold'`)
    assert.equal((await engine.metadata('reload_metadata', {})).body.is_consistent, true)
    assert.match(message(await ask(kept, { v: 'gold' })), /but found 'gold'/)
    assert.equal((await engine.metadata('export_metadata', {}, { version: 2 })).body.resource_version, version)
  })

  test('set_table_is_enum sets and clears the mark, twice like once, under all its names', async () => {
    const isEnum = async () => {
      const { body } = await engine.metadata('export_metadata', {})
      const { tables } = body.sources[0]
      return tables.find((one: { table: { name: string } }) => one.table.name === 'sizes').is_enum
    }
    const version = async () => (await engine.metadata('export_metadata', {}, { version: 2 })).body.resource_version
    const before = await version()
    const clear = { table: 'sizes', is_enum: false }
    assert.deepEqual((await engine.metadata('pg_set_table_is_enum', clear)).body, { message: 'success' })
    assert.equal(await isEnum(), undefined)
    assert.equal(await typeOf('shirts', 'size'), 'String!')
    assert.equal((await engine.metadata('set_table_is_enum', clear)).status, 200)
    assert.equal(await version(), before + 1)
    const set = { table: 'sizes', is_enum: true }
    assert.equal((await engine.post('/v1/query', { type: 'set_table_is_enum', args: set })).status, 200)
    assert.equal(await isEnum(), true)
    assert.equal(await typeOf('shirts', 'size'), 'sizes_enum!')
    assert.equal((await engine.metadata('set_table_is_enum', set)).status, 200)
    assert.equal(await version(), before + 2)
    const missing = await engine.metadata('pg_set_table_is_enum', { table: 'sizes' })
    assert.deepEqual([missing.status, missing.body.code, missing.body.path], [400, 'parse-failed', '$.args'])
    const unknown = await engine.metadata('pg_set_table_is_enum', { table: 'nothing', is_enum: true })
    assert.deepEqual([unknown.status, unknown.body.code], [400, 'not-exists'])
  })

  test('the type is named after the table as GraphQL names it', async () => {
    const customize = (configuration: object) =>
      engine.metadata('pg_set_table_customization', { table: 'colors', configuration })
    assert.equal((await customize({ custom_name: 'paint' })).status, 200)
    assert.equal(await typeOf('shirts', 'color'), 'paint_enum')
    assert.equal((await customize({})).status, 200)
    assert.equal(await typeOf('shirts', 'color'), 'colors_enum')
  })

  test('a table that cannot be an enum says everything that is wrong with it', async () => {
    const reasons: readonly (readonly [string, string])[] = [
      ['CREATE TABLE bad (value text)', 'because the table must have a primary key'],
      [
        'CREATE TABLE bad (a text, b text, PRIMARY KEY (b, a))',
        'because the table’s primary key must not span multiple columns (a, b)',
      ],
      [
        'CREATE TABLE bad (id varchar(9) PRIMARY KEY)',
        'because the table’s primary key ("id") must have type "text", not type "varchar"',
      ],
      [
        'CREATE TABLE bad (id integer PRIMARY KEY, b text, a text)',
        'for the following reasons:\n  • the table’s primary key ("id") must have type "text", not type "integer"\n' +
          '  • the table must have exactly one primary key and optionally one comment column, not 3 columns (a, b, id)\n',
      ],
      [
        'CREATE TABLE bad (value text PRIMARY KEY, rank smallint)',
        'because the table’s comment column ("rank") must have type "text", not type "smallint"',
      ],
      ['CREATE TABLE bad (value text PRIMARY KEY)', 'because the table must have at least one row'],
      [
        `CREATE TABLE bad (value text PRIMARY KEY); INSERT INTO bad VALUES ('a'), ('b c')`,
        'because the value "b c" is not a valid GraphQL enum value name',
      ],
      [
        `CREATE TABLE bad (value text PRIMARY KEY); INSERT INTO bad VALUES ('true'), ('1'), ('null')`,
        'because the values "1", "null", and "true" are not valid GraphQL enum value names',
      ],
      [
        `CREATE TABLE bad (value text PRIMARY KEY); INSERT INTO bad SELECT 'v' || n FROM generate_series(0, 10000) n`,
        'because the table must have at most 10000 rows',
      ],
    ]
    for (const [sql, reason] of reasons) {
      await client.query(sql)
      const { status, body } = await engine.metadata('pg_track_table', { table: 'bad', is_enum: true })
      const said = `Inconsistent object: the table "bad" cannot be used as an enum ${reason}`
      assert.deepEqual(
        [status, body],
        [
          400,
          {
            error: said,
            path: '$.args',
            code: 'invalid-configuration',
            internal: [
              {
                reason: said,
                type: 'table',
                name: 'table bad in source default',
                definition: { name: 'bad', schema: 'public' },
              },
            ],
          },
        ],
        sql,
      )
      await client.query('DROP TABLE bad')
    }
  })

  test('a table whose mark is refused serves on as it was', async () => {
    const { status, body } = await engine.metadata('pg_set_table_is_enum', { table: 'shirts', is_enum: true })
    assert.deepEqual([status, body.code], [400, 'invalid-configuration'])
    assert.equal((await ask('{ shirts_by_pk(id: 1) { id } }')).body.data.shirts_by_pk.id, 1)
  })

  test('a column may refer to one enum table only', async () => {
    await client.query(`CREATE TABLE shades (value text PRIMARY KEY); INSERT INTO shades VALUES ('red'), ('blue');
      ALTER TABLE shirts ADD FOREIGN KEY (color) REFERENCES shades`)
    assert.equal((await engine.metadata('reload_metadata', {})).body.is_consistent, true)
    const { status, body } = await engine.metadata('pg_track_table', { table: 'shades', is_enum: true })
    assert.deepEqual(
      [status, body.code, body.error],
      [400, 'unexpected', 'cannot continue due to new inconsistent metadata'],
    )
    assert.equal(
      body.internal[0].reason,
      'Inconsistent object: column "color" in table "shirts" references multiple enum tables ("colors", "shades")',
    )
    // both at once: the table that refers to them is what is wrong
    const exported = (await engine.metadata('export_metadata', {})).body
    const tables = [...exported.sources[0].tables, { table: { schema: 'public', name: 'shades' }, is_enum: true }]
    const metadata = { ...exported, sources: [{ ...exported.sources[0], tables }] }
    const replaced = await engine.metadata(
      'replace_metadata',
      { metadata, allow_inconsistent_metadata: true },
      { version: 2 },
    )
    assert.deepEqual(
      replaced.body.inconsistent_objects.map(({ type, definition }: { type: string; definition: unknown }) => [
        type,
        definition,
      ]),
      [['table', { name: 'shirts', schema: 'public' }]],
    )
    // without the second enum the table is served again
    assert.equal((await engine.metadata('pg_set_table_is_enum', { table: 'shades', is_enum: false })).status, 200)
    assert.deepEqual((await engine.metadata('get_inconsistent_metadata', {})).body, [])
    assert.equal(await typeOf('shirts', 'color'), 'colors_enum')
    await client.query('DROP TABLE shades CASCADE')
    assert.equal((await engine.metadata('pg_untrack_table', { table: 'shades' })).status, 200)
  })

  test('SQL that changes an enum table is checked with the values it leaves', async () => {
    const runSql = (sql: string) =>
      engine.post('/v2/query', { type: 'run_sql', args: { sql, check_metadata_consistency: true } })
    assert.equal((await runSql(`INSERT INTO sizes VALUES ('medium')`)).status, 200)
    assert.deepEqual((await ask('{ shirts(where: {size: {_eq: medium}}) { id } }')).body.data, { shirts: [] })
    const refused = await runSql(`INSERT INTO sizes VALUES ('extra large')`)
    assert.deepEqual([refused.status, refused.body.code], [500, 'unexpected'])
    const { rows } = await client.query(`SELECT count(*)::int AS n FROM sizes WHERE value = 'extra large'`)
    assert.equal(rows[0].n, 0)
    // a renamed table takes its values along
    assert.equal((await runSql('ALTER TABLE sizes RENAME TO widths')).status, 200)
    assert.equal(await typeOf('shirts', 'size'), 'widths_enum!')
    assert.deepEqual((await ask('{ shirts(where: {size: {_eq: small}}) { id } }')).body.data, { shirts: [{ id: 1 }] })
    assert.equal((await runSql('ALTER TABLE widths RENAME TO sizes')).status, 200)
    // another type than text makes it no enum
    const retyped = await runSql('ALTER TABLE sizes ADD COLUMN rank integer')
    assert.deepEqual([retyped.status, retyped.body.code], [500, 'unexpected'])
    assert.equal(await typeOf('shirts', 'size'), 'sizes_enum!')
  })

  test('an enum that lost its rows is reported on reload; columns are texts until it is mended', async () => {
    await client.query(`CREATE TABLE moods (value text PRIMARY KEY); INSERT INTO moods VALUES ('glad');
      CREATE TABLE people (id integer PRIMARY KEY, mood text REFERENCES moods)`)
    const track = (table: string, is_enum: boolean) => ({ type: 'pg_track_table', args: { table, is_enum } })
    assert.equal((await engine.metadata('bulk', [track('people', false), track('moods', true)])).status, 200)
    assert.equal(await typeOf('people', 'mood'), 'moods_enum')
    await client.query('DELETE FROM moods')
    const { body } = await engine.metadata('reload_metadata', {})
    assert.deepEqual(
      body.inconsistent_objects.map(({ reason }: { reason: string }) => reason),
      ['Inconsistent object: the table "moods" cannot be used as an enum because the table must have at least one row'],
    )
    assert.equal(await typeOf('people', 'mood'), 'String')
    await client.query(`INSERT INTO moods VALUES ('sad')`)
    assert.equal((await engine.metadata('reload_metadata', {})).body.is_consistent, true)
    assert.equal(await typeOf('people', 'mood'), 'moods_enum')
  })

  test('enums outlive the process, and another instance sees what is marked', async () => {
    const other = await startEngine({ databaseUrl: database.url })
    try {
      const query = '{ shirts(where: {color: {_eq: red}}) { id } __type(name: "colors_enum") { name } }'
      const asked = async () => (await other.post('/v1/graphql', { query })).body.data
      const caughtUp = async () => assert.equal((await other.metadata('export_metadata', {})).status, 200)
      const shirts = [{ id: 1 }]
      assert.deepEqual(await asked(), { shirts, __type: { name: 'colors_enum' } })
      assert.equal((await engine.metadata('pg_set_table_is_enum', { table: 'colors', is_enum: false })).status, 200)
      await caughtUp()
      assert.deepEqual(await asked(), { shirts, __type: null })
      assert.equal((await engine.metadata('pg_set_table_is_enum', { table: 'colors', is_enum: true })).status, 200)
      await caughtUp()
      assert.deepEqual(await asked(), { shirts, __type: { name: 'colors_enum' } })
    } finally {
      await other.stop()
    }
  })
})

test('an enum table outside public is called after its schema', async (t) => {
  const database = await createTestDatabase(t)
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  await client.query(`CREATE SCHEMA art; CREATE TABLE art.tones (value text PRIMARY KEY); INSERT INTO art.tones VALUES ('low');
    CREATE TABLE songs (id integer PRIMARY KEY, tone text REFERENCES art.tones)`)
  await client.end()
  const engine = await startEngine({ databaseUrl: database.url }, t)
  const args = { table: { schema: 'art', name: 'tones' }, is_enum: true }
  assert.equal((await engine.post('/v1/query', { type: 'track_table', args })).status, 200)
  assert.equal((await engine.post('/v1/query', { type: 'track_table', args: 'songs' })).status, 200)
  const { body } = await engine.post('/v1/graphql', { query: '{ songs(where: {tone: {_eq: high}}) { id } }' })
  assert.equal(body.errors[0].message, "expected one of the values ['low'] for type 'art_tones_enum', but found 'high'")
})
