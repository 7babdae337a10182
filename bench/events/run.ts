/**
 * `npm run bench -- events [BACKLOG]`: what capturing costs a row, how fast two engine processes deliver a backlog to a
 * receiver on this machine, and how soon an idle engine delivers a change. The goals: 25 µs a row, 3,000 events a second,
 * 50 ms (median).
 */
import { fork, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { type Engine, startEngine } from '../../test/engine.ts'
import { createTestDatabase } from '../../test/postgres.ts'

const backlog = Number(process.argv[2] ?? 100_000)
const rows = 10_000
const { url } = await createTestDatabase()
const receiver = fork(fileURLToPath(new URL('./receiver.ts', import.meta.url)))
const { port } = await new Promise<{ port: number }>((resolve) => receiver.once('message', resolve as never))
const client = new pg.Client({ connectionString: url })
await client.connect()

const engine = await startEngine({ databaseUrl: url })

async function ask(to: Engine, type: string, args: unknown): Promise<void> {
  const answer = await to.metadata(type, args)
  if (answer.status !== 200) throw new Error(`${type}: ${answer.text}`)
}

const middle = (times: readonly number[]) => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return performance.now() - started
}

/** Microseconds a row: in one statement of many, and in statements of one row each. */
async function insertCost(table: string): Promise<{ readonly bulk: number; readonly single: number }> {
  const bulk: number[] = []
  for (let i = 0; i < 5; i++) {
    await client.query(`TRUNCATE ${table}`)
    const text = `INSERT INTO ${table} SELECT i, 'name ' || i, i, 'some text of a row' FROM generate_series(1, ${rows}) i`
    bulk.push((await timed(() => client.query(text))) / rows)
  }
  const single: number[] = []
  await client.query(`TRUNCATE ${table}`)
  const insert = {
    name: `insert_${table}`,
    text: `INSERT INTO ${table} VALUES ($1, 'a name', 1, 'some text of a row')`,
  }
  for (let i = 0; i < 3000; i++) single.push(await timed(() => client.query({ ...insert, values: [i] })))
  return { bulk: middle(bulk) * 1000, single: middle(single) * 1000 }
}

const columns = '(id int PRIMARY KEY, name text, number int, more text)'
await client.query(`CREATE TABLE plain ${columns}; CREATE TABLE captured ${columns}`)
for (const table of ['plain', 'captured']) await ask(engine, 'pg_track_table', { table })
const webhook = `http://127.0.0.1:${port}`
const trigger = { table: 'captured', insert: { columns: '*' }, webhook }

// captured and not delivered: the engine that would deliver is stopped
await ask(engine, 'pg_create_event_trigger', { name: 'bench', ...trigger })
await engine.stop()
const [plain, captured] = [await insertCost('plain'), await insertCost('captured')]
console.log(
  `capture adds ${(captured.bulk - plain.bulk).toFixed(1)} µs a row in a statement of ${rows}, ` +
    `${(captured.single - plain.single).toFixed(1)} µs in a statement of its own (${plain.single.toFixed(0)} µs without)`,
)

/** Microseconds of CPU since the processes began; of those that live. */
function cpuOf(processes: readonly number[]): number {
  const ticks = processes.map((id) => {
    try {
      const [, fields = ''] = readFileSync(`/proc/${id}/stat`, 'utf8').split(') ')
      const numbers = fields.split(' ').map(Number)
      return (numbers[11] ?? 0) + (numbers[12] ?? 0)
    } catch {
      return 0
    }
  })
  return ticks.reduce((sum, one) => sum + one, 0) * 10_000
}

/** The processes of the database's connections. */
async function backends(): Promise<readonly number[]> {
  const { rows: found } = await client.query('SELECT pid FROM pg_stat_activity WHERE pid <> pg_backend_pid()')
  return found.map(({ pid }) => Number(pid))
}

