/**
 * Functions of ours that one request enters once its plan is kept, and how often: by V8's precise coverage, in an engine
 * inside this process. With SVC_BENCH_NAMES=1 each of them is listed. A figure of the code and not of the machine, so it is the same on a busy one.
 */
import { request as send } from 'node:http'
import { Session } from 'node:inspector/promises'
import { relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { postgres } from '../../engine/src/backends/index.ts'
import { parseArguments, readConfig } from '../../engine/src/config/index.ts'
import { createObserver } from '../../engine/src/observe/index.ts'
import { startServer } from '../../engine/src/server/index.ts'
import { adminSecret, replaceTables } from './contestants.ts'
import { following, nestedInsert, single, update } from './mutations.ts'
import { byKey } from './queries.ts'
import { createStore, role, run, storeId, storeTables } from './store.ts'
import { emptied, writtenSchema, writtenTables } from './written-store.ts'

const asked: readonly { readonly name: string; readonly graphql: string; readonly variables: (i: number) => object }[] =
  [
    { ...byKey, name: 'read by key', variables: (i) => ({ p: byKey.parameter(i) }) },
    single,
    following,
    update,
    nestedInsert,
  ]

/** Requests before one is counted: plans are kept, connections open, statements prepared. */
const WARM = 200
const COUNTED = 10

export async function countFunctions(): Promise<void> {
  const store = await createStore()
  await run(store.data, writtenSchema)
  await run(store.data, emptied)
  const flags = ['--server-port', '0', '--admin-secret', adminSecret, '--database-url', store.data]
  const { flags: read } = parseArguments(['serve', ...flags, '--metadata-database-url', store.metadata])
  const server = await startServer(readConfig(read, {}), createObserver(), [postgres])
  const port = Number(new URL(server.url).port)
  await replaceTables(port, [...storeTables, ...writtenTables])
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  const table: Record<string, string | number>[] = []
  for (const { name, graphql, variables } of asked) {
    for (let i = 0; i < WARM; i++) await ask(port, graphql, variables(i))
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
    const counts: { readonly functions: number; readonly calls: number }[] = []
    for (let i = 0; i < COUNTED; i++) {
      await session.post('Profiler.takePreciseCoverage')
      await ask(port, graphql, variables(WARM + i))
      counts.push(entered((await session.post('Profiler.takePreciseCoverage')).result))
    }
    if (process.env.SVC_BENCH_NAMES) {
      const names: string[] = []
      await ask(port, graphql, variables(0))
      entered((await session.post('Profiler.takePreciseCoverage')).result, names)
      console.log(`\n${name}\n${names.join('\n')}`)
    }
    await session.post('Profiler.stopPreciseCoverage')
    const median = counts.toSorted((a, b) => a.functions - b.functions)[COUNTED / 2]
    table.push({ request: name, functions: median?.functions ?? 0, calls: median?.calls ?? 0 })
  }
  session.disconnect()
  await server.close()
  console.table(table)
}

interface ScriptCoverage {
  readonly url: string
  readonly functions: readonly {
    readonly functionName: string
    readonly ranges: readonly { readonly startOffset: number; readonly count: number }[]
  }[]
}

const root = fileURLToPath(new URL('../..', import.meta.url))

function entered(
  scripts: readonly ScriptCoverage[],
  names?: string[],
): { readonly functions: number; readonly calls: number } {
  let functions = 0
  let calls = 0
  for (const { url, functions: found } of scripts) {
    if (!url.startsWith('file:')) continue
    const path = relative(root, fileURLToPath(url)).split(sep)
    if (!['engine', 'schema'].includes(path[0] ?? '') || path[1] !== 'src') continue
    for (const { functionName, ranges } of found) {
      const count = ranges[0]?.count ?? 0
      if (count === 0) continue
      functions += 1
      calls += count
      names?.push(`${path.slice(2).join('/')} ${functionName} ${count}`)
    }
  }
  return { functions, calls }
}

/** One request as the restricted role, over a connection of its own agent. Throws what is answered but data. */
function ask(port: number, query: string, variables: object): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = {
      'content-type': 'application/json',
      'x-svc-admin-secret': adminSecret,
      'x-svc-role': role,
      'x-svc-store-id': String(storeId),
    }
    const sent = send({ host: '127.0.0.1', port, path: '/v1/graphql', method: 'POST', headers }, (answer) => {
      let text = ''
      answer
        .setEncoding('utf8')
        .on('data', (part: string) => {
          text += part
        })
        .on('end', () => (text.startsWith('{"data"') ? resolve() : reject(new Error(text))))
    })
    sent.on('error', reject).end(JSON.stringify({ query, variables }))
  })
}
