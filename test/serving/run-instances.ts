/**
 * Three engines on one catalogue, whose database is reached by way of proxies of their own: changes through each in turn,
 * lost notifications, clients that write through all of them at once while one is killed, a catalogue that hangs and one
 * that is away.
 */
import assert from 'node:assert/strict'
import pg from 'pg'
import { type Answer, type Engine, startEngine } from '../engine.ts'
import { createTestDatabase } from '../postgres.ts'
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts'

export interface InstancesReport {
  /** Milliseconds from the answer of a change to the moment that another instance serves it, of each change. */
  readonly followed: number[]
  /** The same where the connections that listen had been cut just before. */
  readonly followedAfterCut: number[]
  readonly acknowledged: number
  readonly refused: number
  readonly unknown: number
}

interface Instance {
  engine: Engine
  readonly proxy: TcpProxy
  readonly start: () => Promise<Engine>
}

/** What becomes of the catalogue's database. */
export type Absence = 'paused' | 'cut'

/** `rounds`: how often each part is done, with another absence of the catalogue in turn. */
export async function runInstances(rounds: number, absences: readonly Absence[]): Promise<InstancesReport> {
  const [metadata, data] = [await createTestDatabase(), await createTestDatabase()]
  await runOn(data.url, 'CREATE TABLE artist (id integer PRIMARY KEY); INSERT INTO artist VALUES (1)')
  const instances: Instance[] = []
  // the first one makes the catalogue
  for (let i = 0; i < 3; i++) instances.push(await startInstance(metadata.url, data.url))
  try {
    const followed: number[] = []
    const followedAfterCut: number[] = []
    const counts = { acknowledged: 0, refused: 0, unknown: 0 }
    for (let round = 0; round < rounds; round++) {
      for (const [i, writer] of instances.entries())
        followed.push(...(await followChange(writer.engine, others(instances, writer), i % 2 === 0)))
      await cutListeners(metadata.url)
      const [writer] = instances
      if (writer)
        followedAfterCut.push(...(await followChange(writer.engine, others(instances, writer), round % 2 === 1)))
      await writeAtOnce(instances, counts)
      await withoutCatalogue(instances, absences[round % absences.length] ?? 'cut')
    }
    for (const { engine } of instances) readOnlyWhatChanged(engine)
    return { followed, followedAfterCut, ...counts }
  } finally {
    await Promise.all(instances.map(({ engine }) => engine.stop()))
    await Promise.all(instances.map(({ proxy }) => proxy.close()))
    await Promise.all([metadata.drop(), data.drop()])
  }
}

async function startInstance(metadataUrl: string, databaseUrl: string): Promise<Instance> {
  const proxy = await startTcpProxy(metadataUrl)
  const env = { SVC_GRAPHQL_METADATA_DATABASE_URL: proxy.url }
  const start = () => startEngine({ databaseUrl, env })
  return { engine: await start(), proxy, start }
}

const others = (instances: readonly Instance[], one: Instance): readonly Engine[] =>
  instances.filter((instance) => instance !== one).map(({ engine }) => engine)

async function runOn(url: string, sql: string): Promise<readonly Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

/** Milliseconds until each of the others serves it. */
async function followChange(
  writer: Engine,
  readers: readonly Engine[],
  isTracked: boolean,
): Promise<readonly number[]> {
  const { body } = await writer.metadata('export_metadata', {})
  const tracked = body.sources[0].tables.length > 0
  if (tracked === isTracked) await toggle(writer, readers, !isTracked)
  return toggle(writer, readers, isTracked)
}

async function toggle(writer: Engine, readers: readonly Engine[], isTracked: boolean): Promise<readonly number[]> {
  const answer = await writer.metadata(isTracked ? 'pg_track_table' : 'pg_untrack_table', { table: 'artist' })
  assert.equal(answer.status, 200, answer.text)
  const answered = performance.now()
  const version = Number(answer.headers['x-svc-resource-version'])
  return Promise.all(
    readers.map(async (reader) => {
      await reader.observed('metadata-synchronised', ({ resourceVersion }) => resourceVersion >= version)
      const milliseconds = performance.now() - answered
      const { body } = await reader.post('/v1/graphql', { query: '{ artist { id } }' })
      if (isTracked) assert.deepEqual(body, { data: { artist: [{ id: 1 }] } })
      else assert.equal(body.errors[0].extensions.code, 'validation-failed')
      return milliseconds
    }),
  )
}

