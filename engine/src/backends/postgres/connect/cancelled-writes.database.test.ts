import assert from 'node:assert/strict'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { before, type TestContext, test } from 'node:test'
import pg from 'pg'
import { createTestDatabase } from '../../../../../test/postgres.ts'
import type { BoundStatement, Statement } from '../../backend.ts'
import { administrator, openSource, plan } from './source.fixture.ts'

let url: string
let administrate: ReturnType<typeof administrator>
before(async () => {
  url = (await createTestDatabase()).url
  administrate = administrator(url)
  await administrate(`CREATE TABLE item (id int PRIMARY KEY, n int NOT NULL DEFAULT 0);
    CREATE TABLE late (id int PRIMARY KEY);
    CREATE FUNCTION sleep() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(60); RETURN NULL; END';
    CREATE CONSTRAINT TRIGGER late AFTER INSERT ON late DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION sleep()`)
})

const writing = (text: string, effects: Statement['effects'] = 'writes'): BoundStatement => ({
  plan: { ...plan(text), effects },
  parameters: [],
})
const inserting = (id: number) => writing(`INSERT INTO item (id) VALUES (${id}) RETURNING id::text`)
const stored = async (id: number) => (await administrate(`SELECT 1 FROM item WHERE id = ${id}`)).length === 1
const over = new Error('the time is over')

for (const [when, last] of [
  ['runs', writing('SELECT pg_sleep(60)::text')],
  ['is committed', writing('INSERT INTO late VALUES (1) RETURNING id::text')],
] as const)
  test(`a transaction that is cancelled while it ${when} is rolled back, and its connection is free for other requests`, async (t) => {
    const { source, connections } = await openSource(t, url, { maxConnections: 1 })
    const time = new AbortController()
    const run = source.runTransaction([inserting(1), last], { signal: time.signal })
    const asleep = async () =>
      (
        await administrate(`SELECT 1 FROM pg_stat_activity
        WHERE wait_event = 'PgSleep' AND pid IN (${(await connections()).map(({ pid }) => pid).join() || 0})`)
      ).length
    while ((await asleep()) === 0);
    time.abort(over)
    await assert.rejects(run, over)
    assert.equal(await stored(1), false)
    assert.equal(String((await source.runTransaction([writing(`SELECT 'free'`)]))[0]), 'free')
  })

test('whenever the time is over, what is stored is answered, and what is not stored is not', async (t) => {
  const proxy = await startMessageProxy(t, url)
  const { source } = await openSource(t, proxy.url, { maxConnections: 1 })
  const run = async (id: number, seconds: number, signal?: AbortSignal) => {
    const nap = writing(`SELECT pg_sleep(${seconds})::text`)
    const statements = [inserting(id), nap, inserting(1000 + id)]
    const [answer] = await source.runTransaction(statements, { ...(signal && { signal }) })
    return String(answer)
  }
  await run(100, 0)
  const before = { ...proxy.passed }
  await run(101, 0)
  const after = { ...proxy.passed }
  for (const [from, seconds] of [
    ['client', 60],
    ['database', 0],
  ] as const) {
    const messages = after[from] - before[from]
    assert.ok(messages > 5, `${messages} messages`)
    for (let message = 1; message <= messages; message++) {
      const id = (from === 'client' ? 200 : 300) + message
      // its connection is there
      await source.runTransaction([writing(`SELECT 'x'`)])
      const time = new AbortController()
      proxy.at(from, message, () => time.abort(over))
      const answer = await run(id, seconds, time.signal).catch((error: unknown) => error)
      const found = await administrate(`SELECT 1 FROM item WHERE id IN (${id}, ${1000 + id})`)
      const isStored = found.length > 0
      assert.equal(answer, isStored ? String(id) : over, `message ${message} of the ${from}`)
      assert.equal(found.length, from === 'database' ? 2 : 0)
    }
  }
})

/** Those that share connections: until they do each is measured alone. */
async function untilShared(run: (id: number) => Promise<number>): Promise<void> {
  const ids = Array.from({ length: 60 }, (_, i) => i)
  while (new Set(await Promise.all(ids.map(run))).size > 4);
}

const counting = {
  ...plan('UPDATE item SET n = n + 1 WHERE id = ($1)::int RETURNING pg_backend_pid()::text', 1),
  effects: 'rows',
} as const

