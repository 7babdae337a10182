/**
 * `npm run bench -- metadata large [PART…] [--tables=5000] [--roles=10] [--rounds=15]`: what changes of a large project cost, over
 * HTTP, against a real engine: parts `replace`, `operations`, `drafts`, `ownership`, `export`, `sql`, `start`, `apply`, without any all. Each with the CPU of the
 * engine's process and the time, and the 99th percentile of 200 reads a second meanwhile and on a quiet engine.
 * With SVC_BENCH_DATABASE the project's database is made in that one and used again.
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { JsonObject } from '@svc/schema'
import { type Engine, startEngine } from '../../test/engine.ts'
import { createTestDatabase } from '../../test/postgres.ts'
import { operationsOn } from './operations.ts'
import { cpuOf, median, memoryOf, quantile } from './process-figures.ts'
import { createProject, type ProjectSize, projectMetadata, role } from './project.ts'
import { ReadsBeside } from './reads-beside.ts'

const { values, positionals } = parseArgs({
  args: process.argv.slice(2),
  allowPositionals: true,
  options: {
    tables: { type: 'string', default: '5000' },
    roles: { type: 'string', default: '10' },
    rounds: { type: 'string', default: '15' },
    quiet: { type: 'boolean', default: false },
  },
})
const size: ProjectSize = { tables: Number(values.tables), roles: Number(values.roles) }
const rounds = Number(values.rounds)
const parts = positionals.filter((part) => part !== 'large')
const measures = (part: string) => parts.length === 0 || parts.includes(part)

const databaseUrl = process.env.SVC_BENCH_DATABASE ?? (await createTestDatabase()).url
await createProject(databaseUrl, size)

const rows: Record<string, string | number>[] = []
async function start(): Promise<Engine> {
  const engine = await startEngine({
    databaseUrl,
    env: { SVC_GRAPHQL_EVENTS_FETCH_INTERVAL: '0' },
  })
  return engine
}

let engine = await start()
let reads: ReadsBeside | null = null
let quiet = 0

/**
 * The wall time of each call, and CPU of all; with reads during them, of which the longest of a call is a median too.
 */
async function measure(name: string, times: number, run: (i: number) => Promise<unknown>): Promise<void> {
  const taken: number[] = []
  const latencies: (readonly number[])[] = []
  await reads?.take()
  const cpu = cpuOf(engine.pid)
  for (let i = 0; i < times; i++) {
    const started = performance.now()
    await run(i)
    taken.push(performance.now() - started)
    if (reads) latencies.push(await reads.take())
  }
  const used = (cpuOf(engine.pid) - cpu) / times
  const all = latencies.flat()
  const p99 = quantile(all, 0.99)
  const row = {
    what: name,
    'median ms': Number(median(taken).toFixed(1)),
    'most ms': Number(Math.max(...taken).toFixed(1)),
    'CPU ms': Number(used.toFixed(1)),
    ...(reads && {
      reads: all.length,
      p99: Number(p99.toFixed(1)),
      'of quiet': Number((p99 / quiet).toFixed(1)),
      longest: Number(Math.max(...all).toFixed(1)),
      'longest of a call': Number(median(latencies.map((of) => Math.max(0, ...of))).toFixed(1)),
    }),
  }
  rows.push(row)
  console.log(JSON.stringify(row))
}

async function ask(type: string, args: unknown, more: object = {}): Promise<JsonObject> {
  const answer = await engine.metadata(type, args, more)
  if (answer.status !== 200) throw new Error(`${type}: ${answer.text.slice(0, 2000)}`)
  return answer.body
}

async function sql(text: string): Promise<void> {
  const answer = await engine.post('/v2/query', { type: 'run_sql', args: { sql: text } })
  if (answer.status !== 200) throw new Error(answer.text)
}

/** Bytes made beforehand: this process's own work is not measured. */
async function replace(body: Buffer): Promise<void> {
  const answer = await engine.send('POST', '/v1/metadata', body)
  if (answer.status !== 200) throw new Error(answer.text.slice(0, 2000))
}

const exportBody = Buffer.from(JSON.stringify({ type: 'export_metadata', args: {} }))
const replaceBody = (metadata: JsonObject, spaces = 0) =>
  Buffer.from(JSON.stringify({ type: 'replace_metadata', args: metadata }, null, spaces))

