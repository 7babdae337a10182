/**
 * Changes by concurrent clients while two engines are killed (SIGKILL), the receiver fails at random and the database is
 * restarted as if it had crashed: every committed change is delivered, and nothing that was not committed.
 */
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import pg from 'pg'
import { type Engine, startEngine } from '../engine.ts'
import { startPostgres } from '../postgres-server.ts'

export interface Disturbance {
  readonly changes: number
  readonly clients: number
  /** Milliseconds between two kills. */
  readonly killEvery: number
  /** Then no more: where engines take long to start, none would ever be through. */
  readonly mostKills: number
  /** Restarts of the database, spread over the changes. */
  readonly restarts: number
  /** Of the answers of the receiver. */
  readonly failing: number
  /** Called every second. */
  progress?(state: { readonly committed: number; readonly delivered: number; readonly kills: number }): void
}

export interface Losses {
  readonly committed: number
  readonly delivered: number
  /** Accepted by the receiver more than once. */
  readonly duplicates: number
  readonly kills: number
  readonly restarts: number
  /** From the last commit until everything had been delivered. */
  readonly secondsAfterLastCommit: number
}

/** A receiver that fails now and then; every change is known by the number in its row. */
async function startFailingReceiver(failing: number) {
  const accepted = new Map<number, number>()
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const chance = Math.random()
      if (chance < failing / 2) {
        request.socket.destroy()
        return
      }
      if (chance < failing) {
        response.writeHead(500)
        response.end('no')
        return
      }
      const { event } = JSON.parse(Buffer.concat(chunks).toString())
      const id: number = event.data.new.id
      accepted.set(id, (accepted.get(id) ?? 0) + 1)
      response.writeHead(200)
      response.end('{}')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  return { accepted, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close }
}

export async function loseNothing(disturbance: Disturbance): Promise<Losses> {
  const { changes, clients, killEvery, mostKills, restarts, failing, progress } = disturbance
  const postgres = await startPostgres()
  const receiver = await startFailingReceiver(failing)
  const engines: (Engine | null)[] = [null, null]
  const start = () => startEngine({ databaseUrl: postgres.url })
  let quiet = false
  try {
    const first = await start()
    engines[0] = first
    await prepare(first, receiver.url)
    engines[1] = await start()

    let kills = 0
    const killing = (async () => {
      for (let turn = 0; !quiet && kills < mostKills; turn = 1 - turn) {
        await pause(killEvery)
        if (quiet) return
        engines[turn]?.kill('SIGKILL')
        await engines[turn]?.ended
        kills += 1
        engines[turn] = await startAgain(start)
      }
    })()
    const committing = { next: 1, committed: 0 }
    const restarting = (async () => {
      for (let i = 1; i <= restarts; i++) {
        while (committing.next < (i * changes) / (restarts + 1)) await pause(20)
        await postgres.restart('immediate')
      }
    })()
    const ticking = setInterval(
      () => progress?.({ committed: committing.committed, delivered: receiver.accepted.size, kills }),
      1000,
    )
    await Promise.all(Array.from({ length: clients }, () => change(postgres.url, changes, committing)))
    await restarting
    // killed through most of the backlog as well
    while (receiver.accepted.size < 0.9 * committing.committed && kills < mostKills) await pause(50)
    quiet = true
    await killing
    const done = performance.now()
    const committed = await readCommitted(postgres.url)
    const missing = () => committed.filter((id) => !receiver.accepted.has(id))
    while (missing().length > 0) {
      assert.ok(performance.now() - done < 60_000 + changes, `never delivered: ${missing().slice(0, 10).join(', ')}`)
      await pause(50)
    }
    const secondsAfterLastCommit = (performance.now() - done) / 1000
    clearInterval(ticking)
    const known = new Set(committed)
    const invented = [...receiver.accepted.keys()].filter((id) => !known.has(id))
    assert.deepEqual(invented, [], 'delivered and never committed')
    const duplicates = [...receiver.accepted.values()].reduce((sum, times) => sum + times - 1, 0)
    const { length } = committed
    return { committed: length, delivered: known.size, duplicates, kills, restarts, secondsAfterLastCommit }
  } finally {
    quiet = true
    for (const engine of engines) engine?.kill('SIGKILL')
    receiver.close()
    await postgres.stop()
  }
}

async function prepare(engine: Engine, webhook: string): Promise<void> {
  const ask = async (path: string, body: object) => {
    const answer = await engine.post(path, body)
    assert.equal(answer.status, 200, answer.text)
  }
  await ask('/v2/query', { type: 'run_sql', args: { sql: 'CREATE TABLE change (id int PRIMARY KEY)' } })
  await ask('/v1/metadata', { type: 'pg_track_table', args: { table: 'change' } })
  const retry_conf = { num_retries: 1000, interval_sec: 0 }
  const trigger = { name: 'changed', table: 'change', insert: { columns: '*' }, webhook, retry_conf }
  await ask('/v1/metadata', { type: 'pg_create_event_trigger', args: trigger })
}

/** The database may be away just now. */
async function startAgain(start: () => Promise<Engine>): Promise<Engine> {
  for (;;) {
    try {
      return await start()
    } catch {
      await pause(100)
    }
  }
}

/** One client: inserts rows, a few to a transaction, until all numbers are given out. Some are rolled back. */
async function change(url: string, changes: number, state: { next: number; committed: number }): Promise<void> {
  let client: pg.Client | null = null
  while (state.next <= changes) {
    const count = Math.min(1 + Math.floor(Math.random() * 10), changes - state.next + 1)
    const from = state.next
    state.next += count
    try {
      if (!client) {
        client = new pg.Client({ connectionString: url })
        client.on('error', () => {})
        await client.connect()
      }
      await client.query('BEGIN')
      await client.query('INSERT INTO change SELECT generate_series($1::int, $2::int)', [from, from + count - 1])
      if (Math.random() < 0.05) await client.query('ROLLBACK')
      else {
        await client.query('COMMIT')
        state.committed += count
      }
    } catch {
      // whether it was committed is asked of the database in the end
      void client?.end().catch(() => {})
      client = null
      await pause(50)
    }
  }
  await client?.end()
}

async function readCommitted(url: string): Promise<readonly number[]> {
  for (;;) {
    const client = new pg.Client({ connectionString: url })
    client.on('error', () => {})
    try {
      await client.connect()
      const { rows } = await client.query('SELECT id FROM change')
      return rows.map(({ id }) => id as number)
    } catch {
      await pause(100)
    } finally {
      await client.end().catch(() => {})
    }
  }
}

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))
