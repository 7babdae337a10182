import assert from 'node:assert/strict'
import { before, type TestContext, test } from 'node:test'
import { createTestDatabase } from '../../../../../test/postgres.ts'
import { ClientPool } from './client-pool.ts'
import { settingsFor } from './settings.fixture.ts'

let url: string
before(async () => {
  url = (await createTestDatabase()).url
})

/** The milliseconds that one waits who comes when the first ten are in use, where statements take so many times as long. */
async function millisecondsForOneMore(t: TestContext, times: number): Promise<number> {
  const pool = new ClientPool(settingsFor(url), 20, () => {})
  const used = await Promise.all(Array.from({ length: 10 }, () => pool.acquire()))
  t.after(async () => {
    for (const connection of used) pool.release(connection)
    await pool.end()
  })
  for (let i = 0; i < 100; i++) pool.tookTimes(times)
  const started = performance.now()
  used.push(await pool.acquire())
  return performance.now() - started
}

test('one more connection is opened late where statements wait for each other in the database', async (t) => {
  assert.ok((await millisecondsForOneMore(t, 5)) >= 100)
  // a busy machine may take its time for one of them
  let least = Number.POSITIVE_INFINITY
  for (let i = 0; i < 20 && least >= 100; i++) least = Math.min(least, await millisecondsForOneMore(t, 1))
  assert.ok(least < 100, `${least} ms`)
})

test('a connection is taken unchecked only where it was in use since then', async (t) => {
  const pool = new ClientPool(settingsFor(url), 2, () => {})
  t.after(() => pool.end())
  const connection = await pool.acquire()
  const before = performance.now()
  assert.equal(pool.take(false, before), null)
  pool.release(connection)
  const after = performance.now()
  assert.equal(pool.take(false, after + 1), null)
  assert.equal(pool.take(false, before), connection)
  pool.release(connection)
})

test('one that was idle before is not taken unchecked in place of one that has expired', async (t) => {
  const pool = new ClientPool(settingsFor(url), 2, () => {})
  t.after(() => pool.end())
  const [older, newer] = await Promise.all([pool.acquire(), pool.acquire()])
  pool.release(older)
  const since = performance.now() + 0.01
  while (performance.now() < since);
  pool.release(newer)
  Object.assign(newer, { expires: 0 })
  assert.equal(pool.take(false, since), null)
  assert.equal(pool.take(), older)
  pool.release(older)
})
