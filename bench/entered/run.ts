/**
 * How many functions of the engine a request enters, from the bytes of the socket to those of the answer: a read whose plan is
 * cached, and an insert of one row. What runs anyway (timers) is counted without a request and left out.
 * `npm run bench -- entered [--list]`
 */
import { Session } from 'node:inspector/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { allBackends } from '../../engine/src/backends/index.ts'
import { parseArguments, readConfig } from '../../engine/src/config/index.ts'
import { createObserver } from '../../engine/src/observe/index.ts'
import { startServer } from '../../engine/src/server/index.ts'
import { runOnDatabase } from '../../test/admin/run-on-database.ts'
import { createTestDatabase } from '../../test/postgres.ts'

const requests = {
  'cached read': { query: 'query ($id: Int!) { note(where: { id: { _eq: $id } }) { id text } }', variables: { id: 1 } },
  'insert of a row': {
    query: 'mutation ($text: String!) { insert_note_one(object: { text: $text }) { id } }',
    variables: { text: 'x' },
  },
}

const { url: databaseUrl, drop } = await createTestDatabase()
await runOnDatabase(
  databaseUrl,
  "CREATE TABLE note (id serial PRIMARY KEY, text text); INSERT INTO note (text) VALUES ('a')",
)
const { flags } = parseArguments(['serve', '--server-port', '0', '--database-url', databaseUrl])
const server = await startServer(readConfig(flags, {}), createObserver(), allBackends)
const post = async (path: string, body: unknown): Promise<void> => {
  const answer = await fetch(`${server.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const text = await answer.text()
  if (!answer.ok || text.includes('"errors"')) throw new Error(text)
}
await post('/v1/metadata', { type: 'pg_track_table', args: { table: 'note' } })

const session = new Session()
session.connect()
await session.post('Profiler.enable')
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })

/** Functions of the engine that were entered since the last call of this, by their places. */
async function entered(): Promise<ReadonlySet<string>> {
  const { result } = await session.post('Profiler.takePreciseCoverage')
  return new Set(
    result.flatMap(({ url, functions }) =>
      /\/(engine|schema)\/src\//.test(url)
        ? functions.flatMap(({ functionName, ranges: [range] }) =>
            range && range.count > 0
              ? [`${url.replace(/^.*\/((engine|schema)\/src\/)/, '$1')} ${functionName}:${range.startOffset}`]
              : [],
          )
        : [],
    ),
  )
}

for (const [name, body] of Object.entries(requests)) {
  // until its plan is cached and its statement's connection chosen
  for (let i = 0; i < 200; i++) await post('/v1/graphql', body)
  await pause(50)
  await entered()
  await pause(50)
  const idle = await entered()
  // the smallest of ten: a timer or a poll may run during one of them
  const counts: (readonly string[])[] = []
  for (let i = 0; i < 10; i++) {
    await entered()
    await post('/v1/graphql', body)
    counts.push([...(await entered())].filter((one) => !idle.has(one)))
    await pause(50)
  }
  const [own = []] = counts.sort((a, b) => a.length - b.length)
  console.log(`${name}: ${own.length} functions`)
  if (process.argv.includes('--list')) for (const one of own.toSorted()) console.log(`  ${one}`)
}
session.disconnect()
await server.close()
await drop()
