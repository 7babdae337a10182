/** /v1/graphql/explain (reference/queries#explain): what it shows is run by hand and gives what the engine answers. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import pg from 'pg'
import { type Engine, startEngine } from '../engine.ts'
import { createTestDatabase, type TestDatabase } from '../postgres.ts'
import { startRemoteServer } from './remote-server.ts'

const schema = `
  CREATE EXTENSION ltree;
  CREATE TYPE mood AS ENUM ('sad', 'ok');
  CREATE TABLE color (value text PRIMARY KEY, comment text);
  INSERT INTO color VALUES ('red', NULL), ('blue', NULL);
  CREATE TABLE owner (id int PRIMARY KEY, name text, city text, color text REFERENCES color);
  INSERT INTO owner SELECT n, 'owner ' || n, CASE WHEN n % 2 = 0 THEN 'A' ELSE 'B' END, 'red' FROM generate_series(1, 4) n;
  CREATE TABLE pet (id int PRIMARY KEY, name text, age int, owner_id int REFERENCES owner, weight float8, tags text[],
    facts jsonb, mood mood, price numeric, born timestamptz, raw bytea, place ltree);
  INSERT INTO pet SELECT n, E'it''s \\\\ "' || n || '"', nullif(n % 4, 0), 1 + n % 4, n * 1.5, '{a,"b,c"}', '{"a": "it''s \\\\"}',
    'ok', n * 1.10, '2024-01-01', '\\xde', 'a.b' FROM generate_series(1, 12) n;
  CREATE FUNCTION older_pets(than int DEFAULT 1, session json DEFAULT NULL) RETURNS SETOF pet STABLE LANGUAGE sql
    AS $$ SELECT * FROM pet WHERE age > than $$;
  CREATE FUNCTION one_pet(wanted int) RETURNS pet STABLE LANGUAGE sql AS $$ SELECT * FROM pet WHERE id = wanted $$;
  CREATE FUNCTION label(pet, mark text, session json DEFAULT NULL) RETURNS text STABLE LANGUAGE sql
    AS $$ SELECT $1.id || mark || (session ->> 'x-svc-role') $$;
  CREATE FUNCTION pets_from(whose owner, first int) RETURNS SETOF pet STABLE LANGUAGE sql
    AS $$ SELECT * FROM pet WHERE owner_id = whose.id AND id >= first $$;
`

const member = { 'x-svc-role': 'member', 'x-svc-owners': '{1,2}' }
const both = { 'x-svc-role': 'both', 'x-svc-owners': '{1,2}', 'x-svc-user-id': '3' }

describe('explain', () => {
  let database: TestDatabase
  let client: pg.Client
  let engine: Engine
  before(async () => {
    database = await createTestDatabase()
    client = new pg.Client({ connectionString: database.url })
    await client.connect()
    await client.query(schema)
    engine = await startEngine({ databaseUrl: database.url })
    const may = (table: string, role: string, permission: object) => ({
      type: 'pg_create_select_permission',
      args: { table, role, permission: { columns: '*', filter: {}, allow_aggregations: true, ...permission } },
    })
    const set = await engine.metadata('bulk', [
      { type: 'pg_track_tables', args: { tables: ['color', 'owner', 'pet'] } },
      { type: 'pg_set_table_is_enum', args: { table: 'color', is_enum: true } },
      {
        type: 'pg_create_object_relationship',
        args: { table: 'pet', name: 'owner', using: { foreign_key_constraint_on: 'owner_id' } },
      },
      {
        type: 'pg_create_array_relationship',
        args: {
          table: 'owner',
          name: 'pets',
          using: { foreign_key_constraint_on: { table: 'pet', column: 'owner_id' } },
        },
      },
      {
        type: 'pg_track_function',
        args: { function: 'older_pets', configuration: { session_argument: 'session' } },
      },
      { type: 'pg_track_function', args: { function: 'one_pet' } },
      {
        type: 'pg_add_computed_field',
        args: { table: 'pet', name: 'label', definition: { function: 'label', session_argument: 'session' } },
      },
      {
        type: 'pg_add_computed_field',
        args: { table: 'owner', name: 'pets_from', definition: { function: 'pets_from' } },
      },
      {
        type: 'pg_track_logical_model',
        args: {
          name: 'labelled',
          fields: [
            { name: 'id', type: 'integer' },
            { name: 'text', type: 'text' },
          ],
        },
      },
      {
        type: 'pg_track_native_query',
        args: {
          root_field_name: 'labels',
          code: 'SELECT id, name || {{suffix}} AS text FROM pet -- all of them',
          arguments: { suffix: { type: 'text' } },
          returns: 'labelled',
        },
      },
      may('owner', 'member', {}),
      may('pet', 'member', { filter: { owner_id: { _in: 'X-Svc-Owners' } }, limit: 4, computed_fields: '*' }),
      may('owner', 'guest', { columns: ['id'] }),
      may('pet', 'guest', { columns: ['id'], filter: { owner_id: 'X-Svc-User-Id' } }),
      { type: 'add_inherited_role', args: { role_name: 'both', role_set: ['member', 'guest'] } },
    ])
    assert.equal(set.status, 200, set.text)
  })
  after(async () => {
    await engine.stop()
    await client.end()
    await database.drop()
  })

  const explain = (body: unknown, headers = {}) => engine.post('/v1/graphql/explain', body, headers)

  type Explained = { readonly field: string; readonly sql: string | null; readonly plan: readonly string[] | null }

  /** The JSON that its SQL gives, as text; a row that is not there is null. */
  async function run(sql: string): Promise<string> {
    assert.doesNotMatch(sql, /\$\d/)
    const types = { getTypeParser: () => (text: unknown) => text } as pg.CustomTypesConfig
    const { rows } = await client.query<string[]>({ text: sql, rowMode: 'array', types })
    return rows[0]?.[0] ?? 'null'
  }

  for (const [what, query, variables] of [
    ['rows', '{ pet { id name age weight tags facts mood price born raw place } }'],
    ['a row by key, and one that is not there', '{ a: pet_by_pk(id: 4) { id } b: pet_by_pk(id: 400) { id } }'],
    [
      'aggregates',
      '{ pet_aggregate(limit: 9, order_by: {id: desc}) { aggregate { count sum { price } } nodes { id } } }',
    ],
    [
      'related rows and aggregates',
      '{ owner { name pets(limit: 2, order_by: {id: desc}) { id owner { id } } pets_aggregate { aggregate { count } } } }',
    ],
    [
      'functions and computed fields',
      `{ older_pets(args: {than: 2}) { id label(args: {mark: "'\\\\"}) } older_pets_aggregate { aggregate { count } }
        one_pet(args: {wanted: 3}) { id } owner { pets_from(args: {first: 5}, limit: 1) { id } } }`,
    ],
    [
      'conditions of many kinds',
      `{ pet(where: {_not: {id: {_in: []}}, facts: {_contains: {a: "it's \\\\"}}, place: {_descendant_any: ["a"]},
        mood: {_eq: ok}, owner: {color: {_in: [red]}}, raw: {_eq: "\\\\xde"}, born: {_lt: "now"}, name: {_like: "it's%"}}) { id } }`,
    ],
    [
      'aggregation predicates, orders through relationships, distinct rows',
      `{ owner(where: {pets_aggregate: {count: {filter: {tags: {_contains: ["b,c"]}}, predicate: {_gt: 1}}}}) { id }
        pet(order_by: [{owner: {pets_aggregate: {max: {id: desc}}}}, {id: asc}]) { id }
        d: owner(distinct_on: city, order_by: [{city: asc}, {id: desc}]) { id } }`,
    ],
    [
      'variables',
      'query ($w: pet_bool_exp!, $l: Int, $o: [pet_order_by!]) { pet(where: $w, limit: $l, order_by: $o) { id } }',
      { w: { price: { _gt: '1.1' }, id: { _in: [1, 2, 3] }, name: { _neq: "'; --" } }, l: 2, o: { id: 'desc' } },
    ],
  ] as const)
    for (const user of [undefined, member, both])
      test(`${what}, as ${user?.['x-svc-role'] ?? 'admin'}: the SQL gives the answer, the plan is its lines`, async () => {
        const request = { query, variables }
        const { body: fields, status, text } = await explain({ query: request, user })
        assert.equal(status, 200, text)
        const answer = await engine.post('/v1/graphql', request, user)
        const parts: string[] = []
        for (const { field, sql, plan } of fields as Explained[]) {
          assert.ok(sql !== null && plan !== null)
          assert.ok(plan.length > 0 && plan.every((line) => typeof line === 'string' && !line.includes('\n')))
          assert.match(plan[0] ?? '', /\(cost=/)
          parts.push(`"${field}":${await run(sql)}`)
        }
        assert.equal(`{"data":{${parts.join(',')}}}`, answer.text)
      })

  test('native queries, and several fields of which some ask no database', async () => {
    const query = `{ __typename labels(args: {suffix: "'; --"}, limit: 1, order_by: {id: asc}) { text }
      __schema { queryType { name } } kind: __type(name: "pet") { name } }`
    const fields: readonly Explained[] = (await explain({ query })).body
    assert.deepEqual(
      fields.map(({ field, sql, plan }) => [field, sql !== null, plan !== null]),
      [
        ['__typename', false, false],
        ['labels', true, true],
        ['__schema', false, false],
        ['kind', false, false],
      ],
    )
    assert.deepEqual(JSON.parse(await run(fields[1]?.sql ?? '')), [{ text: 'it\'s \\ "1"\'; --' }])
  })

  test('the operation is chosen by name, and the user’s role and variables are in any case of letters', async () => {
    const query = { query: 'query a { pet { id } } query b { owner { id } }', operationName: 'b' }
    assert.equal((await explain({ query })).body[0].field, 'owner')
    const user = { 'X-SVC-ROLE': 'member', 'X-Svc-Owners': '{1}', other: 5 }
    const [{ sql }] = (await explain({ query: { query: '{ pet { id } }' }, user })).body
    assert.match(sql, /'\{1\}'/)
    assert.match(sql, /LIMIT 4/)
  })

  for (const [what, body, code, path, message] of [
    ['a mutation', { query: 'mutation { x }' }, 'invalid-params', '$', 'only queries can be explained'],
    [
      'a field that is not there',
      { query: '{ x }' },
      'validation-failed',
      '$.selectionSet.x',
      "field 'x' not found in type: 'query_root'",
    ],
    [
      'a missing session variable',
      { query: '{ pet { id } }', user: { 'x-svc-role': 'member' } },
      'not-found',
      '$',
      'missing session variable: "x-svc-owners"',
    ],
    ['a text that is no GraphQL', { query: '{' }, 'validation-failed', '$.query', 'not a valid graphql query'],
    ['no query', {}, 'parse-failed', '$', 'key "query" not found'],
    ['an object without query', { query: {} }, 'parse-failed', '$.query', 'key "query" not found'],
    [
      'a value that the database refuses',
      { query: '{ pet(where: {born: {_eq: "x"}}) { id } }' },
      'data-exception',
      '$',
      'invalid input syntax for type timestamp with time zone: "x"',
    ],
  ] as const)
    test(`${what} is refused`, async () => {
      const { status, body: answer } = await explain(body)
      assert.deepEqual([status, answer.code, answer.path, answer.error], [400, code, path, message])
    })
})