const [source] = (await ask('export_metadata', {})).sources as readonly JsonObject[]
if (!source) throw new Error('no source')
const metadata = projectMetadata(source, size)
const whole = replaceBody(metadata)
console.log(
  `${(whole.length / 1e6).toFixed(1)} MB of metadata; load ${loadavg()
    .map((load) => load.toFixed(1))
    .join(' ')}`,
)

/** The same but for the columns of one permission. */
function oneDiffers(i: number): Buffer {
  const text = whole.toString()
  const at = text.indexOf(`"name":"t${i + 100}"`)
  const permission = text.indexOf('"columns":["id","parent_id"', at)
  return Buffer.from(
    `${text.slice(0, permission)}"columns":["id"${text.slice(permission + '"columns":["id","parent_id"'.length)}`,
  )
}

if (measures('replace')) await ask('clear_metadata', {})
await measure('replace_metadata, all of it', 1, () => replace(whole))

async function beginReads(): Promise<void> {
  if (values.quiet) return
  reads = new ReadsBeside(engine, size.tables)
  await reads.take(600)
  const latencies = await reads.take(1000)
  quiet = quantile(latencies, 0.99)
  console.log(
    `reads during nothing: ${latencies.length}, p99 ${quiet.toFixed(1)} ms, longest ${Math.max(...latencies).toFixed(1)}`,
  )
}

async function endReads(): Promise<void> {
  await reads?.end()
  reads = null
}

await beginReads()
if (measures('replace')) {
  await measure('replace_metadata, nothing differs', 20, () => replace(whole))
  const bodies = Array.from({ length: 20 }, (_, i) => oneDiffers(i))
  await measure('replace_metadata, one table differs', 20, (i) => replace(bodies[i] ?? whole))
  const spaced = replaceBody(metadata, 1)
  await measure('replace_metadata, other white space', 5, (i) => replace(i % 2 === 0 ? spaced : whole))
  await replace(whole)
}

if (measures('operations')) {
  for (const [type, args] of operationsOn(size)) await measure(type, rounds, (i) => ask(type, args(i)))
  await measure('get_inconsistent_metadata', rounds, () => ask('get_inconsistent_metadata', {}))
}

if (measures('drafts')) {
  const change = (i: number) => {
    const args = { table: `t${(i * 37 + 60) % size.tables}`, role: role(0) }
    const permission = { columns: ['id', 'name'], filter: { id: { _gt: i } } }
    return [
      { type: 'pg_drop_select_permission', args },
      { type: 'pg_create_select_permission', args: { ...args, permission } },
    ]
  }
  const keys: string[] = []
  const read = async (headers: Record<string, string>) => {
    const own = { 'x-svc-role': role(1), 'x-svc-user-id': '1', ...headers }
    const { text } = await engine.post('/v1/graphql', { query: '{ t0(limit: 1) { id } }' }, own)
    if (text !== '{"data":{"t0":[]}}' && !text.startsWith('{"data":{"t0":[{')) throw new Error(text)
  }
  await measure('dry run of a permission', rounds, (i) => ask('bulk_atomic', change(i), { dry_run: true }))
  await measure('the same with a preview', rounds, (i) => ask('bulk_atomic', change(i), { dry_run: { preview: true } }))
  await measure('the same as a draft', rounds, async (i) => {
    const { draft } = await ask('bulk_atomic', change(i), { dry_run: { draft: true } })
    keys.push(String((draft as JsonObject).key))
  })
  await measure('a query', rounds, () => read({}))
  await measure('the first query through a draft', rounds, (i) => read({ 'x-svc-draft': keys[i] ?? '' }))
  await measure('the next one', rounds, (i) => read({ 'x-svc-draft': keys[i] ?? '' }))
}

if (measures('ownership')) {
  const send = async (headers: Readonly<Record<string, string>>, type: string, args: unknown) => {
    const { status, text } = await engine.post('/v1/metadata', { type, args }, headers)
    if (status !== 200) throw new Error(`${type}: ${text.slice(0, 2000)}`)
  }
  const variants = [
    ['nothing is owned', {}, null],
    ['by the owner of all', { 'x-svc-owner': 'bench' }, 'bench'],
    ['by another', { 'x-svc-owner': 'other' }, 'bench'],
  ] as const
  const permission = { columns: ['id', 'name'], filter: {} }
  const table = (i: number) => `t${(i * 37 + 60) % size.tables}`
  for (const [who, headers, owner] of variants) {
    if (owner !== variants[0][2])
      await measure(`set_object_owners, ${who}`, 1, () => ask('set_object_owners', { owner }))
    await measure(`pg_set_table_customization, ${who}`, rounds, (i) =>
      send(headers, 'pg_set_table_customization', { table: table(i), configuration: { comment: `${who} ${i}` } }),
    )
    await measure(`pg_create_select_permission, ${who}`, rounds, (i) =>
      send(headers, 'pg_create_select_permission', { table: table(i), role: 'bench', permission }),
    )
    await measure(`pg_drop_select_permission, ${who}`, rounds, (i) =>
      send(headers, 'pg_drop_select_permission', { table: table(i), role: 'bench' }),
    )
  }
  await measure('get_object_owners', rounds, () => ask('get_object_owners', {}))
  await measure('set_object_owners, to none', 1, () => ask('set_object_owners', { owner: null }))
}