test('one that shares its connection is ended, and the other transactions there continue', async (t) => {
  const { source } = await openSource(t, url, { maxConnections: 30 })
  await administrate('INSERT INTO item SELECT generate_series(2000, 2059)')
  const run = async (id: number, signal?: AbortSignal) =>
    Number(
      (
        await source.runTransaction([{ plan: counting, parameters: [String(2000 + id)] }], {
          ...(signal && { signal }),
        })
      )[0],
    )
  await untilShared((id) => run(id))
  await administrate('UPDATE item SET n = 0')
  const holder = new pg.Client({ connectionString: url })
  await holder.connect()
  try {
    await holder.query('BEGIN; UPDATE item SET n = 0 WHERE id IN (2000, 2001)')
    const time = new AbortController()
    const held = [0, 1].map((id) => assert.rejects(run(id, time.signal), over))
    const others = Array.from({ length: 58 }, (_, i) => run(i + 2, time.signal))
    // all are sent
    const settled = Promise.allSettled(others)
    await new Promise((resolve) => setImmediate(resolve))
    time.abort(over)
    await Promise.all(held)
    const answered = (await settled).map(({ status }) => status === 'fulfilled')
    const rows = await administrate('SELECT n FROM item WHERE id BETWEEN 2002 AND 2059 ORDER BY id')
    assert.deepEqual(
      rows.map(({ n }) => n === 1),
      answered,
    )
  } finally {
    await holder.end()
  }
  assert.deepEqual(await administrate('SELECT n FROM item WHERE id IN (2000, 2001)'), [{ n: 0 }, { n: 0 }])
})

test('one that waits for a connection to share is ended at once, and the connection is free for other requests', async (t) => {
  const { source } = await openSource(t, url, { maxConnections: 2 })
  await administrate('INSERT INTO item VALUES (3000)')
  const holder = new pg.Client({ connectionString: url })
  await holder.connect()
  try {
    await holder.query('SELECT pg_advisory_lock(7)')
    const busy = source.runTransaction([writing('SELECT pg_advisory_xact_lock(7)::text')])
    const waits = async () =>
      (
        await holder.query(
          `SELECT 1 FROM pg_stat_activity WHERE wait_event = 'advisory' AND datname = current_database()`,
        )
      ).rowCount
    while ((await waits()) !== 1);
    const time = new AbortController()
    const small = () => source.runTransaction([{ plan: counting, parameters: ['3000'] }], { signal: time.signal })
    const waiting = [small(), small()].map((each) => assert.rejects(each, over))
    time.abort(over)
    await Promise.all(waiting)
    await holder.query('SELECT pg_advisory_unlock(7)')
    await busy
    assert.deepEqual(await administrate('SELECT n FROM item WHERE id = 3000'), [{ n: 0 }])
    await Promise.all(Array.from({ length: 5 }, () => source.runTransaction([writing(`SELECT 'free'`)])))
  } finally {
    await holder.end()
  }
})

/** The database by way of a server that counts messages. */
async function startMessageProxy(t: TestContext, databaseUrl: string) {
  const target = new URL(databaseUrl)
  const passed = { client: 0, database: 0 }
  let hook: { readonly from: keyof typeof passed; readonly at: number; readonly act: () => void } | null = null
  const count = (from: keyof typeof passed) => {
    passed[from] += 1
    if (hook?.from !== from || passed[from] !== hook.at) return
    hook.act()
    hook = null
  }
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const database = connect(Number(target.port || 5432), target.hostname)
    for (const [from, to, isClient] of [
      [client, database, true],
      [database, client, false],
    ] as const) {
      sockets.add(from)
      let isStarting = isClient
      let rest = Buffer.alloc(0)
      from.on('data', (bytes) => {
        rest = Buffer.concat([rest, bytes])
        // the first of a client has no kind; it is the whole of a request to cancel
        for (let kind = isStarting ? 0 : 1; rest.length >= kind + 4; kind = 1) {
          const length = kind + rest.readUInt32BE(kind)
          if (rest.length < length) return
          const message = rest.subarray(0, length)
          to.write(message)
          if (!isStarting) count(isClient ? 'client' : 'database')
          rest = rest.subarray(length)
          isStarting = false
        }
      })
      from.on('error', () => {})
      from.on('close', () => {
        sockets.delete(from)
        to.destroy()
      })
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  target.hostname = '127.0.0.1'
  const own = new URL(target)
  own.port = String((server.address() as AddressInfo).port)
  return {
    url: own.href,
    /** Messages so far. */
    passed,
    /** Calls `act` with that message from now on. */
    at(from: keyof typeof passed, message: number, act: () => void): void {
      hook = { from, at: passed[from] + message, act }
    },
  }
}