test('a request that is not answered by databases only is not explained', async (t) => {
  const remote = await startRemoteServer('type Query { user(id: Int!): User } type User { id: Int! }', {})
  t.after(() => remote.close())
  const engine = await startEngine({}, t)
  await engine.post('/v2/query', { type: 'run_sql', args: { sql: 'CREATE TABLE pet (id int PRIMARY KEY)' } })
  const action = (name: string, more: object) => ({
    type: 'create_action',
    args: { name, definition: { handler: 'http://127.0.0.1:9', output_type: 'String', ...more } },
  })
  const toUser = { remote_schema: 'crm', lhs_fields: ['id'], remote_field: { user: { arguments: { id: '$id' } } } }
  const set = await engine.metadata('bulk', [
    { type: 'pg_track_table', args: { table: 'pet' } },
    { type: 'add_remote_schema', args: { name: 'crm', definition: { url: remote.url } } },
    {
      type: 'pg_create_remote_relationship',
      args: { table: 'pet', name: 'user', definition: { to_remote_schema: toUser } },
    },
    action('ask', { type: 'query' }),
    action('wait', { kind: 'asynchronous' }),
  ])
  assert.equal(set.status, 200, set.text)
  const id = '00000000-0000-4000-8000-000000000000'
  for (const [query, code, error] of [
    ['{ user(id: 1) { id } }', 'invalid-params', 'only svc queries can be explained'],
    ['{ ask }', 'invalid-params', 'query actions cannot be explained'],
    [`{ wait(id: "${id}") { id } }`, 'not-supported', 'results of asynchronous actions cannot be explained'],
    ['{ pet { id user { id } } }', 'invalid-params', 'queries with remote relationships cannot be explained'],
    ['{ pet { id } ask }', 'invalid-params', 'query actions cannot be explained'],
  ] as const) {
    const { status, body } = await engine.post('/v1/graphql/explain', { query: { query } })
    assert.deepEqual([status, body], [400, { error, path: '$', code }])
  }
  const { body } = await engine.post('/v1/graphql/explain', { query: '{ pet { id } __schema { __typename } }' })
  assert.deepEqual([body[0].field, body[1]], ['pet', { field: '__schema', sql: null, plan: null }])
})
