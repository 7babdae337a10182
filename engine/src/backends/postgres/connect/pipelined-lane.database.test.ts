import assert from 'node:assert/strict'
import { before, type TestContext, test } from 'node:test'
import pg from 'pg'
import { createTestDatabase } from '../../../../../test/postgres.ts'
import { clientConfig } from './client-config.ts'
import { endClient, openClient } from './open-client.ts'
import { PipelinedLane, Stalled } from './pipelined-lane.ts'
import { PlanCost } from './plan-cost.ts'
import { settingsFor } from './settings.fixture.ts'
import { administrator } from './source.fixture.ts'

let url: string
before(async () => {
  url = (await createTestDatabase()).url
  await administrator(url)('CREATE TABLE migrated (id int PRIMARY KEY)')
})

const locked = { text: 'SELECT count(*)::text FROM migrated', name: 'locked', parameters: [] }
const behind = { text: `SELECT 'behind'`, name: 'behind', parameters: [] }

async function laneWhere(t: TestContext, isBlocked: () => Promise<boolean>) {
  const settings = settingsFor(url)
  const connect = async () => (await openClient(settings, clientConfig(settings))).client
  const lane = new PipelinedLane({ connect, lifetime: 0, statementsLost() {}, doubts() {}, isBlocked })
  t.after(() => lane.close())
  while (lane.load(performance.now()) !== 0) await new Promise((resolve) => setImmediate(resolve))
  const send = (statement: typeof locked) => {
    const answer = lane.send(statement, new PlanCost(false, true), performance.now())
    assert.ok(answer, 'it takes no statement')
    return answer.then(String)
  }
  const lock = new pg.Client({ connectionString: url })
  await lock.connect()
  t.after(() => lock.end())
  await lock.query('BEGIN; LOCK TABLE migrated')
  return { send, unlock: () => lock.query('ROLLBACK') }
}

test('a statement that is late because it has no processor keeps its connection, and those behind it', async (t) => {
  let asked = 0
  const { send, unlock } = await laneWhere(t, async () => {
    asked += 1
    if (asked === 5) await unlock()
    return false
  })
  assert.deepEqual(await Promise.all([send(locked), send(behind)]), ['0', 'behind'])
  assert.ok(asked >= 5)
})

for (const [what, isBlocked] of [
  ['the database says that it is blocked', async () => true],
  ['it runs on and on', async () => false],
  ['nothing is known', () => new Promise<boolean>(() => {})],
] as const)
  test(`those behind a late statement are sent elsewhere where ${what}`, async (t) => {
    const { send } = await laneWhere(t, isBlocked)
    const answers = await Promise.allSettled([send(locked), send(behind)])
    for (const answer of answers) assert.ok(answer.status === 'rejected' && answer.reason instanceof Stalled)
  })

test('a connection that is to end does so only when its last statement is answered, or given up', async (t) => {
  const settings = settingsFor(url)
  const connect = async () => (await openClient(settings, clientConfig(settings))).client
  const isBlocked = async () => true
  const lane = new PipelinedLane({ connect, lifetime: 1, statementsLost() {}, doubts() {}, isBlocked })
  t.after(() => lane.close())
  while (lane.load(performance.now()) !== 0) await new Promise((resolve) => setImmediate(resolve))
  const { client: other } = await openClient(settings, clientConfig(settings))
  t.after(() => endClient(other))
  const lock = new pg.Client({ connectionString: url })
  await lock.connect()
  t.after(() => lock.end())
  await lock.query('BEGIN; LOCK TABLE migrated')
  const cost = new PlanCost(false, true)
  const answers = [lane.send(locked, cost, performance.now()), lane.send(behind, cost, performance.now())]
  // its time is over, so it is left
  lane.load(performance.now() + 2000)
  for (const { status, reason } of (await Promise.allSettled(answers)) as readonly PromiseRejectedResult[])
    assert.deepEqual([status, reason instanceof Stalled], ['rejected', true])
})
