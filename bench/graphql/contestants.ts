/** The processes that are measured, one each, over one database. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, openSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Target } from './load.ts'
import type { Mutation } from './mutations.ts'
import { type Query, queries, sleeping } from './queries.ts'
import { role, storeId, storeTables } from './store.ts'

export interface Contestant {
  readonly name: string
  readonly port: number
  readonly pid: number
  target(asked: Query | Mutation): Target
  stop(): void
}

export const adminSecret = 'the secret of the benchmark'

/** The engine with an admin secret and its default logs on, which go to a file. */
export async function startBenchEngine(
  databases: { readonly data: string; readonly metadata: string },
  tables: readonly object[] | null = storeTables,
  environment: Readonly<Record<string, string>> = {},
): Promise<Contestant> {
  const server = await start('engine', fileURLToPath(new URL('../../engine/bin/svc-engine.js', import.meta.url)), {
    SVC_GRAPHQL_DATABASE_URL: databases.data,
    SVC_GRAPHQL_METADATA_DATABASE_URL: databases.metadata,
    SVC_GRAPHQL_ADMIN_SECRET: adminSecret,
    NODE_COMPILE_CACHE: fileURLToPath(new URL('../../node_modules/.cache/engine-under-test', import.meta.url)),
    ...environment,
  })
  const engine: Contestant = {
    ...server,
    target: madeBefore(server.port, (asked, i) =>
      graphqlRequest(asked.graphql, 'body' in asked ? asked.variables(i) : { p: asked.parameter(i) }),
    ),
  }
  if (tables) await replaceTables(server.port, tables)
  return engine
}

/** More than any query has values of its parameter. */
const REQUESTS = 4000

/** Targets whose requests are there before anybody is measured: making one costs more than sending it. */
function madeBefore(port: number, make: (asked: Query | Mutation, i: number) => Buffer): Contestant['target'] {
  const made = new Map<Query | Mutation, readonly Buffer[]>()
  return (asked) => {
    const length = 'body' in asked ? asked.requests : REQUESTS
    const requests = made.get(asked) ?? Array.from({ length }, (_, i) => make(asked, i))
    made.set(asked, requests)
    return { port, request: (i) => requests[i % length] ?? make(asked, i) }
  }
}

/** As the restricted role. */
export const graphqlRequest = (query: string, variables: object, as: string = role): Buffer =>
  post('/v1/graphql', JSON.stringify({ query, variables }), {
    'x-svc-admin-secret': adminSecret,
    'x-svc-role': as,
    'x-svc-store-id': String(storeId),
  })

export async function replaceTables(port: number, tables: readonly object[]): Promise<void> {
  const send = async (type: string, args: unknown) => {
    const response = await fetch(`http://127.0.0.1:${port}/v1/metadata`, {
      method: 'POST',
      headers: { 'x-svc-admin-secret': adminSecret, 'content-type': 'application/json' },
      body: JSON.stringify({ type, args }),
    })
    const text = await response.text()
    if (response.status !== 200) throw new Error(`${type}: ${text.slice(0, 2000)}`)
    return JSON.parse(text)
  }
  const metadata = await send('export_metadata', {})
  const [source] = metadata.sources
  await send('replace_metadata', { ...metadata, sources: [{ ...source, tables }] })
}

/** The bare server over `pg`, or over `postgres` (porsager). */
export async function startLimit(databaseUrl: string, driver: 'pg' | 'postgres' = 'pg'): Promise<Contestant> {
  const program =
    driver === 'pg'
      ? fileURLToPath(new URL('limit-server.ts', import.meta.url))
      : join(installed(new URL('porsager', import.meta.url)), 'server.js')
  const server = await start(driver === 'pg' ? 'limit' : 'postgres', program, { DATABASE_URL: databaseUrl })
  const all = [...queries, sleeping]
  return {
    ...server,
    target: madeBefore(server.port, (asked, i) =>
      'body' in asked
        ? post(`/${asked.bare}`, JSON.stringify(asked.body(i)), {})
        : Buffer.from(
            `GET /${all.indexOf(asked)}/${encodeURIComponent(asked.parameter(i))} HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n`,
          ),
    ),
  }
}

