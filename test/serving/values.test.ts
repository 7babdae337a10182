/**
 * JSON of every kind of PostgreSQL value, out and in again (reference/values#json-of-column-values,
 * reference/values#values-of-input), through the real process.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import pg from 'pg'
import { type Engine, startEngine } from '../engine.ts'
import { createTestDatabase, type TestDatabase } from '../postgres.ts'

type Column = {
  readonly name: string
  readonly type: string
  /** As SQL writes it. */
  readonly stored: string
  /** The JSON of the answer. */
  readonly json: string
  /** With SVC_GRAPHQL_STRINGIFY_NUMERIC_TYPES, where that makes a difference. */
  readonly stringified?: string
  /** JSON that finds the row by `_eq`; null: nothing does, since the type has no `=`. Otherwise that of the answer. */
  readonly equal?: string | null
}

const columns: readonly Column[] = [
  { name: 'small', type: 'int2', stored: '32767', json: '32767' },
  { name: 'whole', type: 'int4', stored: '-5', json: '-5' },
  {
    name: 'big',
    type: 'int8',
    stored: '9223372036854775807',
    json: '9223372036854775807',
    stringified: '"9223372036854775807"',
  },
  { name: 'short_float', type: 'float4', stored: '1.1', json: '1.1' },
  {
    name: 'long_float',
    type: 'float8',
    stored: '0.30000000000000004',
    json: '0.30000000000000004',
    stringified: '"0.30000000000000004"',
  },
  { name: 'tiny', type: 'float8', stored: '5e-324', json: '5e-324', stringified: '"5e-324"' },
  { name: 'no_number', type: 'float8', stored: "'NaN'", json: '"NaN"' },
  { name: 'endless', type: 'float4', stored: "'-Infinity'", json: '"-Infinity"' },
  {
    name: 'exact',
    type: 'numeric',
    stored: '123456789012345678901234567890.1234567890',
    json: '123456789012345678901234567890.1234567890',
    stringified: '"123456789012345678901234567890.1234567890"',
  },
  { name: 'cash', type: 'money', stored: "'1234.5'", json: '"$1,234.50"' },
  { name: 'flag', type: 'bool', stored: 'true', json: 'true' },
  { name: 'words', type: 'text', stored: `E'a\\n"é'`, json: '"a\\n\\"é"' },
  { name: 'padded', type: 'char(4)', stored: "'ab'", json: '"ab  "', equal: '"ab"' },
  { name: 'one_char', type: '"char"', stored: "'x'", json: '"x"' },
  { name: 'caseless', type: 'citext', stored: "'CiText'", json: '"CiText"', equal: '"cItEXT"' },
  { name: 'bytes', type: 'bytea', stored: "'\\xdeadbeef'", json: '"\\\\xdeadbeef"' },
  { name: 'day', type: 'date', stored: "'2024-01-02'", json: '"2024-01-02"' },
  { name: 'old_day', type: 'date', stored: "'0044-03-15 BC'", json: '"0044-03-15 BC"' },
  { name: 'last_day', type: 'date', stored: "'infinity'", json: '"infinity"' },
  { name: 'moment', type: 'timestamp', stored: "'2024-01-02 03:04:05.6'", json: '"2024-01-02T03:04:05.6"' },
  {
    name: 'instant',
    type: 'timestamptz',
    stored: "'2024-01-02 03:04:05.678901+05:30'",
    json: '"2024-01-01T21:34:05.678901+00:00"',
    equal: '"2024-01-01T16:34:05.678901 America/New_York"',
  },
  { name: 'clock', type: 'time', stored: "'03:04:05'", json: '"03:04:05"' },
  { name: 'clock_there', type: 'timetz', stored: "'03:04:05+02'", json: '"03:04:05+02"' },
  {
    name: 'span',
    type: 'interval',
    stored: "'1 year 2 mons 3 days 04:05:06'",
    json: '"1 year 2 mons 3 days 04:05:06"',
  },
  {
    name: 'ident',
    type: 'uuid',
    stored: "'00000000-0000-0000-0000-00000000000A'",
    json: '"00000000-0000-0000-0000-00000000000a"',
  },
  {
    name: 'as_is',
    type: 'json',
    stored: `'{"b":1, "a": 1, "a":2.50}'`,
    json: '{"b":1, "a": 1, "a":2.50}',
    equal: null,
  },
  {
    name: 'in_order',
    type: 'jsonb',
    stored: `'{"b":1,"a":12345678901234567890123.450}'`,
    json: '{"a": 12345678901234567890123.450, "b": 1}',
  },
  { name: 'network', type: 'inet', stored: "'10.0.0.1/24'", json: '"10.0.0.1/24"' },
  { name: 'hardware', type: 'macaddr', stored: "'08002b010203'", json: '"08:00:2b:01:02:03"' },
  { name: 'bits', type: 'bit(4)', stored: "B'1010'", json: '"1010"' },
  { name: 'markup', type: 'xml', stored: "'<a>1</a>'", json: '"<a>1</a>"', equal: null },
  { name: 'search', type: 'tsvector', stored: "'fat cat'", json: "\"'cat' 'fat'\"" },
  { name: 'place', type: 'point', stored: "'(1,2)'", json: '"(1,2)"', equal: null },
  { name: 'number_range', type: 'int4range', stored: "'[1,4]'", json: '"[1,5)"' },
  { name: 'ranges', type: 'int4multirange', stored: "'{[1,3),[5,7)}'", json: '"{[1,3),[5,7)}"' },
  { name: 'object_id', type: 'oid', stored: '4294967295', json: '"4294967295"' },
  { name: 'path', type: 'ltree', stored: "'Top.Science'", json: '"Top.Science"' },
  { name: 'pairs', type: 'hstore', stored: `'a=>1, b=>NULL'`, json: '{"a": "1", "b": null}', equal: '"b=>NULL, a=>1"' },
  { name: 'feeling', type: 'mood', stored: "'ok'", json: '"ok"' },
  {
    name: 'address',
    type: 'address',
    stored: `ROW('Main, st', 5, ARRAY['a', 'b c'])`,
    json: '{"street":"Main, st","no":5,"tags":["a","b c"]}',
    equal: `"(\\"Main, st\\",5,\\"{a,\\"\\"b c\\"\\"}\\")"`,
  },
  { name: 'positive', type: 'positive', stored: '5', json: '5' },
  { name: 'list_domain', type: 'int_list', stored: "'{1,2}'", json: '[1,2]' },
  { name: 'small_list', type: 'int2[]', stored: "'{1,NULL,32767}'", json: '[1,null,32767]' },
  {
    name: 'big_list',
    type: 'int8[]',
    stored: "'{9223372036854775807,1}'",
    json: '[9223372036854775807,1]',
  },
  { name: 'exact_list', type: 'numeric[]', stored: "'{1.10,NaN}'", json: '[1.10,"NaN"]' },
  { name: 'matrix', type: 'int4[]', stored: "'{{1,2},{3,4}}'", json: '[[1,2],[3,4]]', equal: '"{{1,2},{3,4}}"' },
  { name: 'word_list', type: 'text[]', stored: `ARRAY['a', NULL, 'b,"c']`, json: '["a",null,"b,\\"c"]' },
  { name: 'json_list', type: 'jsonb[]', stored: `ARRAY['{"a":1}', '"x"']::jsonb[]`, json: '[{"a": 1},"x"]' },
  { name: 'mood_list', type: 'mood[]', stored: "'{sad,ok}'", json: '["sad","ok"]' },
  { name: 'domain_list', type: 'positive[]', stored: "'{1,2}'", json: '[1,2]' },
]

