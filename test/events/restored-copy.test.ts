/** A copy of a database, made by pg_dump, whose engine has another name than the one that sends its events. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { test } from 'node:test'
import { type Engine, startEngine } from '../engine.ts'
import { startPostgres } from '../postgres-server.ts'
import { unless } from '../requirement.ts'
import { startReceiver } from './receiver.ts'

const bin = '/usr/lib/postgresql/15/bin'
const skip = unless('pg_dump', existsSync(`${bin}/pg_dump`), 'needs PostgreSQL 15 of Debian')

test('an engine of another name sends nothing of a restored copy until it adopts the catalogue', {
  skip,
}, async (t) => {
  const server = await startPostgres(bin)
  // without its database an engine tries for a minute to store what it has in hand: it is stopped first
  const engines: Engine[] = []
  t.after(async () => {
    await Promise.all(engines.map((engine) => engine.stop()))
    await server.stop()
  })
  const urlOf = (name: string) => Object.assign(new URL(server.url), { pathname: `/${name}` }).href
  const psql = (name: string, ...args: readonly string[]) =>
    execFileSync(`${bin}/psql`, ['-q', '-v', 'ON_ERROR_STOP=1', ...args, urlOf(name)])
  for (const name of ['production', 'staging']) psql('postgres', '-c', `CREATE DATABASE ${name}`)

  const receiver = await startReceiver(t)
  let accepts = false
  const accepted: string[] = []
  receiver.answer(({ body, headers }) => {
    if (!accepts) return { status: 500 }
    if (headers['x-deployment'] === 'production') accepted.push(body.id)
    return { status: 200, body: '{}' }
  })
  const start = async (name: string) => {
    const env = {
      DEPLOYMENT: name,
      SVC_GRAPHQL_EVENTING_IDENTITY: name,
      SVC_GRAPHQL_ENABLED_APIS: 'metadata,graphql,metrics',
    }
    const engine = await startEngine({ databaseUrl: urlOf(name), env }, t)
    engines.push(engine)
    return engine
  }
  const production = await start('production')
  const asked = { webhook: receiver.url, headers: [{ name: 'X-Deployment', value_from_env: 'DEPLOYMENT' }] }
  const sql = (text: string) => production.post('/v2/query', { type: 'run_sql', args: { sql: text } })
  await sql('CREATE TABLE item (id int PRIMARY KEY)')
  await production.metadata('pg_track_table', { table: 'item' })
  const retries = { num_retries: 1000, interval_sec: 1, timeout_sec: 60 }
  const trigger = { name: 'on_item', table: 'item', insert: { columns: '*' }, retry_conf: retries, ...asked }
  assert.equal((await production.metadata('pg_create_event_trigger', trigger)).status, 200)
  const oneOff = {
    schedule_at: '2020-01-01T00:00:00Z',
    event_id: 'reminder',
    retry_conf: { num_retries: 1000, retry_interval_seconds: 1, tolerance_seconds: 1e9 },
  }
  assert.equal((await production.metadata('create_scheduled_event', { ...asked, ...oneOff })).status, 200)
  const action = { kind: 'asynchronous', handler: receiver.url, output_type: 'String', headers: asked.headers }
  const created = await production.metadata('create_action', {
    name: 'ping',
    definition: { ...action, type: 'mutation' },
  })
  assert.equal(created.status, 200, created.text)
  await sql('INSERT INTO item SELECT generate_series(1, 10)')
  const attempts = (deployment: string, id?: string) =>
    receiver.received.filter((one) => one.headers['x-deployment'] === deployment && (!id || one.body.id === id))
  const idsOf = (deployment: string) => new Set(attempts(deployment).map(({ body }) => String(body.id)))
  const received = async (holds: () => boolean) => {
    while (!holds()) await receiver.next()
  }
  await received(() => idsOf('production').size === 11)

  const dump = execFileSync(`${bin}/pg_dump`, [urlOf('production')], { maxBuffer: 1e9 })
  execFileSync(`${bin}/psql`, ['-q', '-v', 'ON_ERROR_STOP=1', urlOf('staging')], { input: dump })
  const staging = await start('staging')
  assert.deepEqual(await staging.observed('eventing-withheld'), { kind: 'eventing-withheld', identity: 'staging', owner: 'production' }) // biome-ignore format: one line
  const health = await staging.get('/healthz')
  const why = 'no events are sent: the catalogue is that of "production", not of "staging"'
  assert.deepEqual([health.status, health.text], [200, `WARN: ${why}`])
  assert.match((await staging.get('/v1/metrics')).text, /^svc_eventing_withheld 1$/m)
  assert.ok(staging.log.some((line) => line.includes('svc-engine adopt-catalogue makes it that of')))
  await staging.post('/v2/query', { type: 'run_sql', args: { sql: 'INSERT INTO item VALUES (11)' } })
  assert.match(
    (await staging.post('/v1/graphql', { query: 'mutation { ping }' })).text,
    /^{"data":{"ping":"[0-9a-f-]{36}"}}$/,
  )

  // the copy has had the time for which production has tried each event twice more
  const tried = (id: string) => attempts('production', id).length
  const wanted = [...idsOf('production')].map((id) => [id, tried(id) + 2] as const)
  await received(() => wanted.every(([id, count]) => tried(id) >= count))
  accepts = true
  await received(() => new Set(accepted).size === 11)
  assert.equal(accepted.length, 11, 'each event was accepted once')
  assert.equal(attempts('staging').length, 0)
  assert.match((await production.get('/healthz')).text, /^OK$/)

  const program = new URL('../../engine/bin/svc-engine.js', import.meta.url).pathname
  const adopt = (...more: readonly string[]) =>
    execFileSync(process.execPath, [program, '--database-url', urlOf('staging'), 'adopt-catalogue', ...more], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    })
  assert.throws(() => adopt(), /adopt-catalogue needs --eventing-identity NAME/)
  assert.equal(adopt('--eventing-identity', 'staging'), 'the catalogue is that of "staging" now; it was that of "production"\n') // biome-ignore format: one line
  await staging.observed('eventing-resumed')
  // its own event, and its own action
  await received(() => attempts('staging').some(({ body }) => body.event?.data.new.id === 11))
  await received(() => attempts('staging').some(({ body }) => body.action?.name === 'ping'))
  assert.equal((await staging.get('/healthz')).text, 'OK')
})
