/**
 * `npm run bench -- subscriptions [--queries=100] [--sessions=100] [--seconds=20] [--changes=100] [--rows=1000000]`:
 * live queries of one engine process at its default interval of 1 s. Every session has one socket with a subscription
 * to each query; `changes` subscribers' answers change each second. For comparison the limit: a bare loop that sends
 * the same statements and reads them. Then `rows` rows are streamed to 100 subscribers; 0: none.
 */
import { readFileSync } from 'node:fs'
import { availableParallelism, loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { createTestDatabase } from '../../test/postgres.ts'
import { startBenchEngine } from '../graphql/contestants.ts'
import { run } from '../graphql/store.ts'
import { measureLimit } from './limit.ts'
import { measureStreams } from './streams.ts'
import { openSubscribers } from './subscribers.ts'

const { values } = parseArgs({
  args: process.argv.slice(2),
  options: {
    queries: { type: 'string', default: '100' },
    sessions: { type: 'string', default: '100' },
    seconds: { type: 'string', default: '20' },
    changes: { type: 'string', default: '100' },
    rows: { type: 'string', default: '1000000' },
  },
})
const queries = Number(values.queries)
const sessions = Number(values.sessions)
const seconds = Number(values.seconds)
const changes = Number(values.changes)
const subscribers = queries * sessions

const data = (await createTestDatabase()).url
await run(
  data,
  `CREATE TABLE item (id integer PRIMARY KEY, owner integer NOT NULL, topic integer NOT NULL, value integer NOT NULL, at float8);
   INSERT INTO item SELECT (o * ${queries} + t) * 5 + i, o, t, 0, 0
     FROM generate_series(0, ${sessions - 1}) o, generate_series(0, ${queries - 1}) t, generate_series(0, 4) i;
   CREATE INDEX ON item (owner, topic, id)`,
)
await run(data, 'VACUUM ANALYZE')
const engine = await startBenchEngine(
  { data, metadata: (await createTestDatabase()).url },
  [
    {
      table: { schema: 'public', name: 'item' },
      select_permissions: [{ role: 'user', permission: { columns: '*', filter: { owner: { _eq: 'X-Svc-User-Id' } } } }],
    },
  ],
  { SVC_GRAPHQL_ENABLED_APIS: 'graphql,metadata,developer', SVC_GRAPHQL_ENABLED_LOG_TYPES: 'startup' },
)

const residentMegabytes = () =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${engine.pid}/status`, 'utf8'))?.[1]) / 1024
/** Seconds of the processor that the engine has used. */
const cpuSeconds = () => {
  const fields = readFileSync(`/proc/${engine.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) / 100
}
const client = new pg.Client({ connectionString: data })
await client.connect()
/** What is polled now, and how many statements were sent for it so far. */
const pollers = async (extended = ''): Promise<readonly Polled[]> => {
  const dump = await fetch(`http://127.0.0.1:${engine.port}/dev/subscriptions${extended}`, {
    headers: { 'x-svc-admin-secret': clients.secret },
  })
  return ((await dump.json()) as { readonly live_queries_map: readonly Polled[] }).live_queries_map
}
const statements = async () => (await pollers()).reduce((sum, poller) => sum + poller.statements, 0)
/** Waits until everything was polled so many times more. */
async function polled(times: number): Promise<void> {
  const before = new Map((await pollers()).map(({ query, statements }) => [query, statements]))
  // the statement that is under way may have begun before
  const isDue = ({ query, statements, cohorts }: Polled) =>
    statements < (before.get(query) ?? 0) + (times + 1) * Math.ceil(cohorts / 100)
  while ((await pollers()).some(isDue)) await sleep(50)
}
const sleep = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

console.log(
  `${queries} queries x ${sessions} sessions = ${subscribers} subscribers over ${sessions} sockets, ${seconds} s, load before ${loadavg()[0]?.toFixed(1)} on ${availableParallelism()} cores`,
)
const empty = residentMegabytes()
const began = performance.now()
const clients = await openSubscribers({ port: engine.port, queries, sessions })
await clients.received(subscribers)
console.log(`all had their first answer after ${((performance.now() - began) / 1000).toFixed(1)} s`)
// two polls of everything, so that starting up is over
await polled(2)

const [cpu, before, messages] = [cpuSeconds(), await statements(), clients.latencies.length]
const start = performance.now()
for (let tick = 0; performance.now() - start < seconds * 1000; tick++) {
  // ten commits a second
  const value = tick + 1
  await client.query(
    `UPDATE item SET value = $1, at = extract(epoch FROM clock_timestamp()) * 1000
     WHERE id IN (SELECT 5 * floor(random() * ${subscribers})::int FROM generate_series(1, $2))`,
    [value, Math.max(1, Math.round(changes / 10))],
  )
  // the rate of the changes, not a wait for something
  await sleep(Math.max(0, (tick + 1) * 100 - (performance.now() - start)))
}
const elapsed = (performance.now() - start) / 1000
// what was changed last has been sent
await polled(1)
const whole = (performance.now() - start) / 1000
const used = (cpuSeconds() - cpu) / whole
const asked = ((await statements()) - before) / whole
const latencies = clients.latencies.slice(messages).sort((a, b) => a - b)
const quantile = (q: number) => latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * q))]?.toFixed(0)
console.log(`engine: ${(used * 100).toFixed(0)} % of a core`)
console.log(
  `statements: ${asked.toFixed(0)} a second (one per 100 sessions and refetch would be ${Math.ceil(sessions / 100) * queries})`,
)
console.log(
  `messages: ${(latencies.length / elapsed).toFixed(0)} a second, ${((100 * latencies.length) / elapsed / subscribers).toFixed(1)} % of the subscribers; commit to message p50 ${quantile(0.5)} ms, p99 ${quantile(0.99)} ms, max ${quantile(1)} ms`,
)
const kilobytes = ((residentMegabytes() - empty) * 1024) / subscribers
console.log(
  `memory: ${empty.toFixed(0)} MB before, ${residentMegabytes().toFixed(0)} MB now: ${kilobytes.toFixed(1)} KB a subscriber`,
)

const asking = (await pollers('/extended')).map(statementOf)
clients.close()
engine.stop()
await measureLimit(data, asking, seconds)
await client.end()
if (Number(values.rows) > 0) await measureStreams({ rows: Number(values.rows), subscribers: 100, batch: 1000 })
process.exit(0)

interface Polled {
  readonly query: string
  readonly statements: number
  readonly cohorts: number
  readonly cohort_list: readonly { readonly variables: readonly (string | null)[] }[]
}

/** The statement of a poller with what it was run with. */
function statementOf({ query, cohort_list: cohorts }: Polled): {
  readonly text: string
  readonly values: readonly unknown[]
} {
  const width = cohorts[0]?.variables.length ?? 0
  const columns = Array.from({ length: width }, (_, i) => cohorts.map(({ variables }) => variables[i]))
  return { text: query, values: [cohorts.map((_, i) => i), ...columns] }
}
