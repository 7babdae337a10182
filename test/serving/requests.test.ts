/** What bounds a GraphQL request: the real process, with small bounds. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import pg from 'pg'
import { type Engine, startEngine } from '../engine.ts'
import { createTestDatabase, type TestDatabase } from '../postgres.ts'

describe('GraphQL requests', () => {
  let database: TestDatabase
  let engine: Engine
  let client: pg.Client
  before(async () => {
    database = await createTestDatabase()
    client = new pg.Client({ connectionString: database.url })
    await client.connect()
    await client.query(`CREATE TABLE item (id integer PRIMARY KEY, name text NOT NULL, tags jsonb);
      INSERT INTO item SELECT n, 'item ' || n FROM generate_series(1, 2000) n;
      CREATE FUNCTION items_after(seconds float, mark text) RETURNS SETOF item STABLE LANGUAGE plpgsql
        AS $$ BEGIN PERFORM pg_sleep(seconds); RETURN QUERY SELECT * FROM item WHERE id = 1; END $$`)
    engine = await startEngine({
      databaseUrl: database.url,
      env: {
        SVC_GRAPHQL_MAX_BODY_SIZE: '20000',
        SVC_GRAPHQL_MAX_GRAPHQL_VALUES: '5000',
        SVC_GRAPHQL_MAX_BATCH_SIZE: '3',
        SVC_GRAPHQL_MAX_QUERY_TOKENS: '1000',
        SVC_GRAPHQL_MAX_QUERY_DEPTH: '10',
        SVC_GRAPHQL_MAX_QUERY_SELECTIONS: '100',
        SVC_GRAPHQL_MAX_QUERY_INPUTS: '100',
        SVC_GRAPHQL_MAX_RESPONSE_SIZE: '50000',
        SVC_GRAPHQL_MAX_VALUES_SIZE: '50000',
      },
    })
    assert.equal((await engine.metadata('pg_track_table', { table: 'item' })).status, 200)
    assert.equal((await engine.metadata('pg_track_function', { function: 'items_after' })).status, 200)
  })
  after(async () => {
    await engine.stop()
    await client.end()
    await database.drop()
  })

  const refused = async (body: unknown) => {
    const { status, body: answer } = await engine.post('/v1alpha1/graphql', body)
    return [status, answer.errors?.[0].extensions.code, answer.errors?.[0].extensions.path]
  }
  const many = (n: number, part: (i: number) => string) => Array.from({ length: n }, (_, i) => part(i)).join(' ')

  test('what remains within every bound is answered', async () => {
    const query = `query one { item(where: {_or: [{id: {_eq: 1}}, {id: {_eq: 2}}]}) { ${many(90, (i) => `a${i}: id`)} } }`
    assert.equal((await engine.post('/v1/graphql', { query, operationName: 'one' })).body.data.item.length, 2)
  })

  for (const [what, body, status, code] of [
    ['a body that is too large', { query: `{ item { id } } #${'x'.repeat(20_000)}` }, 413, 'bad-request'],
    ['a body of too many values', { query: '{ item { id } }', x: Array(5000).fill(0) }, 413, 'bad-request'],
    [
      'a batch that is too long',
      Array.from({ length: 4 }, () => ({ query: '{ item_by_pk(id: 1) { id } }' })),
      400,
      'bad-request',
    ],
    ['a document of too many tokens', { query: `{ item { ${'id '.repeat(1000)} } }` }, 400, 'validation-failed'],
    [
      'one that is nested too deeply',
      { query: `{ item(where: ${'{_not: '.repeat(12)}{}${'}'.repeat(12)}) { id } }` },
      400,
      'validation-failed',
    ],
    ['too many aliases', { query: `{ item { ${many(101, (i) => `a${i}: id`)} } }` }, 400, 'validation-failed'],
    [
      'a fragment used too often',
      {
        query: `{ ${many(20, (i) => `a${i}: item { ...f }`)} } fragment f on item { ${many(10, (i) => `b${i}: id`)} }`,
      },
      400,
      'validation-failed',
    ],
    [
      'too many conditions',
      { query: `{ item(where: {_or: [${many(101, () => '{}')}]}) { id } }` },
      400,
      'validation-failed',
    ],
    [
      'a variable that stands in too many conditions',
      {
        query: `query ($v: String!) { item(where: {_or: [${many(20, () => '{name: {_eq: $v}}')}]}) { id } }`,
        variables: { v: 'x'.repeat(3000) },
      },
      400,
      'bad-request',
    ],
    [
      'a variable that stands in too many root fields',
      {
        query: `query ($v: String!) { ${many(20, (i) => `a${i}: item(where: {name: {_eq: $v}}) { id }`)} }`,
        variables: { v: 'x'.repeat(3000) },
      },
      400,
      'bad-request',
    ],
    [
      'a variable that stands too often in one value',
      {
        query: `query ($v: jsonb) { item(where: {tags: {_contains: [${many(80, () => '$v')}]}}) { id } }`,
        variables: { v: { a: ['x'.repeat(2000)] } },
      },
      400,
      'bad-request',
    ],
    ['an answer that is too large', { query: '{ item { id name } }' }, 400, 'bad-request'],
  ] as const)
    test(`${what} is refused`, async () => {
      const [is, as] = await refused(body)
      assert.deepEqual([is, as], [status, code])
    })

  test('an answer too large by all of its root fields together is given up before the last of them', async () => {
    const query = `{ ${many(20, (i) => `a${i}: item(limit: 500) { id name }`)} late: items_after(args: {seconds: 60, mark: "x"}) { id } }`
    const started = performance.now()
    assert.deepEqual(await refused({ query }), [400, 'bad-request', '$'])
    assert.ok(performance.now() - started < 30_000)
  })

  test('the answers of a batch are bounded together, and the one too many is the only error', async () => {
    const query = '{ item(limit: 1000) { id name } }'
    const { body } = await engine.post('/v1/graphql', [{ query }, { query }, { query: '{ item_by_pk(id: 1) { id } }' }])
    assert.equal(body[0].data.item.length, 1000)
    assert.equal(body[1].errors[0].extensions.code, 'bad-request')
    assert.deepEqual(body[2], { data: { item_by_pk: { id: 1 } } })
  })
})
