import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type PostgresServer, startPostgres } from '../../../../../test/postgres-server.ts'
import { ApiError } from '../../../errors.ts'
import type { CompiledQuery, SourceConnection } from '../../backend.ts'
import { administrator, openSource, plan, refusal, untilShared } from './source.fixture.ts'

let server: PostgresServer
let administrate: ReturnType<typeof administrator>
before(async () => {
  server = await startPostgres()
  administrate = administrator(server.url)
  await administrate(`CREATE TABLE calls (n serial);
    CREATE FUNCTION called() RETURNS text VOLATILE LANGUAGE sql
      AS $$ INSERT INTO calls DEFAULT VALUES RETURNING n::text || pg_sleep(0.002)::text $$`)
})
after(() => server.stop())

const small = plan('SELECT $1', 1)
const slow = plan('SELECT pg_sleep(0.002)::text || $1', 1)
const volatile = { ...plan('SELECT called()'), effects: 'unknown' as const }

interface Counts {
  readonly volatile: number
  /** Of the volatile ones, how many were not answered. */
  readonly lost: number
  /** Answered. */
  readonly others: number
  /** Not answered. */
  readonly refused: number
}

const lost = { code: 'postgres-error', status: 500, path: '$', message: 'connection error' }

/**
 * Clients that ask without a pause until `disturb` is done and each asked once more. Whatever is answered must be answered
 * rightly.
 */
async function askWhile(source: SourceConnection, disturb: (soFar: () => Counts) => Promise<void>): Promise<Counts> {
  let isOver = false
  const counts = { volatile: 0, lost: 0, others: 0, refused: 0 }
  const askVolatile = async () => {
    counts.volatile += 1
    try {
      await source.query(volatile, [])
    } catch (error) {
      counts.lost += 1
      assert.deepEqual(await refusal(Promise.reject(error)), lost)
    }
  }
  const askOther = async (query: CompiledQuery, mark: string) => {
    try {
      assert.equal((await source.query(query, [mark])).toString(), mark)
      counts.others += 1
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      counts.refused += 1
      assert.deepEqual(await refusal(Promise.reject(error)), lost)
    }
  }
  const ask = async (client: number) => {
    for (let i = 0, isLast = false; !isLast; i++) {
      isLast = isOver
      const mark = `${client} ${i}`
      if (client % 3 === 0) await askVolatile()
      else await askOther(client % 3 === 1 ? small : slow, mark)
    }
  }
  const clients = Array.from({ length: 30 }, (_, client) => ask(client))
  try {
    await Promise.race([disturb(() => counts), Promise.all(clients)])
  } finally {
    isOver = true
  }
  await Promise.all(clients)
  return counts
}

const rowsOfCalls = async () => Number((await administrate('SELECT count(*) AS rows FROM calls'))[0]?.rows)

for (const [what, which] of [
  ['every connection is', ''],
  ['the connection that small queries share is', `AND query = 'SELECT $1'`],
] as const)
  test(`when ${what} terminated under load, only what a volatile function was asked is lost`, async (t) => {
    const opened = await openSource(t, server.url, { maxConnections: 8 })
    await untilShared(opened.source, 8, () => opened.source.query(small, ['0']))
    const before = await rowsOfCalls()
    let terminated = 0
    const counts = await askWhile(opened.source, async (soFar) => {
      for (let round = 1; round <= 3; round++)
        for (const { others } = soFar(); soFar().others < others + 50 || terminated < round; )
          terminated += (
            await administrate(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
              WHERE application_name = '${opened.application}' ${which}`)
          ).length
    })
    assert.equal(counts.refused, 0)
    const rows = (await rowsOfCalls()) - before
    assert.ok(rows <= counts.volatile && rows >= counts.volatile - counts.lost, 'it was called again')
  })

for (const mode of ['fast', 'immediate'] as const)
  test(`after a restart of the database under load (${mode}) the engine reconnects, and only calls of volatile functions are lost`, async (t) => {
    const { source } = await openSource(t, server.url, { maxConnections: 8 })
    await source.query(small, ['there'])
    const before = await rowsOfCalls()
    const started = performance.now()
    const counts = await askWhile(source, async () => {
      await server.restart(mode)
      await server.restart(mode)
    })
    // on a machine so busy that both take longer than anybody is made to wait, some may be refused
    if (performance.now() - started < 5000) assert.equal(counts.refused, 0)
    const rows = (await rowsOfCalls()) - before
    assert.ok(rows <= counts.volatile, 'it was called again')
    if (mode === 'fast') assert.ok(rows >= counts.volatile - counts.lost)
  })

test('a database that remains unavailable is waited for once, not by every request', async (t) => {
  const apart = await startPostgres()
  const { source } = await openSource(t, apart.url)
  assert.equal((await source.query(small, ['there'])).toString(), 'there')
  await apart.stop()
  const gone = { code: 'postgres-error', status: 500, path: '$', message: 'connection error' }
  assert.deepEqual(await refusal(source.query(small, ['gone'])), gone)
  const started = performance.now()
  for (let i = 0; i < 20; i++) assert.deepEqual(await refusal(source.query(small, ['gone'])), gone)
  // each for itself would take 100 seconds
  assert.ok(performance.now() - started < 20_000)
})
