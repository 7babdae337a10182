/**
 * Changes by concurrent clients while two engines are killed (SIGKILL), the receiver fails at random and the database is
 * restarted as if it had crashed: every committed change is delivered, and nothing that was not committed.
 */
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import pg from 'pg'
import { runOnDatabase } from '../admin/run-on-database.ts'
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
  /**
   * Accepted by the receiver more than once; each time since the engine that had sent it was killed before it could
   * store that.
   */
  readonly duplicates: number
  readonly kills: number
  readonly restarts: number
  /** From the last commit until everything had been delivered. */
  readonly secondsAfterLastCommit: number
}

/** When the receiver accepted an event, and from which engine. */
interface Acceptance {
  readonly engine: string
  readonly event: string
  readonly at: number
}

/** While the database was away: what was delivered just before may not have been stored. */
interface Crash {
  readonly from: number
  until: number
}

/** A receiver that fails now and then; every change is known by its operation and its row. */
async function startFailingReceiver(failing: number) {
  const accepted = new Map<string, Acceptance[]>()
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
      const { id, event } = JSON.parse(Buffer.concat(chunks).toString())
      const row = event.data.new ?? event.data.old
      const change = changeName(event.op, row.id, row.version)
      const acceptance = { engine: String(request.headers['x-engine']), event: id, at: performance.now() }
      const known = accepted.get(change)
      if (known) known.push(acceptance)
      else accepted.set(change, [acceptance])
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

const changeName = (operation: string, id: number, version: number): string => `${operation} ${id} ${version}`

export async function loseNothing(disturbance: Disturbance): Promise<Losses> {
  const { changes, clients, killEvery, mostKills, restarts, failing, progress } = disturbance
  const postgres = await startPostgres()
  // the tests' server forgets in a crash what it has just committed
  await runOnDatabase(postgres.url, 'ALTER DATABASE postgres SET synchronous_commit = on')
  const receiver = await startFailingReceiver(failing)
  const engines: { readonly name: string; readonly engine: Engine }[] = []
  let started = 0
  const start = async () => {
    const name = `engine ${++started}`
    return { name, engine: await startEngine({ databaseUrl: postgres.url, env: { ENGINE_NAME: name } }) }
  }
  let quiet = false
  try {
    const first = await start()
    engines[0] = first
    await prepare(first.engine, receiver.url)
    engines[1] = await start()

    const killed = new Map<string, number>()
    const crashes: Crash[] = []
    const committing = { next: 1, changes: 0 }
    /** After a while; for the first time once half of the changes was made, if that is sooner: machines differ. */
    const untilNextKill = async () => {
      const begun = performance.now()
      const enough = killed.size === 0 ? changes / 2 : Number.POSITIVE_INFINITY
      while (!quiet && performance.now() - begun < killEvery && committing.changes < enough) await pause(10)
    }
    const killing = (async () => {
      for (let turn = 0; !quiet && killed.size < mostKills; turn = 1 - turn) {
        await untilNextKill()
        const victim = engines[turn]
        if (quiet || !victim) return
        victim.engine.kill('SIGKILL')
        await victim.engine.ended
        killed.set(victim.name, performance.now())
        engines[turn] = await startAgain(start)
      }
    })()
    const restarting = (async () => {
      for (let i = 1; i <= restarts; i++) {
        while (committing.changes < (i * changes) / (restarts + 1)) await pause(20)
        const crash: Crash = { from: performance.now(), until: Number.POSITIVE_INFINITY }
        crashes.push(crash)
        await postgres.restart('immediate')
        crash.until = performance.now()
      }
    })()
    const ticking = setInterval(
      () => progress?.({ committed: committing.changes, delivered: receiver.accepted.size, kills: killed.size }),
      1000,
    )
    await Promise.all(Array.from({ length: clients }, () => change(postgres.url, changes, committing)))
    const done = performance.now()
    await restarting
    // killed through most of the backlog as well
    while (receiver.accepted.size < 0.9 * committing.changes && killed.size < mostKills) await pause(50)
    quiet = true
    await killing
    const calm = performance.now()
    const committed = await readCommitted(postgres.url)
    const missing = () => committed.filter((name) => !receiver.accepted.has(name))
    while (missing().length > 0) {
      assert.ok(
        performance.now() - calm < 60_000 + 2 * changes,
        `never delivered: ${missing().slice(0, 10).join(', ')}`,
      )
      await pause(50)
    }
    const secondsAfterLastCommit = (performance.now() - done) / 1000
    clearInterval(ticking)
    const known = new Set(committed)
    const invented = [...receiver.accepted.keys()].filter((name) => !known.has(name))
    assert.deepEqual(invented, [], 'delivered and never committed')
    const duplicates = [...receiver.accepted].reduce(
      (sum, [name, times]) => sum + countRepeated(name, times, killed, crashes),
      0,
    )
    const { length } = committed
    return {
      committed: length,
      delivered: known.size,
      duplicates,
      kills: killed.size,
      restarts,
      secondsAfterLastCommit,
    }
  } finally {
    quiet = true
    for (const { engine } of engines) engine.kill('SIGKILL')
    receiver.close()
    await postgres.stop()
  }
}

/**
 * Only what an engine had sent that was killed before it stored the answer may come again, or whose database crashed before
 * it had: the same event, afterwards.
 */
function countRepeated(
  change: string,
  times: readonly Acceptance[],
  killed: ReadonlyMap<string, number>,
  crashes: readonly Crash[],
): number {
  for (const [at, next] of times.slice(1).entries()) {
    const before = times[at]
    assert.equal(next.event, before?.event, `two events of one change: ${change}`)
    const end = killed.get(before?.engine ?? '')
    const hasCrashed = crashes.some(({ from, until }) => from < next.at && until > (before?.at ?? 0))
    assert.ok(
      hasCrashed || (end !== undefined && end < next.at),
      `${change} was sent again by ${next.engine}: ${before?.engine} lived`,
    )
  }
  return times.length - 1
}

async function prepare(engine: Engine, webhook: string): Promise<void> {
  const ask = async (path: string, body: object) => {
    const answer = await engine.post(path, body)
    assert.equal(answer.status, 200, answer.text)
  }
  const sql = `CREATE TABLE change (id int PRIMARY KEY, version int NOT NULL);
    CREATE TABLE ledger (operation text, id int, version int)`
  await ask('/v2/query', { type: 'run_sql', args: { sql } })
  await ask('/v1/metadata', { type: 'pg_track_table', args: { table: 'change' } })
  const all = { columns: '*' }
  const trigger = {
    name: 'changed',
    table: 'change',
    insert: all,
    update: all,
    delete: all,
    webhook,
    headers: [{ name: 'X-Engine', value_from_env: 'ENGINE_NAME' }],
    retry_conf: { num_retries: 1000, interval_sec: 0 },
  }
  await ask('/v1/metadata', { type: 'pg_create_event_trigger', args: trigger })
}

/** The database may be away just now. */
async function startAgain<E>(start: () => Promise<E>): Promise<E> {
  for (;;) {
    try {
      return await start()
    } catch {
      await pause(100)
    }
  }
}

/**
 * One client: inserts rows, a few to a transaction, and changes and deletes some of them again, until there are so many
 * changes. Some are rolled back. What a transaction did stands in a ledger that it writes too.
 */
async function change(url: string, changes: number, state: { next: number; changes: number }): Promise<void> {
  let client: pg.Client | null = null
  while (state.changes < changes) {
    const count = 1 + Math.floor(Math.random() * 10)
    const from = state.next
    state.next += count
    const changed = Math.random() < 0.3 ? Math.ceil(count / 2) : 0
    const deleted = Math.random() < 0.3 ? Math.ceil(changed / 2) : 0
    try {
      if (!client) {
        client = new pg.Client({ connectionString: url })
        client.on('error', () => {})
        await client.connect()
      }
      await client.query('BEGIN')
      await client.query({ name: 'insert', text: inserting, values: [from, from + count - 1] })
      if (changed > 0) await client.query({ name: 'update', text: updating, values: [from, from + changed - 1] })
      if (deleted > 0) await client.query({ name: 'delete', text: deleting, values: [from, from + deleted - 1] })
      if (Math.random() < 0.05) await client.query('ROLLBACK')
      else {
        await client.query('COMMIT')
        state.changes += count + changed + deleted
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

const inserting = `WITH done AS (INSERT INTO change SELECT i, 0 FROM generate_series($1::int, $2::int) i RETURNING *)
  INSERT INTO ledger SELECT 'INSERT', id, version FROM done`
const updating = `WITH done AS (UPDATE change SET version = version + 1 WHERE id BETWEEN $1 AND $2 RETURNING *)
  INSERT INTO ledger SELECT 'UPDATE', id, version FROM done`
const deleting = `WITH done AS (DELETE FROM change WHERE id BETWEEN $1 AND $2 RETURNING *)
  INSERT INTO ledger SELECT 'DELETE', id, version FROM done`

async function readCommitted(url: string): Promise<readonly string[]> {
  for (;;) {
    const client = new pg.Client({ connectionString: url })
    client.on('error', () => {})
    try {
      await client.connect()
      const { rows } = await client.query('SELECT operation, id, version FROM ledger')
      return rows.map(({ operation, id, version }) => changeName(operation, id, version))
    } catch {
      await pause(100)
    } finally {
      await client.end().catch(() => {})
    }
  }
}

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))
