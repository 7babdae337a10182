/** A read replica by way of PgBouncer in transaction mode (docs/routing.md#read-replicas). */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import pg from 'pg'
import { isPgBouncerInstalled, type PgBouncer, startPgBouncer } from '../../../../test/pgbouncer.ts'
import { type PostgresReplica, type PostgresServer, startPostgres } from '../../../../test/postgres-server.ts'
import { unless } from '../../../../test/requirement.ts'
import { openSources, portOf } from './replicas.fixture.ts'

const skip = unless('pgbouncer', isPgBouncerInstalled, 'needs the package pgbouncer')

describe('a read replica behind PgBouncer', { skip }, () => {
  let primary: PostgresServer
  let standby: PostgresReplica
  const run = async (url: string, script: string) => {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    const { rows } = await client.query(script)
    await client.end()
    return rows
  }

  before(async () => {
    primary = await startPostgres()
    standby = await primary.replica()
  })
  after(() => primary.stop())

  test('is asked, and its lag is measured, however many ask at a time', async (t) => {
    const pooler = await startPgBouncer(standby.url, 3, t)
    const { serve, observed, seen } = openSources(t, { replicas: { checkInterval: 50, maxLag: 200 } })
    const answers = await serve(primary.url, [pooler.url])
    await observed('replica-serving')
    const ports = await Promise.all(Array.from({ length: 200 }, answers))
    assert.deepEqual(new Set(ports), new Set([portOf(standby.url)]))
    await run(standby.url, 'SELECT pg_wal_replay_pause()')
    await run(primary.url, 'CREATE TABLE note (id integer)')
    assert.equal((await observed('replica-left-out')).reason, 'lagging')
    assert.equal(await answers(), portOf(primary.url))
    await run(standby.url, 'SELECT pg_wal_replay_resume()')
    await observed('replica-serving')
    assert.equal(await answers(), portOf(standby.url))
    assert.deepEqual(
      seen.filter(({ kind }) => kind === 'replica-read-moved').map((o) => o),
      [],
    )
  })

  test('that does not know a table is used again once it does', async (t) => {
    const pooler = await startPgBouncer(standby.url, 3, t)
    const { serve, observed, sources } = openSources(t)
    await serve(primary.url, [pooler.url])
    await observed('replica-serving')
    await run(standby.url, 'SELECT pg_wal_replay_pause()')
    await run(primary.url, "CREATE TABLE late AS SELECT 'late' AS text")
    const state = await sources.prepare('default', 'postgres', {
      connection_info: { database_url: primary.url },
      read_replicas: [{ database_url: pooler.url }],
    })
    const reads = state.status === 'ready' ? state.routing?.reads({ to: 'default' }, {}) : null
    const statement = { text: 'SELECT text FROM late', slots: [], effects: 'none' } as const
    assert.equal(String(await reads?.query(statement, [])), 'late')
    assert.equal((await observed('replica-left-out')).reason, 'differs')
    await run(standby.url, 'SELECT pg_wal_replay_resume()')
    await observed('replica-serving')
    assert.equal(String(await reads?.query(statement, [])), 'late')
  })

  test('that is unavailable, or whose pooler is, is left out, fails no read and is used again', async (t) => {
    const pooler: PgBouncer = await startPgBouncer(standby.url, 3, t, ['server_login_retry = 1'])
    const { serve, observed } = openSources(t)
    const answers = await serve(primary.url, [pooler.url])
    await observed('replica-serving')
    await standby.stop('immediate')
    assert.equal(await answers(), portOf(primary.url))
    assert.equal((await observed('replica-left-out')).reason, 'unreachable')
    await standby.start()
    await observed('replica-serving')
    assert.equal(await answers(), portOf(standby.url))
    await pooler.restart()
    assert.ok([portOf(primary.url), portOf(standby.url)].includes(await answers()))
  })
})