if (measures('operations') || measures('export'))
  await measure('export_metadata', 9, async () => {
    // no value is made of it: this process's own work would keep its reads waiting
    await engine.send('POST', '/v1/metadata', exportBody)
  })

if (measures('sql')) {
  const count = (i: number) => `t${(i * 41 + 200) % size.tables}`
  await measure('run_sql, adds a column', rounds, (i) => sql(`ALTER TABLE ${count(i)} ADD added_${i} int`))
  await measure('run_sql, drops it', rounds, (i) => sql(`ALTER TABLE ${count(i)} DROP added_${i}`))
  await measure('run_sql, comments on a table', rounds, (i) => sql(`COMMENT ON TABLE ${count(i)} IS '${i}'`))
  await measure('run_sql, makes a table', rounds, (i) =>
    sql(`CREATE TABLE made_${i} (id int PRIMARY KEY); ALTER TABLE made_${i} ADD x int`),
  )
  await measure('run_sql, drops it', rounds, (i) => sql(`DROP TABLE made_${i}`))
  await measure('reload_metadata', 3, () => ask('reload_metadata', {}))
}

if (measures('apply')) {
  const project = mkdtempSync(join(tmpdir(), 'svc-bench-'))
  const svc = (...args: readonly string[]) =>
    new Promise<void>((resolve, reject) => {
      const child = spawn(
        process.execPath,
        [
          new URL('../../provider/bin/svc.js', import.meta.url).pathname,
          ...args,
          ...['--endpoint', engine.url, '--admin-secret', engine.secret, '--project', project],
        ],
        {
          stdio: ['ignore', 'ignore', 'inherit'],
          env: {
            ...process.env,
            NODE_COMPILE_CACHE: new URL('../../node_modules/.cache/svc-under-bench', import.meta.url).pathname,
          },
        },
      )
      child.once('close', (code) => (code === 0 ? resolve() : reject(new Error(`svc ended with ${code}`))))
    })
  await measure('svc metadata export', 2, () => svc('metadata', 'export'))
  await measure('svc metadata apply, nothing differs', 3, () => svc('metadata', 'apply'))
  await measure('svc metadata apply, one table differs', 3, async (i) => {
    await ask('pg_create_select_permission', {
      table: `t${i + 300}`,
      role: 'bench',
      permission: { columns: ['id'], filter: {} },
    })
    await svc('metadata', 'apply')
  })
  rmSync(project, { recursive: true })
}
await endReads()

if (measures('start')) {
  const times: number[] = []
  const memory: number[][] = []
  const cpus: number[] = []
  for (let i = 0; i < 3; i++) {
    await engine.stop()
    const started = performance.now()
    engine = await start()
    await engine.get('/healthz')
    times.push(performance.now() - started)
    cpus.push(cpuOf(engine.pid))
    const first = memoryOf(engine.pid, 'VmRSS')
    // a figure of that moment: what V8 gives back by itself
    await setTimeout(10_000)
    memory.push([first, memoryOf(engine.pid, 'VmRSS'), memoryOf(engine.pid, 'VmHWM')])
  }
  const column = (i: number) => median(memory.map((of) => of[i] ?? 0))
  const row = {
    what: 'cold start to healthy',
    'median ms': Math.round(median(times)),
    'most ms': Math.round(Math.max(...times)),
    'CPU ms': median(cpus),
    'MB then, 10 s later, most': `${column(0)}, ${column(1)}, ${column(2)}`,
  }
  rows.push(row)
  console.log(JSON.stringify(row))
}

await engine.stop()
console.log(
  `load ${loadavg()
    .map((load) => load.toFixed(1))
    .join(' ')}`,
)
console.table(rows)
process.exit(0)