/** Notifications that come before the engines listen again are lost. */
const cutListeners = (metadataUrl: string) =>
  runOn(
    metadataUrl,
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND query LIKE 'LISTEN%' AND pid <> pg_backend_pid()`,
  )

/** The whole document was loaded once, at the start; what others changed came row by row, and no database was read. */
function readOnlyWhatChanged({ log }: Engine): void {
  assert.equal(log.filter((line) => line.includes('"kind":"metadata-loaded"')).length, 1)
  const rebuilt = log
    .map((line) => /"kind":"model-updated","rebuilt":(\d+)/.exec(line)?.[1])
    .filter((count) => count !== undefined)
  // the first is the start's; then a table or some collections at a time
  assert.ok(
    rebuilt.slice(1).every((count) => Number(count) < 10),
    rebuilt.join(' '),
  )
}

interface Counts {
  acknowledged: number
  refused: number
  unknown: number
}

/** Each client adds one to a counter, with the version that it read, and makes a pair of collections in one bulk. */
async function writeAtOnce(instances: readonly Instance[], counts: Counts): Promise<void> {
  const [first] = instances
  assert.ok(first)
  await first.engine.metadata('create_query_collection', { name: 'counter', comment: '0', definition: { queries: [] } })
  const start = counterOf(await exportOf(first.engine))
  const written: number[] = []
  const pairs: string[] = []
  const client = async (number: number, times: number) => {
    for (let i = 0; i < times; i++) {
      const instance = instances[(number + i) % instances.length]
      if (!instance) continue
      const name = `${start.version}_${number}_${i}`
      const outcome = await addOne(instance.engine, name)
      counts[outcome.kind]++
      if (outcome.kind !== 'acknowledged') continue
      written.push(outcome.count)
      pairs.push(name)
    }
  }
  const [, , third] = instances
  const clients = [0, 1, 2, 3, 4, 5].map((number) => client(number, 8))
  assert.ok(third)
  third.engine.kill()
  await third.engine.ended
  third.engine = await third.start()
  await Promise.all(clients)
  assert.equal(new Set(written).size, written.length, 'two clients wrote the same number: an update was lost')
  const end = counterOf(await exportOf(third.engine))
  for (const { engine } of instances) assert.deepEqual(counterOf(await exportOf(engine)), end)
  assert.ok(end.count >= start.count + written.length, 'what was acknowledged is gone')
  for (const name of pairs) assert.ok(end.names.has(`a_${name}`), `${name} is gone`)
  for (const name of end.names)
    if (/^[ab]_/.test(name))
      assert.ok(end.names.has(`${name.startsWith('a') ? 'b' : 'a'}${name.slice(1)}`), 'half a bulk')
  const bulk = [...end.names].map((collection) => ({ type: 'drop_query_collection', args: { collection } }))
  assert.equal((await first.engine.metadata('bulk', bulk)).status, 200)
}

interface Counter {
  readonly version: number
  readonly count: number
  readonly names: ReadonlySet<string>
}

const exportOf = (engine: Engine): Promise<Answer> => engine.metadata('export_metadata', {}, { version: 2 })

function counterOf({ body }: Answer): Counter {
  const collections: readonly { readonly name: string; readonly comment?: string }[] =
    body.metadata.query_collections ?? []
  const counter = collections.find(({ name }) => name === 'counter')
  return {
    version: body.resource_version,
    count: Number(counter?.comment ?? 0),
    names: new Set(collections.map(({ name }) => name)),
  }
}

type Outcome = { readonly kind: 'acknowledged'; readonly count: number } | { readonly kind: 'refused' | 'unknown' }

async function addOne(engine: Engine, name: string): Promise<Outcome> {
  const definition = { queries: [] }
  try {
    const { version, count } = counterOf(await exportOf(engine))
    const members = [
      { type: 'create_query_collection', args: { name: `a_${name}`, definition } },
      { type: 'drop_query_collection', args: { collection: 'counter' } },
      { type: 'create_query_collection', args: { name: 'counter', comment: String(count + 1), definition } },
      { type: 'create_query_collection', args: { name: `b_${name}`, definition } },
    ]
    const answer = await engine.metadata('bulk', members, { resource_version: version })
    if (answer.status === 200) return { kind: 'acknowledged', count: count + 1 }
    assert.equal(answer.status, 409, answer.text)
    return { kind: 'refused' }
  } catch (error) {
    if (error instanceof assert.AssertionError) throw error
    // the engine was killed, or is not there: whether it stored anything is seen in the end
    return { kind: 'unknown' }
  }
}

/** Reads go on; writers get the reason; afterwards everything is as before. */
async function withoutCatalogue(instances: readonly Instance[], how: Absence): Promise<void> {
  const [first, second, third] = instances
  assert.ok(first && second && third)
  const tracked = await first.engine.metadata('pg_track_tables', { tables: ['artist'] })
  assert.ok([200, 400].includes(tracked.status), tracked.text)
  const away = [first, second]
  await Promise.all(away.map(({ engine }) => exportOf(engine)))
  for (const { proxy } of away)
    if (how === 'paused') proxy.pause()
    else proxy.cut()
  const refused = Promise.all(
    away.map(({ engine }) => engine.metadata('create_query_collection', { name: 'x', definition: { queries: [] } })),
  )
  for (const { engine } of away) {
    const { body } = await engine.post('/v1/graphql', { query: '{ artist { id } }' })
    assert.deepEqual(body, { data: { artist: [{ id: 1 }] } })
  }
  for (const { status, body } of await refused) {
    assert.equal(status, 500)
    assert.deepEqual(
      { ...body, internal: null },
      { error: 'connection error', path: '$', code: 'postgres-error', internal: null },
    )
  }
  // meanwhile the third goes on
  const made = await third.engine.metadata('create_query_collection', { name: `by_third`, definition: { queries: [] } })
  assert.equal(made.status, 200, made.text)
  const version = Number(made.headers['x-svc-resource-version'])
  for (const { proxy } of away) proxy.mend()
  for (const { engine } of away)
    await engine.observed('metadata-synchronised', ({ resourceVersion }) => resourceVersion >= version)
  const dropped = await first.engine.metadata('drop_query_collection', { collection: 'by_third' })
  assert.equal(dropped.status, 200, dropped.text)
  for (const { engine } of instances) assert.equal(counterOf(await exportOf(engine)).version, version + 1)
}