/** `mutations`: it has them, which makes its schema larger. */
export async function startPostgraphile(databaseUrl: string, mutations = false): Promise<Contestant> {
  const directory = installed(new URL('postgraphile', import.meta.url))
  const server = await start('PostGraphile 5', join(directory, 'server.js'), {
    DATABASE_URL: databaseUrl,
    MUTATIONS: String(mutations),
    NODE_ENV: 'production',
    GRAPHILE_ENV: 'production',
  })
  return {
    ...server,
    target: madeBefore(server.port, (asked, i) =>
      post(
        '/graphql',
        JSON.stringify(
          'body' in asked
            ? { query: asked.postgraphile?.query, variables: asked.postgraphile?.variables(i) }
            : { query: asked.postgraphile, variables: { p: asked.parameter(i) } },
        ),
        {},
      ),
    ),
  }
}

/** A folder with the dependencies of its package. */
function installed(folder: URL): string {
  const directory = fileURLToPath(folder)
  if (!existsSync(join(directory, 'node_modules')))
    spawnSync(
      'npm',
      [
        'install',
        '--ignore-scripts',
        '--no-audit',
        '--no-fund',
        '--no-package-lock',
        '--legacy-peer-deps',
        '--workspaces=false',
      ],
      {
        cwd: directory,
        stdio: 'inherit',
      },
    )
  return directory
}

/** Two remote schemas behind @graphql-tools/stitch. */
export function startStitch(environment: Readonly<Record<string, string>>): Promise<Omit<Contestant, 'target'>> {
  const directory = installed(new URL('../remote/stitch', import.meta.url))
  return start('stitch', join(directory, 'server.js'), { NODE_ENV: 'production', ...environment })
}

function post(path: string, body: string, headers: Readonly<Record<string, string>>): Buffer {
  const all = {
    host: '127.0.0.1',
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    ...headers,
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.from(`POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`)
}

const children = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of children) child.kill('SIGKILL')
})

async function start(
  name: string,
  program: string,
  environment: Readonly<Record<string, string>>,
): Promise<Omit<Contestant, 'target'>> {
  const port = await freePort()
  const log = join(mkdtempSync(join(tmpdir(), 'svc-bench-')), `${name}.log`)
  const file = openSync(log, 'w')
  const inherited = Object.entries(process.env).filter(([key]) => !/^(SVC|PG)/.test(key))
  const profile = process.env.SVC_BENCH_PROFILE
  const options = profile === name ? ['--cpu-prof', `--cpu-prof-dir=${join(tmpdir(), 'svc-bench-profile')}`] : []
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', ...options, program], {
    env: {
      ...Object.fromEntries(inherited),
      PORT: String(port),
      SVC_GRAPHQL_SERVER_PORT: String(port),
      ...environment,
    },
    stdio: ['ignore', file, file],
  })
  children.add(child)
  await answers(port, child, log)
  return { name, port, pid: child.pid ?? 0, stop: () => child.kill(profile === name ? 'SIGTERM' : 'SIGKILL') }
}

/** Waits until it takes connections. */
async function answers(port: number, child: ChildProcess, log: string): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Error(readFileSync(log, 'utf8').slice(-2000))
    try {
      await fetch(`http://127.0.0.1:${port}/`)
      return
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
}

export const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })

/** Milliseconds of CPU so far, to 10. */
export function cpuOf(pid: number): number {
  const [, fields = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')
  const [user = 0, system = 0] = fields.split(' ').slice(11, 13).map(Number)
  return (user + system) * 10
}

/** Megabytes. */
export function rssOf(pid: number): number {
  const [, kilobytes = '0'] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Math.round(Number(kilobytes) / 1024)
}
