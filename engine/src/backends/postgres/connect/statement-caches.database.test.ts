import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestDatabase } from '../../../../../test/postgres.ts'
import { openSource, plan } from './source.fixture.ts'

/** Per connection, and one more where the oldest is closed together with the next. */
const most = 201

test('however many plans there are, each connection keeps a few hundred statements prepared', async (t) => {
  const { source, connections } = await openSource(t, (await createTestDatabase(t)).url, { maxConnections: 2 })
  const held = plan('SELECT pg_backend_pid() || $1 || (SELECT count(*) FROM pg_prepared_statements)', 1)
  const counts = new Map<string, number>()
  const look = async () => {
    const [pid = '', count] = (await source.query(held, [' '])).toString().split(' ')
    counts.set(pid, Math.max(counts.get(pid) ?? 0, Number(count)))
  }
  // each on the pool at first, and then on the connection that small statements share
  const plans = Array.from({ length: 300 }, (_, i) => plan(`SELECT $1 || '${i}'`, 1))
  for (let round = 0; round < 6; round++)
    for (const [i, each] of plans.entries()) {
      assert.equal((await source.query(each, ['x'])).toString(), `x${i}`)
      if (i % 100 === 99) await look()
    }
  assert.equal((await connections()).length, 2)
  for (let i = 0; i < 2000; i += 100) {
    const once = Array.from({ length: 100 }, (_, j) => source.query(plan(`SELECT $1 || '${i + j}'`, 1), ['y']))
    assert.equal((await Promise.all(once)).length, 100)
    await look()
  }
  assert.equal(counts.size, 2, 'both were looked at')
  for (const count of counts.values()) assert.ok(count > 100 && count <= most, `${count}`)
})
