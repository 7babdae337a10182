/**
 * Mutations of several fields under load, while the engine is killed (SIGKILL) or its connections to the database are
 * ended. Each request writes a row of its own, its parts and a counter; no key forbids to write it twice.
 */
import assert from 'node:assert/strict'
import pg from 'pg'
import { type Engine, startEngine } from '../engine.ts'
import { createTestDatabase } from '../postgres.ts'
import { untilAlone } from './kill-inside-bulks.ts'

export interface WriteCounts {
  readonly sent: number
  /** Answered without an error. */
  readonly answered: number
  /** Stored although no answer was received. */
  readonly storedUnanswered: number
}

const counters = 8
const parts = 3
const atATime = 20

const tables = `
  CREATE TABLE request (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, n int);
  CREATE TABLE part (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, request bigint REFERENCES request, k int);
  CREATE TABLE mark (n int);
  CREATE TABLE counter (id int PRIMARY KEY, n int NOT NULL);
  INSERT INTO counter SELECT id, 0 FROM generate_series(0, ${counters - 1}) id`

const tracked = [
  ...['request', 'part', 'mark', 'counter'].map((table) => ({ type: 'pg_track_table', args: { table } })),
  {
    type: 'pg_create_array_relationship',
    args: {
      table: 'request',
      name: 'parts',
      using: { foreign_key_constraint_on: { table: 'part', column: 'request' } },
    },
  },
]

const mutation = `mutation ($n: Int!, $counter: Int!, $parts: [part_insert_input!]!) {
  insert_request_one(object: { n: $n, parts: { data: $parts } }) { id parts { k } }
  update_counter_by_pk(pk_columns: { id: $counter }, _inc: { n: 1 }) { n }
  insert_mark(objects: [{ n: $n }]) { affected_rows }
}`

type Disturb = (engine: Engine, database: pg.Client) => Promise<void>

/** A round: `requests` mutations are sent; `disturb` is called each time that `after` more were answered. */
async function round(
  engine: Engine,
  database: pg.Client,
  { from, requests, after, disturb }: { from: number; requests: number; after: number; disturb: Disturb },
): Promise<ReadonlySet<number>> {
  const answered = new Set<number>()
  let next = from
  const sender = async () => {
    while (next < from + requests) {
      const n = next++
      const variables = { n, counter: n % counters, parts: Array.from({ length: parts }, (_, k) => ({ k })) }
      const answer = await engine.post('/v1/graphql', { query: mutation, variables }).catch(() => null)
      if (!answer?.body?.data) continue
      answered.add(n)
      if (answered.size % after === 0) await disturb(engine, database)
    }
  }
  await Promise.all(Array.from({ length: atATime }, sender))
  return answered
}

/** Every request is there whole or not at all, and once; those that were answered are there. */
async function check(database: pg.Client, answered: ReadonlySet<number>): Promise<number> {
  const { rows } = await database.query<{ n: number; requests: number; parts: number; marks: number }>(`
    SELECT n, sum(requests)::int AS requests, sum(parts)::int AS parts, sum(marks)::int AS marks FROM (
      SELECT n, 1 AS requests, (SELECT count(*) FROM part WHERE request = request.id) AS parts, 0 AS marks FROM request
      UNION ALL SELECT n, 0, 0, 1 FROM mark) each GROUP BY n`)
  for (const { n, ...found } of rows)
    assert.deepEqual(found, { requests: 1, parts, marks: 1 }, `request ${n} is half written, or written twice`)
  const stored = new Set(rows.map(({ n }) => n))
  for (const n of answered) assert.ok(stored.has(n), `request ${n} was answered and is gone`)
  const counted = await database.query<{ id: number; n: number }>('SELECT id, n FROM counter ORDER BY id')
  for (const { id, n } of counted.rows)
    assert.equal(n, [...stored].filter((one) => one % counters === id).length, `counter ${id}`)
  return stored.size
}

async function withDatabase<T>(use: (url: string, database: pg.Client) => Promise<T>): Promise<T> {
  const made = await createTestDatabase()
  const database = new pg.Client({ connectionString: made.url })
  await database.connect()
  try {
    await database.query(tables)
    const engine = await startEngine({ databaseUrl: made.url })
    const { status, text } = await engine.metadata('bulk', tracked)
    await engine.stop()
    assert.equal(status, 200, text)
    return await use(made.url, database)
  } finally {
    await database.end()
    await made.drop()
  }
}

/** Each of `moments`: how many of 200 mutations are answered when the engine is killed. */
export function killInsideMutations(moments: readonly number[], requests = 200): Promise<WriteCounts> {
  return withDatabase(async (url, database) => {
    const answered = new Set<number>()
    let stored = 0
    for (const [i, after] of moments.entries()) {
      const engine = await startEngine({ databaseUrl: url })
      const disturb: Disturb = async () => engine.kill('SIGKILL')
      for (const n of await round(engine, database, { from: i * requests, requests, after, disturb })) answered.add(n)
      await engine.ended
      await untilAlone(database)
      stored = await check(database, answered)
    }
    return { sent: moments.length * requests, answered: answered.size, storedUnanswered: stored - answered.size }
  })
}

/** Connections of the engine to the database end each time that `after` more mutations were answered. */
export function endConnectionsInsideMutations(after: number, requests = 200): Promise<WriteCounts> {
  return withDatabase(async (url, database) => {
    const engine = await startEngine({ databaseUrl: url })
    const disturb: Disturb = async () => {
      await database.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()`)
    }
    try {
      const answered = await round(engine, database, { from: 0, requests, after, disturb })
      await engine.stop()
      const stored = await check(database, answered)
      return { sent: requests, answered: answered.size, storedUnanswered: stored - answered.size }
    } finally {
      await engine.stop()
    }
  })
}
