import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import pg from 'pg'
import { createTestDatabase } from '../../../test/postgres.ts'
import { postgres } from '../backends/index.ts'
import { createObserver } from '../observe/index.ts'
import type { ReadySource, SourceState } from './source-state.ts'
import { Sources } from './sources.ts'

function open(t: TestContext, environment: Record<string, string | undefined> = {}) {
  const observer = createObserver()
  const waiting: ((state: ReadySource) => void)[] = []
  const sources = new Sources({
    backends: [postgres],
    defaults: { usePreparedStatements: true },
    environment,
    report: (observation) => observer.report(observation),
    recovered: (state) => {
      for (const receive of waiting.splice(0)) receive(state)
    },
  })
  t.after(() => sources.close())
  return { sources, observer, recovered: () => new Promise<ReadySource>((resolve) => waiting.push(resolve)) }
}

const configurationOf = (url: string) => ({ connection_info: { database_url: url } })

async function run(url: string, script: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(script)
  await client.end()
}

function ready(state: SourceState): ReadySource {
  assert.equal(state.status, 'ready', JSON.stringify(state.status === 'unavailable' && state.reason))
  return state as ReadySource
}

const one = { text: `SELECT '1'`, slots: [], effects: 'none' as const, inlined: () => '' }

test('a source is prepared with all its tables, and refreshed only where it changed', async (t) => {
  const { url } = await createTestDatabase(t)
  await run(url, 'CREATE TABLE a (id int); CREATE TABLE b (id int)')
  const { sources, observer } = open(t)
  const connected = observer.next('source-connected')
  const state = ready(await sources.prepare('default', 'postgres', configurationOf(url)))
  assert.deepEqual([...state.introspection.tables.keys()], ['public.a', 'public.b'])
  assert.doesNotMatch((await connected).url, /:[^*/]+@/)

  assert.equal(await sources.refresh(state), state)
  assert.equal(await sources.refresh(state, [{ schema: 'public', name: 'a' }]), state)
  await run(url, 'ALTER TABLE a ADD x int; ALTER TABLE b ADD x int')
  const named = ready(await sources.refresh(state, [{ schema: 'public', name: 'a' }]))
  assert.notEqual(named.introspection.tables.get('public.a'), state.introspection.tables.get('public.a'))
  assert.equal(named.introspection.tables.get('public.b'), state.introspection.tables.get('public.b'))
  assert.equal(named.connection, state.connection)
})

test('equal settings share a connection and the references of what both saw', async (t) => {
  const { url } = await createTestDatabase(t)
  await run(url, 'CREATE TABLE a (id int)')
  const { sources } = open(t, { DB: url })
  const [state, again, same] = await Promise.all([
    sources.prepare('default', 'postgres', configurationOf(url)),
    sources.prepare('default', 'postgres', configurationOf(url)),
    sources.prepare('default', 'pg', { connection_info: { database_url: { from_env: 'DB' } } }),
  ])
  assert.equal(ready(again).connection, ready(state).connection)
  assert.equal(ready(same).connection, ready(state).connection)
  const later = ready(await sources.prepare('default', 'postgres', configurationOf(url)))
  assert.equal(
    later.introspection.tables.get('public.a'),
    (await latest(later, sources)).introspection.tables.get('public.a'),
  )
  const other = ready(await sources.prepare('other', 'postgres', configurationOf(url)))
  assert.notEqual(other.connection, later.connection)
})

test('a source that was begun to be read is prepared from that; what cannot be read is reported when it is prepared', async (t) => {
  const { url } = await createTestDatabase(t)
  await run(url, 'CREATE TABLE a (id int)')
  const { sources, observer } = open(t)
  const connected = observer.next('source-connected')
  sources.readAhead('default', 'postgres', configurationOf(url))
  sources.readAhead('gone', 'postgres', configurationOf('postgres://127.0.0.1:1/none'))
  sources.readAhead('unset', 'postgres', { connection_info: { database_url: { from_env: 'UNSET' } } })
  sources.readAhead('foreign', 'mongo', {})
  const state = ready(await sources.prepare('default', 'postgres', configurationOf(url)))
  assert.equal((await connected).tables, 1)
  await run(url, 'CREATE TABLE b (id int)')
  assert.ok((await latest(state, sources)).introspection.tables.has('public.b'))
  const gone = await sources.prepare('gone', 'postgres', configurationOf('postgres://127.0.0.1:1/none'))
  assert.equal(gone.status, 'unavailable')
})

const latest = async (state: ReadySource, sources: Sources) => ready(await sources.refresh(state))

