/**
 * The engine's CPU for a request to BigQuery, compared with that of a bare server with the same client, over the double
 * of the tests (docs/bigquery.md). `npm run bench -- bigquery`
 */
import { type ChildProcess, fork, spawn } from 'node:child_process'
import { performance } from 'node:perf_hooks'
import { assembleRows } from '../../engine/src/backends/bigquery/assemble/assemble-rows.ts'
import { defaultBytesBilled } from '../../engine/src/backends/bigquery/source-settings.ts'
import { finish } from '../../engine/src/long-work.ts'
import { startRestDouble } from '../../test/bigquery/rest-double.ts'
import { createTestDatabase } from '../../test/postgres.ts'
import { cpuOf, median } from '../metadata/process-figures.ts'

const columns = ['id', 'title', 'price', 'paid', 'sold'] as const
const fields = ['INTEGER', 'STRING', 'NUMERIC', 'BOOLEAN', 'DATE'].map((type, i) => ({ name: columns[i], type }))
const rowsOf = (count: number) =>
  Array.from({ length: count }, (_, i) => [String(i), `title ${i}`, `${i}.50`, 'true', '2026-11-24'])

const cleanups: (() => Promise<void>)[] = []
const children: ChildProcess[] = []
const double = await startRestDouble({ after: (cleanUp) => void cleanups.push(cleanUp) })
double.tables.set('shop', new Map([['sale', { schema: { fields } }]]))
const environment = {
  BQ_KEY: JSON.stringify(double.account.json),
  SVC_GRAPHQL_BIGQUERY_API_ENDPOINT: double.url,
  SVC_GRAPHQL_BIGQUERY_TOKEN_ENDPOINT: double.tokenUrl,
}
const query = `{ shop_sale { ${columns.join(' ')} } }`

interface Contestant {
  readonly pid: number
  readonly url: string
}

async function startEngineProcess(): Promise<Contestant> {
  const { url: databaseUrl } = await createTestDatabase()
  const port = 20_000 + (process.pid % 10_000)
  const child = spawn(
    process.execPath,
    [new URL('../../engine/bin/svc-engine.js', import.meta.url).pathname, 'serve'],
    {
      env: {
        ...process.env,
        ...environment,
        SVC_GRAPHQL_DATABASE_URL: databaseUrl,
        SVC_GRAPHQL_SERVER_PORT: String(port),
        SVC_GRAPHQL_LOG_LEVEL: 'warn',
      },
      stdio: 'ignore',
    },
  )
  children.push(child)
  const url = `http://127.0.0.1:${port}`
  while (!(await fetch(`${url}/healthz`).catch(() => null))?.ok) await new Promise((done) => setTimeout(done, 100))
  const configuration = { service_account: { from_env: 'BQ_KEY' }, project_id: double.project, datasets: ['shop'] }
  for (const [type, args] of [
    ['bigquery_add_source', { name: 'bq', configuration: { ...configuration, global_select_limit: 1_000_000 } }],
    ['bigquery_track_table', { source: 'bq', table: { dataset: 'shop', name: 'sale' } }],
  ] as const) {
    const answer = await fetch(`${url}/v1/metadata`, { method: 'POST', body: JSON.stringify({ type, args }) })
    if (!answer.ok) throw new Error(await answer.text())
  }
  return { pid: child.pid ?? 0, url: `${url}/v1/graphql` }
}

async function startBareServer(sql: string, client: 'library' | 'engine'): Promise<Contestant> {
  const settings = {
    account: { clientEmail: double.account.json.client_email, privateKey: double.account.json.private_key },
    projectId: double.project,
    maximumBytesBilled: defaultBytesBilled,
    apiEndpoint: double.url,
    tokenEndpoint: double.tokenUrl,
  }
  const child = fork(new URL('bare-server.ts', import.meta.url), {
    env: {
      ...process.env,
      BENCH_SETTINGS: JSON.stringify(settings),
      BENCH_QUERY: [sql, ...columns].join('|'),
      BENCH_CLIENT: client,
      // issued to the engine, and good for all
      BENCH_TOKEN: `token-${double.tokens.length}`,
    },
    execArgv: process.execArgv,
  })
  children.push(child)
  const port = await new Promise<number>((resolve) => child.once('message', (message) => resolve(Number(message))))
  return { pid: child.pid ?? 0, url: `http://127.0.0.1:${port}` }
}

/** Milliseconds of CPU for a request, over that many of which four are under way. */
async function cpuPerRequest({ pid, url }: Contestant, requests: number): Promise<number> {
  const ask = async () => {
    // the bare server does not compress
    const headers = { 'accept-encoding': 'identity' }
    const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ query }) })
    const text = await answer.text()
    if (!text.startsWith('{"data"')) throw new Error(text.slice(0, 300))
  }
  const before = cpuOf(pid)
  let left = requests
  const lane = async () => {
    while (left-- > 0) await ask()
  }
  await Promise.all([lane(), lane(), lane(), lane()])
  double.requests.length = 0
  return (cpuOf(pid) - before) / requests
}

async function compare(): Promise<void> {
  double.job = () => ({ fields, rows: rowsOf(1) })
  const engine = await startEngineProcess()
  await cpuPerRequest(engine, 4)
  const sql = [...double.jobs.values()].at(-1)?.body.configuration.query.query
  const contestants = {
    engine,
    "bare server, Google's client": await startBareServer(sql, 'library'),
    "bare server, the engine's use of it": await startBareServer(sql, 'engine'),
  }
  for (const [count, requests] of [
    [20, 1000],
    [10_000, 20],
  ] as const) {
    const answer = rowsOf(count)
    double.job = () => ({ fields, rows: answer })
    const rounds = Object.entries(contestants).map(([name, one]) => ({ name, one, cpu: [] as number[] }))
    for (const { one } of rounds) await cpuPerRequest(one, Math.max(20, requests / 2))
    for (let round = 0; round < 7; round++)
      for (const { one, cpu } of rounds) cpu.push(await cpuPerRequest(one, requests))
    const [own] = rounds
    for (const { name, cpu } of rounds) {
      const ratio = median(cpu.map((one, i) => (own?.cpu[i] ?? 0) / one))
      console.log(`${count} rows: ${name} ${median(cpu).toFixed(2)} ms of CPU; engine/this ${ratio.toFixed(2)}`)
    }
  }
}

function assemble(): void {
  const kinds = ['text', 'text', 'text', 'boolean', 'text'] as const
  const members = columns.map((key, i) => ({
    key,
    of: { kind: 'scalar', type: kinds[i] ?? 'text', list: false } as const,
  }))
  const page = rowsOf(10_000).map((values) => ({ f: values.map((v) => ({ v })) }))
  const times = Array.from({ length: 21 }, () => {
    const started = performance.now()
    const assembler = assembleRows({ kind: 'rows', members })
    finish(assembler.add(page))
    assembler.finish()
    return performance.now() - started
  })
  console.log(`10,000 rows of 5 columns are assembled in ${median(times).toFixed(1)} ms`)
}

try {
  assemble()
  await compare()
} finally {
  for (const child of children) child.kill()
  for (const cleanUp of cleanups) await cleanUp()
}
process.exit()
