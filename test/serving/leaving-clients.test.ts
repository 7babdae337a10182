/** What becomes of the requests of a client that leaves: the real process, with one connection for what takes long. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { after, before, describe, test } from 'node:test'
import pg from 'pg'
import { type Engine, startEngine } from '../engine.ts'
import { createTestDatabase, type TestDatabase } from '../postgres.ts'

describe('a client that leaves', () => {
  let database: TestDatabase
  let engine: Engine
  let client: pg.Client
  before(async () => {
    database = await createTestDatabase()
    client = new pg.Client({ connectionString: database.url })
    await client.connect()
    // a call is seen in `began`, whatever becomes of it
    await client.query(`CREATE TABLE item (id integer PRIMARY KEY); INSERT INTO item VALUES (1);
      CREATE SEQUENCE began;
      CREATE FUNCTION items_after(seconds float) RETURNS SETOF item VOLATILE LANGUAGE plpgsql AS
        $$ BEGIN PERFORM nextval('began'); PERFORM pg_sleep(seconds); RETURN QUERY SELECT * FROM item; END $$`)
    engine = await startEngine({ databaseUrl: database.url, env: { SVC_GRAPHQL_PG_CONNECTIONS: '3' } })
    assert.equal((await engine.metadata('pg_track_table', { table: 'item' })).status, 200)
    const tracked = { function: 'items_after', configuration: { exposed_as: 'query' } }
    assert.equal((await engine.metadata('pg_track_function', tracked)).status, 200)
  })
  after(async () => {
    await engine.stop()
    await client.end()
    await database.drop()
  })

  const ask = (seconds: number) => ({
    query: 'query ($s: float8!) { items_after(args: {seconds: $s}) { id } }',
    variables: { s: seconds },
  })
  const answer = { data: { items_after: [{ id: 1 }] } }

  /** Sends bodies one behind another over one connection, without waiting; gives what leaves. */
  async function send(...bodies: readonly unknown[]): Promise<() => Promise<void>> {
    const { hostname, port } = new URL(engine.url)
    const socket = connect(Number(port), hostname).on('error', () => {})
    await once(socket, 'connect')
    for (const body of bodies) {
      const text = JSON.stringify(body)
      socket.write(
        `POST /v1/graphql HTTP/1.1\r\nHost: ${hostname}\r\nContent-Type: application/json\r\n` +
          `X-Svc-Admin-Secret: ${engine.secret}\r\nContent-Length: ${text.length}\r\n\r\n${text}`,
      )
    }
    return async () => {
      socket.destroy()
      await once(socket, 'close')
    }
  }

  const number = async (sql: string) => Number((await client.query(sql)).rows[0]?.n)
  const asleep = () =>
    number(`SELECT count(*) n FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'`)
  const began = () => number('SELECT CASE WHEN is_called THEN last_value ELSE 0 END n FROM began')

  test('has its statement cancelled, and no other', async () => {
    const patient = engine.post('/v1/graphql', ask(1))
    const leave = await send(ask(60))
    while ((await asleep()) < 2);
    await leave()
    while ((await asleep()) > 1);
    assert.deepEqual((await patient).body, answer)
  })

  test('has all its statements cancelled where it sent several requests without waiting', async () => {
    const leave = await send(ask(60), ask(60))
    while ((await asleep()) < 2);
    await leave()
    while ((await asleep()) > 0);
    assert.deepEqual((await engine.post('/v1/graphql', ask(0))).body, answer)
  })

  test('has the rest of its batch not begun', async () => {
    const before = await began()
    const leave = await send([ask(60), ask(0), ask(0)])
    while ((await asleep()) < 1);
    await leave()
    while ((await asleep()) > 0);
    assert.deepEqual((await engine.post('/v1/graphql', ask(0))).body, answer)
    assert.equal(await began(), before + 2)
  })

  test('waits for no connection any more', async () => {
    const before = await began()
    const patient = [engine.post('/v1/graphql', ask(1)), engine.post('/v1/graphql', ask(1))]
    while ((await asleep()) < 2);
    const leave = await Promise.all(Array.from({ length: 20 }, () => send(ask(60))))
    // by now they are read
    await engine.post('/v1/graphql', { query: '{ __typename }' })
    await Promise.all(leave.map((each) => each()))
    for (const { body } of await Promise.all(patient)) assert.deepEqual(body, answer)
    assert.deepEqual((await engine.post('/v1/graphql', ask(0))).body, answer)
    assert.equal(await began(), before + 3)
  })

  test('is no fault of the engine', () => {
    assert.deepEqual(
      engine.log.filter((line) => line.includes('request-crashed')),
      [],
    )
  })
})
