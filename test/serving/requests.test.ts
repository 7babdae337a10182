/** What bounds a GraphQL request, and what becomes of one whose client leaves: the real process, with small bounds. */
import assert from 'node:assert/strict'
import { request } from 'node:http'
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
    await client.query(`CREATE TABLE item (id integer PRIMARY KEY, name text NOT NULL);
      INSERT INTO item SELECT n, 'item ' || n FROM generate_series(1, 2000) n;
      CREATE FUNCTION items_after(seconds float, mark text) RETURNS SETOF item STABLE LANGUAGE plpgsql
        AS $$ BEGIN PERFORM pg_sleep(seconds); RETURN QUERY SELECT * FROM item WHERE id = 1; END $$`)
    engine = await startEngine({
      databaseUrl: database.url,
      env: {
        SVC_GRAPHQL_MAX_BODY_SIZE: '20000',
        SVC_GRAPHQL_MAX_BATCH_SIZE: '3',
        SVC_GRAPHQL_MAX_QUERY_TOKENS: '1000',
        SVC_GRAPHQL_MAX_QUERY_DEPTH: '10',
        SVC_GRAPHQL_MAX_QUERY_SELECTIONS: '100',
        SVC_GRAPHQL_MAX_QUERY_INPUTS: '100',
        SVC_GRAPHQL_MAX_RESPONSE_SIZE: '50000',
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

  test('what stays within every bound is answered', async () => {
    const query = `query one { item(where: {_or: [{id: {_eq: 1}}, {id: {_eq: 2}}]}) { ${many(90, (i) => `a${i}: id`)} } }`
    assert.equal((await engine.post('/v1/graphql', { query, operationName: 'one' })).body.data.item.length, 2)
  })

  for (const [what, body, status, code] of [
    ['a body that is too large', { query: `{ item { id } } #${'x'.repeat(20_000)}` }, 413, 'bad-request'],
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
    ['an answer that is too large', { query: '{ item { id name } }' }, 400, 'bad-request'],
  ] as const)
    test(`${what} is refused`, async () => {
      const [is, as] = await refused(body)
      assert.deepEqual([is, as], [status, code])
    })

  test('the answers of a batch are bounded together, and the one too many is told alone', async () => {
    const query = '{ item(limit: 1000) { id name } }'
    const { body } = await engine.post('/v1/graphql', [{ query }, { query }, { query: '{ item_by_pk(id: 1) { id } }' }])
    assert.equal(body[0].data.item.length, 1000)
    assert.equal(body[1].errors[0].extensions.code, 'bad-request')
    assert.deepEqual(body[2], { data: { item_by_pk: { id: 1 } } })
  })

  /** How many sleep in the database. */
  const asleep = async () => {
    const sql = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'`
    return (await client.query(sql)).rows.length
  }

  test('a client that leaves has its statement cancelled, and no other', async () => {
    const ask = (seconds: number, mark: string) => ({
      query: 'query ($s: float8!, $m: String!) { items_after(args: {seconds: $s, mark: $m}) { id } }',
      variables: { s: seconds, m: mark },
    })
    const patient = engine.post('/v1/graphql', ask(2, 'patient'))
    const leaving = request(`${engine.url}/v1/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-svc-admin-secret': engine.secret },
    })
    leaving.on('error', () => {})
    leaving.end(JSON.stringify(ask(60, 'leaving')))
    while ((await asleep()) < 2);
    const closed = new Promise((resolve) => leaving.once('close', resolve))
    leaving.destroy()
    await closed
    while ((await asleep()) > 1);
    assert.deepEqual((await patient).body, { data: { items_after: [{ id: 1 }] } })
    // nobody is told of it as if it were a fault
    assert.deepEqual(
      engine.log.filter((line) => line.includes('request-crashed')),
      [],
    )
  })
})