/** Waits until nothing is left, and says how fast that went and what it cost whom. */
async function drain(name: string, left: string, workers: readonly number[]): Promise<void> {
  const started = performance.now()
  const before = { workers: cpuOf(workers), database: cpuOf(await backends()), receiver: cpuOf([receiver.pid ?? 0]) }
  for (;;) {
    const { rows: found } = await client.query(left)
    if (found[0].n === 0) break
    await new Promise((resolve) => setTimeout(resolve, 250))
  }
  const seconds = (performance.now() - started) / 1000
  const each = (now: number, then: number) => `${((now - then) / backlog).toFixed(0)} µs`
  console.log(
    `${name}: ${(backlog / seconds).toFixed(0)} a second; CPU of one: two processes ${each(cpuOf(workers), before.workers)}, ` +
      `database ${each(cpuOf(await backends()), before.database)}, receiver ${each(cpuOf([receiver.pid ?? 0]), before.receiver)}`,
  )
}

/** The same number of jobs, each a fetch of the same receiver with a body of the same size, by graphile-worker. */
async function drainJobs(): Promise<void> {
  const { makeWorkerUtils } = await import('graphile-worker')
  const utils = await makeWorkerUtils({ connectionString: url })
  await utils.migrate()
  await client.query(
    `SELECT graphile_worker.add_jobs(array_agg(json_populate_record(NULL::graphile_worker.job_spec,
      json_build_object('identifier', 'send', 'payload', json_build_object('id', i, 'text', repeat('x', 300))))))
      FROM generate_series(1, ${backlog}) i`,
  )
  await utils.release()
  const workers = [1, 2].map(() =>
    fork(fileURLToPath(new URL('./graphile-worker.ts', import.meta.url)), [url, `${webhook}/`]),
  )
  await Promise.all(workers.map((worker) => new Promise((resolve) => worker.once('message', resolve))))
  await drain(
    'graphile-worker',
    'SELECT count(*)::int AS n FROM graphile_worker._private_jobs',
    workers.map(({ pid }) => pid ?? 0),
  )
  for (const worker of workers) worker.kill('SIGKILL')
}

if (!process.argv.includes('--without-graphile')) await drainJobs()
await client.query('TRUNCATE captured; TRUNCATE svc_catalog.event_log')
await client.query(
  `INSERT INTO captured SELECT i, 'n', i, 't' FROM generate_series(1, ${backlog}) i; ANALYZE svc_catalog.event_log`,
)
const env = { SVC_GRAPHQL_LOG_LEVEL: 'error', SVC_GRAPHQL_ENABLED_LOG_TYPES: 'startup' }
receiver.send('reset')
const engines = [startQuietly(), startQuietly()]
// what starting costs is no part of it
while ((await client.query('SELECT FROM svc_catalog.event_log WHERE delivered LIMIT 1')).rows.length === 0)
  await new Promise((resolve) => setTimeout(resolve, 20))
await drain(
  'events',
  'SELECT count(*)::int AS n FROM svc_catalog.event_log WHERE NOT delivered',
  engines.map(({ pid }) => pid),
)
for (const one of engines.slice(1)) one.kill()

const delays: number[] = []
for (let i = 1; i <= 100; i++) {
  const received = new Promise<number>((resolve) => receiver.once('message', (at) => resolve(at as number)))
  receiver.send('report')
  await client.query('INSERT INTO captured VALUES ($1)', [backlog + i])
  const committed = performance.timeOrigin + performance.now()
  delays.push((await received) - committed)
  // idle again: the outcome is stored
  while ((await client.query('SELECT FROM svc_catalog.event_log WHERE NOT delivered LIMIT 1')).rows.length > 0);
}
console.log(
  `an idle engine delivers a change ${middle(delays).toFixed(1)} ms after its commit (median of ${delays.length})`,
)
for (const one of engines) one.kill()
await client.end()
receiver.kill()

/** Its start is not to be waited for by what it logs: errors alone are printed. */
function startQuietly(): { readonly pid: number; kill(): void } {
  const child = spawn(
    process.execPath,
    [
      '--disable-warning=ExperimentalWarning',
      fileURLToPath(new URL('../../engine/bin/svc-engine.js', import.meta.url)),
    ],
    { env: { ...process.env, ...env, SVC_GRAPHQL_DATABASE_URL: url, SVC_GRAPHQL_SERVER_PORT: '0' }, stdio: 'inherit' },
  )
  return { pid: child.pid ?? 0, kill: () => void child.kill('SIGKILL') }
}
