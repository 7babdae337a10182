/**
 * `npm run bench -- mssql`: milliseconds of CPU that the engine needs for 400 reads of SQL Server, by key and lists of
 * 100, compared with a bare Node server with the same client. The double answers both from memory, and so counts for
 * neither.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { createTestDatabase } from '../../test/postgres.ts'
import { startPostgres } from '../../test/postgres-server.ts'
import { openSqlServerDouble } from '../../test/sql-server/sql-server-double.ts'
import type { Answer } from '../../test/sql-server/tds/answers.ts'
import { nvarchar } from '../../test/sql-server/types.ts'
import { adminSecret, cpuOf, startBenchEngine } from '../graphql/contestants.ts'

const READS = 400
const ROUNDS = 3
const CONNECTIONS = 10
const password = 'Str0ng;{pass}word'

const row = (id: number) => ({ id, name: `A track with a name of usual length, ${id}` })
const rootOf = (value: unknown): readonly Answer[] => [
  { kind: 'rows', columns: [{ name: 'root', type: nvarchar(Infinity) }], rows: [[JSON.stringify(value)]] },
]
const tasks = [
  { name: 'by key', query: 'query($id: Int!) { track_by_pk(id: $id) { id name } }', variables: { id: 7 } },
  { name: 'list of 100', query: '{ track(order_by: {id: asc}, limit: 100) { id name } }', variables: {} },
]

async function main(): Promise<void> {
  const postgres = process.env.SVC_TEST_DATABASE_URL === undefined ? await startPostgres() : null
  process.env.SVC_TEST_DATABASE_URL ??= postgres?.url
  const server = await openSqlServerDouble({
    isStrict: false,
    memory: [
      { pattern: /WITHOUT_ARRAY_WRAPPER[\s\S]*'null'/, answers: rootOf(row(7)) },
      {
        // the engine's TOP (100), and the other's FETCH
        pattern: /\b(TOP \(100\)|FETCH NEXT 100)[\s\S]*'\[\]'/,
        answers: rootOf(Array.from({ length: 100 }, (_, index) => row(index + 1))),
      },
    ],
  })
  await server.run('CREATE TABLE track (id int PRIMARY KEY, name nvarchar(200) NOT NULL)')
  const database = await createTestDatabase()
  const engine = await startBenchEngine({ data: database.url, metadata: database.url }, null)
  const { port, process: bare } = await startBare(server.port)
  try {
    const configuration = { connection_info: { connection_string: server.connectionString } }
    await metadata(engine.port, 'mssql_add_source', { name: 'ms', configuration })
    await metadata(engine.port, 'mssql_track_table', { source: 'ms', table: 'track' })
    for (const task of tasks) {
      const body = JSON.stringify({ query: task.query, variables: task.variables })
      const headers = { 'content-type': 'application/json', 'x-svc-admin-secret': adminSecret }
      const contestants = [
        { name: 'engine', url: `http://127.0.0.1:${engine.port}/v1/graphql`, pid: engine.pid, costs: [] as number[] },
        { name: 'bare', url: `http://127.0.0.1:${port}/`, pid: bare.pid ?? 0, costs: [] as number[] },
      ]
      for (let round = 0; round <= ROUNDS; round++)
        for (const { url, pid, costs } of contestants) {
          const before = cpuOf(pid)
          await load(url, { method: 'POST', headers, body })
          // the first round warms both up
          if (round > 0) costs.push(cpuOf(pid) - before)
        }
      const [ours = Number.NaN, theirs = Number.NaN] = contestants.map(
        ({ costs }) => costs.sort((a, b) => a - b)[Math.floor(ROUNDS / 2)],
      )
      console.log(
        `${task.name}: engine ${ours} ms, bare ${theirs} ms CPU for ${READS} reads; ${(ours / theirs).toFixed(2)} times`,
      )
    }
  } finally {
    bare.kill()
    engine.stop()
    await server.stop()
    await database.drop()
    await postgres?.stop()
  }
}

async function metadata(port: number, type: string, args: unknown): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${port}/v1/metadata`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-svc-admin-secret': adminSecret },
    body: JSON.stringify({ type, args }),
  })
  if (!response.ok) throw new Error(`${type}: ${await response.text()}`)
}

async function load(url: string, request: RequestInit): Promise<void> {
  let left = READS
  const worker = async () => {
    while (left-- > 0) {
      const text = await (await fetch(url, request)).text()
      if (!text.startsWith('{"data"')) throw new Error(text)
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, worker))
}

async function startBare(databasePort: number): Promise<{ readonly port: number; readonly process: ChildProcess }> {
  const port = await freePort()
  const file = new URL('./bare-server.ts', import.meta.url).pathname
  const child = spawn(process.execPath, [file, String(port), String(databasePort), password], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(child.stdout, 'data')
  return { port, process: child }
}

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })

await main()