const schema = `
  CREATE EXTENSION citext; CREATE EXTENSION ltree; CREATE EXTENSION hstore;
  CREATE TYPE mood AS ENUM ('sad', 'ok');
  CREATE TYPE address AS (street text, no int, tags text[]);
  CREATE DOMAIN positive AS int CHECK (value > 0);
  CREATE DOMAIN int_list AS int[];
  CREATE TABLE kept (id int PRIMARY KEY, ${columns.map(({ name, type }) => `${name} ${type}`).join(', ')});
  INSERT INTO kept VALUES (1, ${columns.map(({ stored }) => stored).join(', ')}), (2${', NULL'.repeat(columns.length)});
`

describe('values', () => {
  let database: TestDatabase
  let engine: Engine
  before(async () => {
    database = await createTestDatabase()
    const client = new pg.Client({ connectionString: database.url })
    await client.connect()
    await client.query(schema)
    // a database may be configured to cut floats and to write bytes in an older form
    await client.query(`DO $$ BEGIN
      EXECUTE format('ALTER DATABASE %I SET extra_float_digits = 0', current_database());
      EXECUTE format('ALTER DATABASE %I SET bytea_output = escape', current_database()); END $$`)
    await client.end()
    engine = await startEngine({ databaseUrl: database.url })
    assert.equal((await engine.metadata('pg_track_table', { table: 'kept' })).status, 200)
  })
  after(async () => {
    await engine.stop()
    await database.drop()
  })

  const row = (value: (column: Column) => string) =>
    `{"data":{"kept_by_pk":{${columns.map((column) => `"${column.name}":${value(column)}`).join(',')}}}}`
  const query = `query ($id: Int = 1) { kept_by_pk(id: $id) { ${columns.map(({ name }) => name).join(' ')} } }`

  test('each is the JSON that its type has, with every digit, and NULL is null', async () => {
    assert.equal(
      (await engine.post('/v1/graphql', { query })).text,
      row(({ json }) => json),
    )
    assert.equal(
      (await engine.post('/v1/graphql', { query, variables: { id: 2 } })).text,
      row(() => 'null'),
    )
  })

  test('numbers beyond those of JavaScript are strings where the server is configured so', async (t) => {
    const env = { SVC_GRAPHQL_STRINGIFY_NUMERIC_TYPES: 'true' }
    const other = await startEngine({ databaseUrl: database.url, env }, t)
    assert.equal(
      (await other.post('/v1/graphql', { query })).text,
      row(({ json, stringified = json }) => stringified),
    )
    const { text } = await other.post('/v1/graphql', {
      query: `{ kept_aggregate { aggregate { count sum { small big exact } avg { whole big } max { big long_float } } } }`,
    })
    assert.deepEqual(JSON.parse(text).data.kept_aggregate.aggregate, {
      count: 2,
      sum: { small: 32767, big: '9223372036854775807', exact: '123456789012345678901234567890.1234567890' },
      avg: { whole: -5, big: '9223372036854775807' },
      max: { big: '9223372036854775807', long_float: '0.30000000000000004' },
    })
  })

  test('each is found again by the JSON it is given as', async () => {
    const lost: string[] = []
    for (const { name, json, equal = json } of columns) {
      if (equal === null) continue
      const body = `{"query":"query ($w: kept_bool_exp) { kept(where: $w) { id } }","variables":{"w":{"${name}":{"_eq":${equal}}}}}`
      const { text } = await engine.send('POST', '/v1/graphql', body)
      if (text !== '{"data":{"kept":[{"id":1}]}}') lost.push(`${name}: ${text}`)
    }
    assert.deepEqual(lost, [])
  })

  /** Code and path of the refusal of `where: {column: {operator: value}}`, given as a literal and as a variable. */
  const refusals = async (column: string, operator: string, value: string) => {
    const bodies = [
      JSON.stringify({ query: `{ kept(where: {${column}: {${operator}: ${value}}}) { id } }` }),
      `{"query":"query ($w: kept_bool_exp) { kept(where: $w) { id } }","variables":{"w":{"${column}":{"${operator}":${value}}}}}`,
    ]
    const answers = await Promise.all(bodies.map((body) => engine.send('POST', '/v1/graphql', body)))
    return answers.map(({ body }) => {
      const [error] = body.errors ?? []
      return error
        ? [error.message, error.extensions.code, error.extensions.path.replace('$.selectionSet.kept.args.where.', '')]
        : body
    })
  }
  const outside = (value: string) =>
    `The value ${value} lies outside the bounds or is not an integer. Maybe it is a float, or is there integer overflow?`

  for (const [column, operator, value, reported, at = ''] of [
    ['small', '_eq', '32768', outside('32768')],
    ['whole', '_eq', '1.5', outside('1.5')],
    ['whole', '_eq', '1.0000000000000000000001', outside('1.0000000000000000000001')],
    ['whole', '_eq', '1e400', outside('1e400')],
    ['big', '_in', '[1, 9223372036854775808]', outside('9223372036854775808'), '[1]'],
    ['small_list', '_contains', '[1, 32768]', outside('32768'), '[1]'],
    ['big_list', '_contains', '9223372036854775808', outside('9223372036854775808')],
    ['whole', '_eq', 'true', 'parsing Scientific failed, expected Number, but encountered Boolean'],
    ['words', '_eq', '12345678901234567890', 'parsing Text failed, expected String, but encountered Number'],
    ['flag', '_eq', '1', 'parsing Bool failed, expected Bool, but encountered Number'],
    ['instant', '_eq', '5', 'parsing Text failed, expected String, but encountered Number'],
  ] as const)
    test(`${column} compared by ${operator} with ${value} is refused where it stands`, async () => {
      const refusal = [reported, 'parse-failed', `${column}.${operator}${at}`]
      assert.deepEqual(await refusals(column, operator, value), [refusal, refusal])
    })

  test('whole numbers may be written as decimals, single values stand for arrays, and digits are not lost', async () => {
    for (const condition of [
      'whole: {_eq: -5.000000000000000000000}',
      'small_list: {_contains: 1}',
      'big_list: {_contains: 9223372036854775807}',
      'exact_list: {_eq: ["1.10", "NaN"]}',
      'exact: {_eq: 123456789012345678901234567890.1234567890}',
      'in_order: {_contains: {a: 12345678901234567890123.45}}',
      'json_list: {_contains: {a: 1}}',
    ])
      assert.deepEqual(
        (await engine.post('/v1/graphql', { query: `{ kept(where: {${condition}}) { id } }` })).body,
        { data: { kept: [{ id: 1 }] } },
        condition,
      )
  })
})
