import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { createTestDatabase } from '../../../../test/postgres.ts'
import type { ObservationOf } from '../../observe/index.ts'
import { openSources } from '../routing/replicas.fixture.ts'
import type { SourceState } from '../source-state.ts'
import { pauseAfterCheck, pauseAfterFailure, SourceHealth } from './source-health.ts'

test('pauses fit into a timer and are never nothing', () => {
  const all = (seconds: number) => [
    pauseAfterCheck({ interval: seconds }),
    pauseAfterFailure({ retry_interval: seconds }),
  ]
  assert.deepEqual(all(30), [30_000, 30_000])
  assert.deepEqual(all(0), [1000, 100])
  assert.deepEqual(all(-5), [1000, 100])
  // 35 days: a timer would end at once
  assert.deepEqual(all(3_000_000), [2_147_483_647, 2_147_483_647])
})

const check = (sql: string, more = {}) => ({
  test: { sql },
  interval: 3600,
  retries: 0,
  retry_interval: 1,
  timeout: 10,
  ...more,
})

test('a check changes nothing, and the database ends what was given up', async (t) => {
  const { url } = await createTestDatabase(t)
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('CREATE TABLE note (id integer)')
  const { sources } = openSources(t)
  const configuration = { connection_info: { database_url: url } }
  const state = await sources.prepare('default', 'postgres', configuration)
  const checked: ((one: ObservationOf<'health-checked'>) => void)[] = []
  const health = new SourceHealth((one) => {
    if (one.kind === 'health-checked') for (const take of checked.splice(0)) take(one)
  })
  t.after(() => health.close())
  const outcomeOf = async (sql: string, more = {}) => {
    const outcome = new Promise<ObservationOf<'health-checked'>>((resolve) => checked.push(resolve))
    health.follow([{ state, check: check(sql, more) }])
    return outcome
  }

  for (const sql of [
    'INSERT INTO note VALUES (1)',
    'ROLLBACK; BEGIN; SELECT 1; INSERT INTO note VALUES (1)',
    'COMMIT; DROP TABLE note',
  ]) {
    const { status, error } = await outcomeOf(sql)
    assert.equal(status, 'ERROR', sql)
    assert.match(JSON.stringify(error), /read-only transaction/)
  }
  assert.equal((await outcomeOf('SELECT count(*) FROM note; SELECT 1')).status, 'OK')
  assert.equal((await client.query('SELECT count(*)::int AS n FROM note')).rows[0].n, 0)

  assert.equal((await outcomeOf('SELECT pg_sleep(600)', { timeout: 1 })).status, 'TIMEOUT')
  const running = `SELECT FROM pg_stat_activity WHERE query LIKE '%pg_sleep(600)%' AND pid <> pg_backend_pid()`
  while ((await client.query(running)).rowCount !== 0) await new Promise((resolve) => setTimeout(resolve, 50))
  await client.end()
})

test('a source that is configured again is checked at once, and shows nothing of the old one', async (t) => {
  // checks hold no process that has nothing else to do, and the databases go when it ends
  const held = setInterval(() => {}, 60_000)
  t.after(() => clearInterval(held))
  const [first, second] = await Promise.all([createTestDatabase(t), createTestDatabase(t)])
  const { sources } = openSources(t)
  let take: (() => void) | null = null
  const health = new SourceHealth(() => take?.())
  t.after(() => health.close())
  const [before, now] = await Promise.all(
    [first.url, second.url].map((url) =>
      sources.prepare('default', 'postgres', { connection_info: { database_url: url } }),
    ),
  )
  assert.ok(before && now)
  const follow = (state: SourceState) => {
    const checked = new Promise<void>((resolve) => {
      take = resolve
    })
    health.follow([{ state, check: check('SELECT 1') }])
    return checked
  }
  await follow(before)
  const { timestamp } = health.statuses().default ?? {}
  void follow({ ...before })
  assert.equal(health.statuses().default?.timestamp, timestamp, 'nothing is checked again that is the same')
  const anew = follow(now)
  assert.deepEqual(health.statuses(), {})
  await anew
  assert.equal(health.statuses().default?.status, 'OK')
})