test('what is unavailable says why', async (t) => {
  const { sources } = open(t)
  const reason = async (kind: string, database_url: unknown) => {
    const state = await sources.prepare('s', kind, { connection_info: { database_url } } as never)
    assert.equal(state.status, 'unavailable')
    return state.status === 'unavailable' && [state.reason, state.message]
  }
  assert.deepEqual(await reason('postgres', { from_env: 'NOPE' }), [
    `Inconsistent object: environment variable 'NOPE' not set`,
    undefined,
  ])
  const refused = await reason('postgres', 'postgres://127.0.0.1:1/x')
  assert.ok(
    refused && refused[0] === 'Inconsistent object: connection error' && /ECONNREFUSED/.test(String(refused[1])),
  )
  assert.deepEqual(await reason('mssql', 'x'), [
    'Inconsistent object: sources of kind "mssql" cannot be served',
    undefined,
  ])
})

test('a served source that cannot be reached is tried again until it can, and then reported', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { url } = await createTestDatabase(t)
  const environment: Record<string, string | undefined> = {}
  const { sources, observer, recovered } = open(t, environment)
  const configuration = { connection_info: { database_url: { from_env: 'DB' } } }
  const state = await sources.prepare('default', 'postgres', configuration)
  const pauses: (number | null)[] = []
  observer.subscribe((o) => o.kind === 'source-unavailable' && pauses.push(o.retryInMilliseconds))

  sources.serve(new Map([['default', state]]))
  for (let attempt = 2; attempt < 10; attempt++) {
    const tried = observer.next('source-unavailable')
    t.mock.timers.tick(60_000)
    assert.equal((await tried).attempt, attempt)
  }
  for (const [i, pause] of pauses.entries()) {
    const whole = Math.min(60_000, 1000 * 2 ** i)
    assert.ok(pause !== null && pause >= whole / 2 && pause <= whole, `${pause} after ${i} attempts`)
  }
  environment.DB = url
  const back = recovered()
  t.mock.timers.tick(60_000)
  // the client's own timer for connecting must not run out meanwhile
  const served = await back
  assert.equal((await served.connection.query(one, [])).toString(), '1')
})

test('a source whose configuration changes while it is tried again is tried again as it is now', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { url } = await createTestDatabase(t)
  const environment: Record<string, string | undefined> = {}
  const { sources, recovered } = open(t, environment)
  const from = (variable: string) => ({ connection_info: { database_url: { from_env: variable } } })
  const serve = async (variable: string) =>
    sources.serve(new Map([['default', await sources.prepare('default', 'postgres', from(variable))]]))
  await serve('BEFORE')
  await serve('NOW')
  const back = recovered()
  environment.NOW = url
  t.mock.timers.tick(60_000)
  const found = await back
  assert.deepEqual(found.configuration, from('NOW'))
  assert.equal((await found.connection.query(one, [])).toString(), '1')
})

test('a served source that is gone for a while answers again by itself', async (t) => {
  const { url } = await createTestDatabase(t)
  const { sources } = open(t)
  const state = ready(await sources.prepare('default', 'postgres', configurationOf(url)))
  sources.serve(new Map([['default', state]]))
  const database = new URL(url).pathname.slice(1)
  const server = new URL(url)
  server.pathname = '/postgres'
  await run(server.href, `ALTER DATABASE ${database} ALLOW_CONNECTIONS false`)
  await run(server.href, `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = '${database}'`)
  await assert.rejects(state.connection.query(one, []), {
    code: 'postgres-error',
    status: 500,
    message: 'connection error',
  })
  const lost = await sources.refresh(state)
  assert.ok(lost.status === 'unavailable' && /not currently accepting connections/.test(String(lost.message)))
  await run(server.href, `ALTER DATABASE ${database} ALLOW_CONNECTIONS true`)
  assert.equal((await state.connection.query(one, [])).toString(), '1')
  assert.equal((await latest(state, sources)).connection, state.connection)
})

test('a connection from which nothing is served is forgotten after a minute, and still answers a holder of its state', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { url } = await createTestDatabase(t)
  const { sources } = open(t)
  const [a, b] = [
    ready(await sources.prepare('a', 'postgres', configurationOf(url))),
    ready(await sources.prepare('b', 'postgres', configurationOf(url))),
  ]
  sources.serve(new Map([['a', a]]))
  t.mock.timers.tick(59_000)
  assert.equal((await b.connection.query(one, [])).toString(), '1')
  t.mock.timers.tick(60_000)
  assert.equal((await b.connection.query(one, [])).toString(), '1')
  assert.equal((await a.connection.query(one, [])).toString(), '1')
  const reopened = ready(await sources.refresh(b))
  assert.notEqual(reopened.connection, b.connection)
  assert.equal((await reopened.connection.query(one, [])).toString(), '1')
})
