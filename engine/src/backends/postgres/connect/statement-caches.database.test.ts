import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestDatabase } from '../../../../../test/postgres.ts'
import type { CompiledQuery } from '../../backend.ts'
import { openSource, plan } from './source.fixture.ts'

/** Per connection, and one more where the oldest is closed together with the next. */
const most = 201

test('however many plans there are, each connection keeps a few hundred statements prepared', async (t) => {
  const { source, connections } = await openSource(t, (await createTestDatabase(t)).url, { maxConnections: 2 })
  const count = `CASE $1 WHEN 'count' THEN (SELECT count(*) FROM pg_prepared_statements) ELSE 0 END`
  // one takes too long for the connection that small statements share; the other is small until it counts
  const slow = plan(`SELECT pg_backend_pid() || ' ' || ${count} || pg_sleep(0.002)`, 1)
  const small = plan(`SELECT pg_backend_pid() || ' ' || ${count}`, 1)
  const look = async (counting: CompiledQuery, what = 'count') => {
    const [pid, counted] = (await source.query(counting, [what])).toString().split(' ').map(Number)
    return { pid, counted: counted ?? 0 }
  }
  const inPool = () => look(slow)
  const { pid: pooled } = await inPool()
  const inLane = async () => {
    for (let tries = 0; tries < 1000; tries++)
      if ((await look(small, '')).pid !== pooled) {
        const looked = await look(small)
        if (looked.pid !== pooled) return looked
      }
    throw new Error('a small statement never left the pool')
  }

  // each on the pool at first, and then on the connection that small statements share
  const plans = Array.from({ length: 300 }, (_, i) => plan(`SELECT $1 || '${i}'`, 1))
  const highest = { pool: 0, lane: 0 }
  for (let round = 0; round < 6 || (round < 100 && highest.lane <= 100); round++)
    for (const [i, each] of plans.entries()) {
      assert.equal((await source.query(each, ['x'])).toString(), `x${i}`)
      if (i % 100 === 99) highest.lane = Math.max(highest.lane, (await inLane()).counted)
    }
  assert.equal((await connections()).length, 2)
  for (let i = 0; i < 2000; i += 100) {
    const once = Array.from({ length: 100 }, (_, j) => source.query(plan(`SELECT $1 || '${i + j}'`, 1), ['y']))
    assert.equal((await Promise.all(once)).length, 100)
    highest.pool = Math.max(highest.pool, (await inPool()).counted)
  }
  for (const each of Object.values(highest)) assert.ok(each > 100 && each <= most, JSON.stringify(highest))
})
