/**
 * `npm run conformance -- [--suite RE | --area RE | --test RE | --backend NAME] [--postgres BIN_FOLDER] [--cases FOLDER]`
 *
 * Runs all conformance cases of the databases that the engine serves, on a PostgreSQL of its own. The exit code
 * is 1 where a case fails, also in a second try, that test/conformance/failing-DATABASE.txt does not list with a reason, and
 * where a listed case passes. Details: results/conformance*.
 */
import { spawn, spawnSync } from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import {
  type ConformanceRun,
  judge,
  matchSuites,
  mostExceptions,
  parseExceptions,
  replaceCases,
  suiteOf,
} from '../test/conformance/verdict.ts'
import { startPostgres } from '../test/postgres-server.ts'
import { openSqlServerDouble } from '../test/sql-server/sql-server-double.ts'
import { emulatorEnvironment, emulatorFile, isEmulatorBuilt } from './bigquery-emulator/program.ts'

/** The databases whose cases are run. The files of other databases list nothing until they are served. */
const SERVED = ['postgres', 'mssql', ...(isEmulatorBuilt() ? ['bigquery'] : [])]
const STAND_INS = 14

const { values: options } = parseArgs({
  options: {
    suite: { type: 'string' },
    area: { type: 'string' },
    test: { type: 'string' },
    backend: { type: 'string' },
    postgres: { type: 'string', default: '/usr/lib/postgresql/15/bin' },
    cases: { type: 'string', default: '../shared/conformance' },
  },
})

type ConformancePlace = { readonly directory: string; readonly postgresUrl: string; readonly sqlServer: string }

async function main(): Promise<number> {
  if (!existsSync(options.cases)) {
    console.log(`conformance: skipped, there is no ${options.cases}`)
    return 0
  }
  if (!existsSync(join(options.postgres, 'initdb'))) {
    console.error(`no PostgreSQL in ${options.postgres}: install postgresql-15-postgis-3, or say --postgres BIN_FOLDER`)
    return 1
  }
  const directory = mkdtempSync(join(tmpdir(), 'svc-conformance-'))
  if (!isEmulatorBuilt()) console.log('conformance: the cases of BigQuery are skipped: npm run bigquery-emulator')
  const postgres = await startPostgres(options.postgres)
  // what setups send is the user's own; the engine's statements pass the oracle in its tests
  const double = await openSqlServerDouble({ database: 'svc_conf', isStrict: false })
  try {
    copyCases(directory)
    const sqlServer = process.env.SVC_TEST_MSSQL_URL ?? double.connectionString
    return await compare({ directory, postgresUrl: postgres.url, sqlServer })
  } finally {
    await double.stop()
    await postgres.stop()
    rmSync(directory, { recursive: true, force: true })
  }
}

async function compare(place: ConformancePlace): Promise<number> {
  mkdirSync('results', { recursive: true })
  rmSync('results/conformance.log', { force: true })
  const exceptions = SERVED.flatMap((database) =>
    parseExceptions(readFileSync(`test/conformance/failing-${database}.txt`, 'utf8'), mostExceptions[database]),
  )
  const selection = (['suite', 'area', 'test', 'backend'] as const).flatMap((name) =>
    options[name] === undefined ? [] : [`--${name}`, options[name]],
  )
  const isComplete = selection.length === 0
  let run = await runCases(place, selection)
  const suspects = judge(exceptions, run, isComplete).defects.filter(({ again }) => again)
  if (suspects.length > 0) {
    console.log(`\n${suspects.length} cases failed; a second try:`)
    run = replaceCases(run, await runCases(place, ['--suite', matchSuites(suspects.map(({ id }) => suiteOf(id)))]))
  }
  writeFileSync('results/conformance.json', `${JSON.stringify(run, null, 1)}\n`)

  const verdict = judge(exceptions, run, isComplete)
  console.table(Object.fromEntries(verdict.areas.map(({ area, ...counts }) => [area, counts])))
  for (const { id, why } of verdict.defects) console.log(`DEFECT: ${id}: ${why}`)
  console.log(`conformance: ${verdict.passed} passed, ${verdict.failed} failed, ${verdict.skipped} skipped`)
  return verdict.defects.length > 0 ? 1 : 0
}

/** The runner writes in addition to itself, and brings dependencies of its own. */
function copyCases(directory: string): void {
  cpSync(options.cases, directory, { recursive: true, dereference: true })
  for (const path of ['.', ...readdirSync(directory, { recursive: true, encoding: 'utf8' })])
    chmodSync(join(directory, path), 0o755) // the cases may be read-only
  const install = spawnSync('npm', ['ci', '--silent'], {
    cwd: directory,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  })
  if (install.status !== 0) throw new Error('npm ci of the conformance runner failed')
}

async function runCases(
  { directory, postgresUrl, sqlServer }: ConformancePlace,
  selection: readonly string[],
): Promise<ConformanceRun> {
  const results = join(directory, 'results', 'run.json')
  rmSync(results, { force: true })
  const port = await freePorts(3 + STAND_INS)
  const emulator = port + 1 + STAND_INS
  const runner = spawn(
    process.execPath,
    [
      ...['run.mjs', '--split', 'given', '--json', results, '--pg-url', postgresUrl],
      ...['--mssql-url', sqlServer, '--url', `http://127.0.0.1:${port}`, '--standin-port', String(port + 1)],
      ...(isEmulatorBuilt() ? ['--bigquery-endpoint', `http://127.0.0.1:${emulator}`] : []),
      ...(isEmulatorBuilt() ? ['--bigquery-cmd', emulatorCommand(emulator)] : []),
      ...['--server-cmd', `'${resolve('node_modules/.bin/svc-engine')}' serve`, ...selection],
    ],
    { cwd: directory, stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...emulatorEnvironment } },
  )
  const log: string[] = []
  const closed = new Promise((resolve) => runner.once('close', resolve))
  for (const stream of [runner.stdout, runner.stderr])
    createInterface({ input: stream }).on('line', (line) => {
      log.push(line)
      if (/^(ok {2}|FAIL|skip) /.test(line)) console.log(line)
    })
  await closed
  appendFileSync('results/conformance.log', `${log.join('\n')}\n`)
  const serverLog = join(directory, 'results', 'server.log')
  if (existsSync(serverLog)) cpSync(serverLog, 'results/conformance-server.log')
  if (!existsSync(results)) throw new Error(`the runner ended without results:\n${log.slice(-5).join('\n')}`)
  return JSON.parse(readFileSync(results, 'utf8'))
}

const emulatorCommand = (port: number): string =>
  `'${emulatorFile}' --project=test --port=${port} --grpc-port=${port + 1}`

/** The first of `count` ports in a row that no one listens on. */
async function freePorts(count: number): Promise<number> {
  for (let first = 21000 + (process.pid % 500) * 20; ; first += count) {
    const ports = Array.from({ length: count }, (_, index) => first + index)
    if ((await Promise.all(ports.map(isFree))).every(Boolean)) return first
  }
}

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })

process.exitCode = await main()
