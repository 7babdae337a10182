/** What becomes of the requests of a client that leaves: the real process, with one connection for what takes long. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { after, before, describe, test } from 'node:test'
import pg from 'pg'
import { type Engine, startEngine } from '../engine.ts'
import { createTestDatabase, type TestDatabase } from '../postgres.ts'
import { openSocket } from '../websocket-client.ts'

describe('a client that leaves', () => {
  let database: TestDatabase
  let engine: Engine
  let client: pg.Client
  before(async () => {
    database = await createTestDatabase()
    client = new pg.Client({ connectionString: database.url })
    await client.connect()
    // a call is seen in `began`, whatever becomes of it; it waits until this client releases the lock
    await client.query(`CREATE TABLE item (id integer PRIMARY KEY); INSERT INTO item VALUES (1);
      CREATE SEQUENCE began;
      CREATE FUNCTION items_once_free(lock int) RETURNS SETOF item VOLATILE LANGUAGE plpgsql AS
        $$ BEGIN PERFORM nextval('began'); PERFORM pg_advisory_xact_lock_shared(lock); RETURN QUERY SELECT * FROM item; END $$;
      CREATE TABLE entry (lock int);
      CREATE VIEW late AS SELECT id FROM item, pg_sleep(0.4);
      CREATE FUNCTION once_free() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN PERFORM pg_advisory_xact_lock_shared(NEW.lock); RETURN NEW; END $$;
      CREATE TRIGGER once_free BEFORE INSERT ON entry FOR EACH ROW EXECUTE FUNCTION once_free()`)
    await hold(locks.held)
    engine = await startEngine({ databaseUrl: database.url, env: { SVC_GRAPHQL_PG_CONNECTIONS: '3' } })
    assert.equal((await engine.metadata('pg_track_table', { table: 'item' })).status, 200)
    assert.equal((await engine.metadata('pg_track_table', { table: 'entry' })).status, 200)
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
  const unlock = (lock: number) => client.query('SELECT pg_advisory_unlock($1)', [lock])

  const wait = (lock: number) => ({
    query: 'query ($lock: Int!) { items_once_free(args: {lock: $lock}) { id } }',
    variables: { lock },
  })
  /** Of the clients that leave: it is never released. */
  const never = wait(locks.held)
  // another plan than of those that wait, so that it says nothing about how long they take
  const atOnce = { query: `{ items_once_free(args: {lock: ${locks.free}}) { id } }` }
  const answer = { data: { items_once_free: [{ id: 1 }] } }

  /** Sends bodies one behind another over one connection, without waiting; gives what leaves. */
  const send = (...bodies: readonly unknown[]) => sendTo('/v1/graphql', bodies)
  async function sendTo(path: string, bodies: readonly unknown[]): Promise<() => Promise<void>> {
    const { hostname, port } = new URL(engine.url)
    const socket = connect(Number(port), hostname).on('error', () => {})
    await once(socket, 'connect')
    for (const body of bodies) {
      const text = JSON.stringify(body)
      socket.write(
        `POST ${path} HTTP/1.1\r\nHost: ${hostname}\r\nContent-Type: application/json\r\n` +
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
    await unlock(locks.passing)
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
    await unlock(locks.passing)
    for (const { body } of await Promise.all(patient)) assert.deepEqual(body, answer)
    assert.deepEqual((await engine.post('/v1/graphql', atOnce)).body, answer)
    assert.equal(await began(), before + 3)
  })

  /** The engine looks at its connections in turns: after a few it has seen all that happened to others before. */
  async function waitEarlier(): Promise<void> {
    for (let turn = 0; turn < 5; turn++) await engine.post('/v1/graphql', { query: '{ __typename }' })
  }

  const insert = { query: `mutation { insert_entry(objects: [{lock: ${locks.held}}]) { affected_rows } }` }
  const insertRows = { type: 'insert', args: { table: 'entry', objects: [{ lock: locks.held }] } }
  const entries = () => number('SELECT count(*) n FROM entry')

  for (const [how, path, body] of [
    ['a mutation', '/v1/graphql', insert],
    ['a mutation of a batch', '/v1/graphql', [atOnce, insert]],
    ['rows to be inserted', '/v1/query', insertRows],
    ['rows in a bulk', '/v1/query', { type: 'bulk', args: [insertRows] }],
  ] as const)
    test(`stores nothing by ${how} that had not been committed`, async () => {
      const leave = await sendTo(path, [body])
      while ((await waiting()) < 1);
      await leave()
      while ((await waiting()) > 0);
      assert.equal(await entries(), 0)
    })

  for (const protocol of ['graphql-transport-ws', 'graphql-ws'] as const)
    test(`stores nothing by a mutation that it stops over ${protocol}`, async () => {
      const isNew = protocol === 'graphql-transport-ws'
      const socket = await openSocket(engine, { protocol, init: { 'x-svc-admin-secret': engine.secret } })
      socket.send({ id: '1', type: isNew ? 'subscribe' : 'start', payload: insert })
      while ((await waiting()) < 1);
      socket.send({ id: '1', type: isNew ? 'complete' : 'stop' })
      while ((await waiting()) > 0);
      assert.equal(await entries(), 0)
      socket.close()
    })

  test('whose time is over has nothing stored, and gets that error; what is stored is answered, however late', async () => {
    const configuration = { connection_info: { database_url: database.url } }
    const relationship = {
      to_source: { source: 'other', table: 'late', relationship_type: 'object', field_mapping: { lock: 'id' } },
    }
    for (const [type, args] of [
      ['pg_add_source', { name: 'other', configuration }],
      ['pg_track_table', { source: 'other', table: 'late' }],
      ['pg_create_remote_relationship', { table: 'entry', name: 'late', definition: relationship }],
    ] as const) {
      const { status, text } = await engine.metadata(type, args)
      assert.equal(status, 200, text)
    }
    const limits = { time_limit: { global: 60, per_role: { admin: 0.2 } } }
    assert.equal((await engine.metadata('set_api_limits', limits)).status, 200)
    const { body } = await engine.post('/v1/graphql', insert)
    assert.equal(body.errors[0].extensions.code, 'time-limit-exceeded')
    while ((await waiting()) > 0);
    assert.equal(await entries(), 0)
    const joined = { query: 'mutation { insert_entry_one(object: {lock: 1000}) { lock late { id } } }' }
    assert.deepEqual((await engine.post('/v1/graphql', joined)).body, {
      data: { insert_entry_one: { lock: 1000, late: null } },
    })
    assert.equal(await entries(), 1)
    assert.equal((await engine.metadata('remove_api_limits', {})).status, 200)
  })

  test('is no fault of the engine', () => {
    assert.deepEqual(
      engine.log.filter((line) => line.includes('request-crashed')),
      [],
    )
  })
})
