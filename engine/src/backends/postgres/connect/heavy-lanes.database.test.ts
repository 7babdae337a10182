import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestDatabase } from '../../../../../test/postgres.ts'
import type { CompiledQuery } from '../../backend.ts'
import { openSource, plan } from './source.fixture.ts'

/** Tells which backend ran it, after counting so far. */
const counting = (to: number) =>
  plan(`SELECT pg_backend_pid()::text WHERE (SELECT count(*) FROM generate_series(1, ${to})) >= 0`)

test('small statements share one backend, and the heavier of them two others, within what the source may have', async (t) => {
  const { source, connections, terminate } = await openSource(t, (await createTestDatabase(t)).url, {
    maxConnections: 12,
  })
  const backends = async (asked: CompiledQuery, times: number) =>
    new Set((await Promise.all(Array.from({ length: times }, () => source.query(asked, [])))).map(String))
  const light = counting(1)
  // one of these takes what is meant here, whatever the machine
  const heavier = Array.from({ length: 12 }, (_, i) => counting(Math.round(200 * 1.4 ** i)))
  let seen: readonly (readonly string[])[] = []
  const areSpread = async () => {
    const lane = await backends(light, 20)
    const all = []
    for (const each of heavier) all.push(await backends(each, 20))
    seen = [lane, ...all].map((pids) => [...pids])
    return lane.size === 1 && all.some((pids) => pids.size === 2 && !pids.has([...lane].join()))
  }
  for (let round = 0; !(await areSpread()); round++) assert.ok(round < 100, JSON.stringify(seen))
  // all others are wanted too
  const slow = plan('SELECT pg_backend_pid()::text || pg_sleep(0.1)')
  for (let round = 0; (await backends(slow, 50)).size < 9; round++) assert.ok(round < 100)
  await backends(slow, 50)
  assert.equal((await connections()).length, 12)
  // whatever is lost is sent again
  const asked = Promise.all(heavier.map((each) => backends(each, 20)))
  await terminate()
  await asked
  for (const each of heavier) await backends(each, 20)
})
