/**
 * /v1/graphql/explain of subscriptions (reference/queries#explain): one object, whose SQL gives what a subscriber gets.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import pg from 'pg'
import { type Engine, startEngine } from '../engine.ts'
import { createTestDatabase, type TestDatabase } from '../postgres.ts'

describe('explain of subscriptions', () => {
  let database: TestDatabase
  let client: pg.Client
  let engine: Engine
  before(async () => {
    database = await createTestDatabase()
    client = new pg.Client({ connectionString: database.url })
    await client.connect()
    await client.query(`CREATE TABLE artist (id integer PRIMARY KEY, name text, kind text);
      INSERT INTO artist SELECT n, 'it''s ' || n, 'a' FROM generate_series(1, 5) n`)
    engine = await startEngine({ databaseUrl: database.url })
    const table = { schema: 'public', name: 'artist' }
    await engine.metadata('pg_track_table', { table })
    const filter = { id: { _gte: 'X-Svc-From' }, kind: { _eq: 'a' } }
    await engine.metadata('pg_create_select_permission', { table, role: 'user', permission: { columns: '*', filter } })
  })
  after(async () => {
    await client.end()
    await engine.stop()
    await database.drop()
  })

  const user = { 'x-svc-role': 'user', 'x-svc-from': '2', 'x-svc-other': 'z' }
  const explain = (query: unknown) => engine.post('/v1/graphql/explain', { query, user })

  test('of a live query: what the session, the variables and the literals bring', async () => {
    const query =
      'subscription ($to: Int!, $more: artist_bool_exp!) { artist(where: {_and: [{id: {_lte: $to}}, {name: {_like: "it%"}}, $more]}, order_by: {id: asc}) { id } }'
    const variables = { to: 4, more: { id: { _neq: 3 } } }
    const { status, body } = await explain({ query, variables })
    assert.equal(status, 200, JSON.stringify(body))
    assert.deepEqual(Object.keys(body), ['sql', 'plan', 'variables'])
    assert.deepEqual(body.variables, {
      session: { 'x-svc-from': '2' },
      query: { to: '4' },
      synthetic: ['it%', '3'],
      cursor: {},
    })
    assert.match(body.plan[0], /cost=/)
    const { rows } = await client.query(body.sql)
    assert.deepEqual(rows, [{ id: 0, root: [{ id: 2 }, { id: 4 }] }])
  })

  test('of a stream: its cursor', async () => {
    const { body } = await explain(
      'subscription { artist_stream(batch_size: 2, cursor: {initial_value: {id: 1}}) { id name } }',
    )
    assert.deepEqual(body.variables.cursor, { id: '1' })
    const { rows } = await client.query(body.sql)
    const root = [
      { id: 2, name: "it's 2" },
      { id: 3, name: "it's 3" },
    ]
    assert.deepEqual(rows, [{ id: 0, root, cursor: '3' }])
  })

  test('refused for a role that cannot subscribe, and as the subscription is', async () => {
    const query = 'subscription { artist { id } }'
    const stranger = await engine.post('/v1/graphql/explain', { query, user: { 'x-svc-role': 'stranger' } })
    assert.deepEqual(
      [stranger.status, stranger.body.code, stranger.body.error],
      [400, 'not-found', 'no subscriptions found'],
    )
    const several = await explain('subscription { a: artist { id } b: artist { id } }')
    assert.deepEqual([several.status, several.body.error], [400, 'subscriptions must select one top level field'])
  })
})
