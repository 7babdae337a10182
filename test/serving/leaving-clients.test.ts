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
    // a call is seen in `began`, whatever becomes of it; it waits until this client lets go of the lock
    await client.query(`CREATE TABLE item (id integer PRIMARY KEY); INSERT INTO item VALUES (1);
      CREATE SEQUENCE began;
      CREATE FUNCTION items_once_free(lock int) RETURNS SETOF item VOLATILE LANGUAGE plpgsql AS
        $$ BEGIN PERFORM nextval('began'); PERFORM pg_advisory_xact_lock_shared(lock); RETURN QUERY SELECT * FROM item; END $$`)
    await hold(locks.held)
    engine = await startEngine({ databaseUrl: database.url, env: { SVC_GRAPHQL_PG_CONNECTIONS: '3' } })
    assert.equal((await engine.metadata('pg_track_table', { table: 'item' })).status, 200)
    const tracked = { function: 'items_once_free', configuration: { exposed_as: 'query' } }
    assert.equal((await engine.metadata('pg_track_function', tracked)).status, 200)
  })
  after(async () => {
    // first, so that nothing waits any more
    await client.end()
    await engine.stop()
    await database.drop()
  })

  const locks = { held: 1, passing: 2, free: 3 }
  const hold = (lock: number) => client.query('SELECT pg_advisory_lock($1)', [lock])
  const letGo = (lock: number) => client.query('SELECT pg_advisory_unlock($1)', [lock])

  const wait = (lock: number) => ({
    query: 'query ($lock: Int!) { items_once_free(args: {lock: $lock}) { id } }',
    variables: { lock },
  })
  /** Of those who leave: nobody lets go of it. */
  const never = wait(locks.held)
  // another plan than of those that wait, so that it says nothing about how long they take
  const atOnce = { query: `{ items_once_free(args: {lock: ${locks.free}}) { id } }` }
  const answer = { data: { items_once_free: [{ id: 1 }] } }

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
  const waiting = () =>
    number(`SELECT count(*) n FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'advisory'`)
  const began = () => number('SELECT CASE WHEN is_called THEN last_value ELSE 0 END n FROM began')

  test('has its statement cancelled, and no other', async () => {
    await hold(locks.passing)
    const patient = engine.post('/v1/graphql', wait(locks.passing))
    const leave = await send(never)
    while ((await waiting()) < 2);
    await leave()
    while ((await waiting()) > 1);
    await letGo(locks.passing)
    assert.deepEqual((await patient).body, answer)
  })

  test('has all its statements cancelled where it sent several requests without waiting', async () => {
    const leave = await send(never, never)
    while ((await waiting()) < 2);
    await leave()
    while ((await waiting()) > 0);
    assert.deepEqual((await engine.post('/v1/graphql', atOnce)).body, answer)
  })

  test('has the rest of its batch not begun', async () => {
    const before = await began()
    const leave = await send([never, atOnce, atOnce])
    while ((await waiting()) < 1);
    await leave()
    while ((await waiting()) > 0);
    assert.deepEqual((await engine.post('/v1/graphql', atOnce)).body, answer)
    assert.equal(await began(), before + 2)
  })

  test('waits for no connection any more', async () => {
    const before = await began()
    await hold(locks.passing)
    const patient = [engine.post('/v1/graphql', wait(locks.passing)), engine.post('/v1/graphql', wait(locks.passing))]
    while ((await waiting()) < 2);
    const leave = await Promise.all(Array.from({ length: 20 }, () => send(never)))
    await waitEarlier()
    await Promise.all(leave.map((each) => each()))
    await waitEarlier()
    await letGo(locks.passing)
    for (const { body } of await Promise.all(patient)) assert.deepEqual(body, answer)
    assert.deepEqual((await engine.post('/v1/graphql', atOnce)).body, answer)
    assert.equal(await began(), before + 3)
  })

  /** The engine looks at its connections in turns: after a few it has seen all that happened to others before. */
  async function waitEarlier(): Promise<void> {
    for (let turn = 0; turn < 5; turn++) await engine.post('/v1/graphql', { query: '{ __typename }' })
  }

  test('is no fault of the engine', () => {
    assert.deepEqual(
      engine.log.filter((line) => line.includes('request-crashed')),
      [],
    )
  })
})
