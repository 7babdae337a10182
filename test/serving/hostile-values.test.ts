/** Names that JavaScript's objects have already, and texts that PostgreSQL cannot hold, wherever a client may write one. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import pg from 'pg'
import { type Engine, type RequestHeaders, startEngine } from '../engine.ts'
import { createTestDatabase, type TestDatabase } from '../postgres.ts'

describe('hostile names and texts', () => {
  let database: TestDatabase
  let engine: Engine
  before(async () => {
    database = await createTestDatabase()
    const client = new pg.Client({ connectionString: database.url })
    await client.connect()
    await client.query(`
      CREATE TABLE kind (value text PRIMARY KEY, comment text);
      INSERT INTO kind VALUES ('constructor', NULL), ('toString', NULL);
      CREATE TABLE "constructor" (id int PRIMARY KEY, "toString" text, "valueOf" jsonb, tags text[], kind text REFERENCES kind);
      INSERT INTO "constructor" VALUES (1, 'one', '{"__proto__": {"a": 1}}', '{x}', 'constructor'), (2, 'two', NULL, NULL, 'toString');
      CREATE FUNCTION "hasOwnProperty"("isPrototypeOf" text) RETURNS SETOF "constructor" STABLE LANGUAGE sql
        AS $$ SELECT * FROM "constructor" WHERE "toString" = "isPrototypeOf" $$`)
    await client.end()
    engine = await startEngine({ databaseUrl: database.url })
    const permission = { columns: '*', filter: { toString: { _eq: 'X-Svc-Constructor' } } }
    for (const [type, args] of [
      ['pg_track_table', { table: 'kind' }],
      ['pg_set_table_is_enum', { table: 'kind', is_enum: true }],
      ['pg_track_table', { table: 'constructor' }],
      ['pg_create_select_permission', { table: 'constructor', role: 'toString', permission }],
      ['pg_track_function', { function: 'hasOwnProperty' }],
    ] as const)
      assert.equal((await engine.metadata(type, args)).status, 200)
  })
  after(async () => {
    await engine.stop()
    await database.drop()
  })

  const ask = async (query: string, more: object = {}, headers: RequestHeaders = {}) =>
    (await engine.post('/v1/graphql', { query, ...more }, headers)).body

  test("names of Object's prototype are names like any other", async () => {
    const query = `query valueOf ($constructor: String, $toString: Int) {
      __proto__: constructor(where: {toString: {_eq: $constructor}}, limit: $toString) {
        toString: id constructor: toString valueOf kind hasOwnProperty: __typename }
      hasOwnProperty(args: {isPrototypeOf: "two"}) { id }
      constructor_aggregate(where: {kind: {_eq: toString}, valueOf: {_is_null: true}}) { aggregate { max { toString } } } }`
    const { data } = await ask(query, { operationName: 'valueOf', variables: { constructor: 'one' } })
    assert.deepEqual(Object.keys(data), ['__proto__', 'hasOwnProperty', 'constructor_aggregate'])
    assert.deepEqual(
      Object.entries(data).map(([, value]) => value),
      [
        [
          {
            toString: 1,
            constructor: 'one',
            valueOf: JSON.parse('{"__proto__":{"a":1}}'),
            kind: 'constructor',
            hasOwnProperty: 'constructor',
          },
        ],
        [{ id: 2 }],
        { aggregate: { max: { toString: 'two' } } },
      ],
    )
    const json = await ask('query ($w: constructor_bool_exp) { constructor(where: $w) { id } }', {
      variables: { w: { valueOf: { _contains: JSON.parse('{"__proto__":{"a":1}}') } } },
    })
    assert.deepEqual(json, { data: { constructor: [{ id: 1 }] } })
  })

  test('they name roles and session variables, and nothing where there is none', async () => {
    const query = '{ constructor { id } }'
    const asked = (headers: RequestHeaders) => ask(query, {}, headers)
    assert.deepEqual(await asked({ 'x-svc-role': 'toString', 'x-svc-constructor': 'two' }), {
      data: { constructor: [{ id: 2 }] },
    })
    const missing = await asked({ 'x-svc-role': 'toString' })
    assert.equal(missing.errors[0].message, 'missing session variable: "x-svc-constructor"')
    for (const role of ['constructor', '__proto__', 'valueOf', 'Admin', 'admin, admin'])
      assert.match((await asked({ 'x-svc-role': role })).errors[0].message, /field 'constructor' not found/)
  })

  test('what only JavaScript has is not found', async () => {
    const name = '__proto__'
    for (const query of [
      `{ ${name} { id } }`,
      `{ constructor { ${name} } }`,
      `{ constructor(${name}: 1) { id } }`,
      `{ constructor { ...${name} } }`,
      `{ constructor @${name} { id } }`,
      `{ constructor(where: {${name}: {_eq: 1}}) { id } }`,
      `{ constructor(where: {id: {${name}: 1}}) { id } }`,
      `{ constructor(where: {kind: {_eq: ${name}}}) { id } }`,
      `{ constructor(order_by: {${name}: asc}) { id } }`,
      `{ constructor(order_by: {id: ${name}}) { id } }`,
      `{ constructor(distinct_on: ${name}) { id } }`,
      `{ hasOwnProperty(args: {${name}: 1}) { id } }`,
      `query ($a: ${name}) { constructor(limit: $a) { id } }`,
    ])
      for (const word of [name, 'propertyIsEnumerable']) {
        const { errors } = await ask(query.replaceAll(name, word))
        assert.equal(errors?.[0].extensions.code, 'validation-failed', query)
      }
    for (const variables of ['{"__proto__":{"a":1}}', '{"propertyIsEnumerable":1}']) {
      const { text } = await engine.send('POST', '/v1/graphql', `{"query":"{ __typename }","variables":${variables}}`)
      assert.match(text, /unexpected variables in variableValues: (__proto__|propertyIsEnumerable)/)
    }
    assert.deepEqual(await ask('{ __type(name: "__proto__") { name } }'), { data: { __type: null } })
    const chosen = await ask('query a { __typename }', { operationName: '__proto__' })
    assert.equal(chosen.errors[0].message, 'no such operation found in the document: "__proto__"')
  })

  test('texts that PostgreSQL cannot hold are answered or refused as values, explained or not', async () => {
    const codes = new Set<string>()
    for (const text of ['a\u0000b', '\ud800', 'x\udc00', '\u0000'])
      for (const [type, part] of [
        ['String', 'constructor(where: {toString: {_eq: $v}}) { id }'],
        ['String', 'constructor(where: {toString: {_similar: $v}}) { id }'],
        ['jsonb', 'constructor(where: {valueOf: {_contains: $v}}) { id }'],
        ['jsonb', 'constructor(where: {valueOf: {_contains: [{a: $v}]}}) { id }'],
        ['String', 'constructor(where: {valueOf: {_has_key: $v}}) { id }'],
        ['String!', 'constructor(where: {tags: {_contains: [$v]}}) { id }'],
        ['String', 'constructor { valueOf(path: $v) }'],
        ['String', 'hasOwnProperty(args: {isPrototypeOf: $v}) { id }'],
        ['kind_enum', 'constructor(where: {kind: {_eq: $v}}) { id }'],
        ['String!', '__type(name: $v) { name }'],
      ] as const) {
        const literal = part.replace('$v', JSON.stringify(text))
        for (const request of [
          { query: `query ($v: ${type}) { ${part} }`, variables: { v: text } },
          // as it is, and escaped once more
          { query: `{ ${literal} }` },
          { query: `{ ${part.replace('$v', `"${text}"`)} }` },
        ]) {
          const about = JSON.stringify(request)
          const answer = await ask(request.query, request)
          codes.add(answer.data ? 'data' : answer.errors[0].extensions.code)
          const explained = await engine.post('/v1/graphql/explain', {
            query: request,
            user: { 'x-svc-role': 'admin' },
          })
          codes.add(explained.status === 200 ? 'data' : explained.body.code)
          assert.ok(!codes.has('unexpected'), about)
        }
      }
    assert.deepEqual([...codes].sort(), ['data', 'data-exception', 'validation-failed'])
  })
})
