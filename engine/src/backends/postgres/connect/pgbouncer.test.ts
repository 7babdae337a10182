import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isPgBouncerInstalled, startPgBouncer } from '../../../../../test/pgbouncer.ts'
import { createTestDatabase } from '../../../../../test/postgres.ts'
import { unless } from '../../../../../test/requirement.ts'
import type { Observation } from '../../../observe/index.ts'
import { PostgresSource } from './postgres-source.ts'
import { settingsFor } from './settings.fixture.ts'
import { plan, refusal } from './source.fixture.ts'

const skip = unless('pgbouncer', isPgBouncerInstalled, 'needs the package pgbouncer')

test('through PgBouncer in transaction mode every query is answered rightly', { skip }, async (t) => {
  const { url } = await createTestDatabase(t)
  const poolers = [
    await startPgBouncer(url, 3, t),
    // it throws away after each transaction what a session may hold
    await startPgBouncer(url, 3, t, ['server_reset_query_always = 1']),
  ]
  const plans = Array.from({ length: 5 }, (_, i) => plan(`SELECT '${i} ' || ($1)::text`, 1))
  for (const [pooler, usePreparedStatements] of poolers.flatMap((each) => [
    [each, true] as const,
    [each, false] as const,
  ])) {
    const told: Observation[] = []
    const source = new PostgresSource(settingsFor(pooler.url, { usePreparedStatements }), (o) => told.push(o))
    for (let round = 0; round < 8; round++) {
      const asked = Array.from({ length: 50 }, (_, i) => i)
      const answers = await Promise.all(
        asked.map((i) => source.query(plans[i % plans.length] ?? plan('SELECT $1', 1), [`${round} ${i}`])),
      )
      assert.deepEqual(
        answers.map(String),
        asked.map((i) => `${i % plans.length} ${round} ${i}`),
      )
    }
    // with statements prepared their loss is noticed, and told once at most
    const off = { kind: 'prepared-statements-off', source: 'default' }
    assert.deepEqual(told, usePreparedStatements ? told.slice(0, 1).map(() => off) : [])
    await source.close()
  }
})

test('a pooler that takes fewer clients than a source may have connections is shared by all requests', {
  skip,
}, async (t) => {
  const pooler = await startPgBouncer((await createTestDatabase(t)).url, 3, t, ['max_client_conn = 2'])
  const settings = settingsFor(pooler.url, { usePreparedStatements: false, maxConnections: 10 })
  const source = new PostgresSource(settings, () => {})
  t.after(() => source.close())
  const slow = plan('SELECT pg_sleep(0.01)::text || $1', 1)
  const asked = Array.from({ length: 50 }, (_, i) => String(i))
  assert.equal((await source.query(slow, ['first'])).toString(), 'first')
  assert.deepEqual((await Promise.all(asked.map((i) => source.query(slow, [i])))).map(String), asked)
  // two of them are all it takes, and another source gets none
  const other = new PostgresSource(settings, () => {})
  t.after(() => other.close())
  const refused = {
    code: 'postgres-max-connections-error',
    status: 500,
    path: '$',
    message: 'max connections reached on postgres',
  }
  assert.deepEqual(await refusal(other.query(slow, ['x'])), refused)
})

test('a pooler that restarts under load is waited for', { skip }, async (t) => {
  const pooler = await startPgBouncer((await createTestDatabase(t)).url, 3, t)
  const source = new PostgresSource(settingsFor(pooler.url, { usePreparedStatements: false }), () => {})
  t.after(() => source.close())
  const echo = plan('SELECT $1', 1)
  let isOver = false
  const ask = async (client: number) => {
    for (let i = 0, isLast = false; !isLast; i++) {
      isLast = isOver
      assert.equal((await source.query(echo, [`${client} ${i}`])).toString(), `${client} ${i}`)
    }
  }
  await source.query(echo, ['there'])
  const clients = Promise.all(Array.from({ length: 20 }, (_, client) => ask(client)))
  try {
    for (let i = 0; i < 3; i++) await Promise.race([pooler.restart(), clients])
  } finally {
    isOver = true
  }
  await clients
})
