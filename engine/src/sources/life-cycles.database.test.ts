/** Connections of sources, replicas and connection sets: opened when needed, ended when nothing is served from them. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import pg from 'pg'
import { createTestDatabase } from '../../../test/postgres.ts'
import { openSources } from './routing/replicas.fixture.ts'
import type { ReadySource } from './source-state.ts'

const statement = { text: `SELECT '1'`, slots: [], effects: 'none' } as const

/** A database, and how many connections of the engine it has. */
async function watched(t: TestContext) {
  const { url } = await createTestDatabase(t)
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  client.on('error', () => {})
  t.after(() => client.end())
  const counting = `SELECT count(*)::int AS n FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'`
  const connections = async () => (await client.query(counting)).rows[0].n as number
  const atMost = async (most: number) => {
    while ((await connections()) > most) await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return { url, client, connections, atMost }
}

const prepared = async (sources: ReturnType<typeof openSources>['sources'], name: string, url: string, more = {}) => {
  const state = await sources.prepare(name, 'postgres', { connection_info: { database_url: url }, ...more })
  assert.equal(state.status, 'ready', JSON.stringify(state.status === 'unavailable' && state.message))
  return state as ReadySource
}

test('a configuration that fails does not change the connection of the source that is served', async (t) => {
  const { url } = await watched(t)
  const { sources } = openSources(t)
  const state = await prepared(sources, 'default', url)
  sources.serve(new Map([['default', state]]))
  const odd = { connection_info: { database_url: url }, read_replicas: [{ database_url: 'not a URL' }] }
  assert.equal((await sources.prepare('default', 'postgres', odd)).status, 'unavailable')
  assert.equal(String(await state.connection.query(statement, [])), '1')
})

test('sources that come and go, with replicas and members, leave no connection', async (t) => {
  const { url, atMost } = await watched(t)
  const { sources, seen } = openSources(t)
  const pool = (size: number) => ({ database_url: url, pool_settings: { max_connections: size } })
  const handles = () => process.getActiveResourcesInfo().filter((one) => one === 'TCPSocketWrap').length
  const before = handles()
  for (let i = 0; i < ROUNDS; i++) {
    const state = await prepared(sources, `s${i}`, url, {
      read_replicas: [pool(2)],
      connection_set: [{ name: 'm', connection_info: pool(3) }],
      connection_template: { template: '{{ $.connection_set.m }}' },
    })
    sources.serve(new Map([[`s${i}`, state]]))
    await state.routing?.reads({ to: 'default' }, {}).query(statement, [])
    await state.routing?.reads({ to: 'connection_set', member: 'm' }, {}).query(statement, [])
    sources.serve(new Map())
  }
  await atMost(0)
  while (handles() > before) await new Promise((resolve) => setTimeout(resolve, 20))
  assert.ok(seen.every(({ kind }) => kind !== 'source-lost'))
})

/** 200 leave nothing either. */
const ROUNDS = Number(process.env.ROUNDS ?? 10)

test('a pool that was tried and is not served is idle soon, and is closed also while other sources change constantly', async (t) => {
  const tried = await watched(t)
  const other = await watched(t)
  const { sources } = openSources(t)
  const state = await prepared(sources, 'tried', tried.url)
  const served = await prepared(sources, 'served', other.url)
  let done = false
  const resting = tried.atMost(0).then(() => {
    done = true
  })
  while (!done) {
    sources.serve(new Map([['served', served]]))
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  await resting
  assert.equal(String(await served.connection.query(statement, [])), '1')
  assert.equal(String(await state.connection.query(statement, [])), '1')
})

test('what is served a long time after it was prepared answers, and is ended when it is served no more', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { url, client } = await watched(t)
  const { sources } = openSources(t)
  const state = await prepared(sources, 'late', url, {
    connection_set: [{ name: 'm', connection_info: { database_url: url } }],
    connection_template: { template: '{{ $.connection_set.m }}' },
  })
  // a bulk with SQL that takes long, say
  t.mock.timers.tick(1000)
  t.mock.timers.tick(120_000)
  sources.serve(new Map([['late', state]]))
  const member = () => state.routing?.reads({ to: 'connection_set', member: 'm' }, {}).query(statement, [])
  assert.equal(String(await state.connection.query(statement, [])), '1')
  assert.equal(String(await member()), '1')
  t.mock.timers.tick(120_000)
  assert.equal(String(await member()), '1')
  sources.serve(new Map())
  const counting = `SELECT FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'`
  while (((await client.query(counting)).rowCount ?? 0) > 0);
})
