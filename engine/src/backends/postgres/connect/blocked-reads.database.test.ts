import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import pg from 'pg'
import { createTestDatabase } from '../../../../../test/postgres.ts'
import type { CompiledQuery } from '../../backend.ts'
import type { PostgresSource } from './postgres-source.ts'
import { administrator, openSource, plan, untilShared } from './source.fixture.ts'

let url: string
let administrate: ReturnType<typeof administrator>
before(async () => {
  url = (await createTestDatabase()).url
  administrate = administrator(url)
  await administrate('CREATE TABLE migrated (id int PRIMARY KEY); CREATE TABLE other (id int PRIMARY KEY)')
})

const other = plan(`SELECT count(*)::text || ' ' || $1 FROM other`, 1)
const migrated = Array.from({ length: 6 }, (_, i) => plan(`SELECT count(*)::text || '${i}' FROM migrated`))
const asleep = plan(`SELECT 'slept' || pg_sleep(CASE $1 WHEN '0' THEN 0 ELSE 60 END)::text`, 1)

const waitingFor = async (event: string) =>
  (
    await administrate(
      `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event = '${event}'`,
    )
  ).length

const makeSmall = (source: PostgresSource, statement: CompiledQuery, parameters: readonly string[], most: number) =>
  untilShared(source, most, () => source.query(statement, parameters))

for (const maxConnections of [4, 10])
  test(`a locked table does not delay reads of other tables, with ${maxConnections} connections`, async (t) => {
    const { source } = await openSource(t, url, { maxConnections })
    await makeSmall(source, other, [''], maxConnections)
    for (const each of migrated.slice(0, maxConnections - 2)) await makeSmall(source, each, [], maxConnections)
    const lock = new pg.Client({ connectionString: url })
    await lock.connect()
    await lock.query('BEGIN; LOCK TABLE migrated')
    let isLocked = true
    const blocked: Promise<unknown>[] = []
    const read = async (i: number) => {
      assert.equal(String(await source.query(other, [String(i)])), `0 ${i}`)
    }
    try {
      for (const each of migrated.slice(0, maxConnections - 2)) {
        blocked.push(
          source.query(each, []).then((answer) => assert.deepEqual([isLocked, String(answer)[0]], [false, '0'])),
        )
        // they come behind it, at once and later
        await Promise.all(Array.from({ length: 50 }, (_, i) => read(i)))
      }
      while ((await waitingFor('relation')) < blocked.length);
      for (let i = 0; i < 200; i++) await read(i)
    } finally {
      isLocked = false
      await lock.end()
    }
    await Promise.all(blocked)
  })

test('a statement of a shared connection whose client leaves is cancelled, and no other', async (t) => {
  const { source } = await openSource(t, url, { maxConnections: 3 })
  await makeSmall(source, asleep, ['0'], 3)
  await makeSmall(source, other, [''], 3)
  const client = new AbortController()
  const left = assert.rejects(source.query(asleep, ['1'], client.signal), { message: 'left' })
  const behind = source.query(other, ['x'])
  while ((await waitingFor('PgSleep')) === 0);
  client.abort(new Error('left'))
  await left
  assert.equal(String(await behind), '0 x')
  while ((await waitingFor('PgSleep')) > 0);
})

test('what is slow for some parameters costs those behind it little, and is answered', async (t) => {
  const { source } = await openSource(t, url, { maxConnections: 10 })
  const slow = plan(`SELECT 'slept' || pg_sleep(($1)::float)::text`, 1)
  await makeSmall(source, slow, ['0'], 10)
  await makeSmall(source, other, [''], 10)
  let isAnswered = false
  const answer = source.query(slow, ['0.5']).then((text) => {
    isAnswered = true
    return String(text)
  })
  await Promise.all(Array.from({ length: 150 }, (_, i) => source.query(other, [String(i)])))
  assert.equal(isAnswered, false)
  assert.equal(await answer, 'slept')
})
