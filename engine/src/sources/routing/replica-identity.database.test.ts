/** Which databases are read in place of a source (docs/routing.md#read-replicas): real standbys of a real primary. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import pg from 'pg'
import { type PostgresReplica, type PostgresServer, startPostgres } from '../../../../test/postgres-server.ts'
import { startTcpProxy } from '../../../../test/serving/tcp-proxy.ts'
import { openSources, portOf } from './replicas.fixture.ts'

describe('a read replica', () => {
  let primary: PostgresServer
  let standby: PostgresReplica

  const run = async (url: string, statement: string) => {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    try {
      return (await client.query(statement)).rows
    } finally {
      await client.end()
    }
  }

  before(async () => {
    primary = await startPostgres()
    standby = await primary.replica()
  })
  after(() => primary.stop())

  test('of another cluster is not read from', async (t) => {
    const { serve, observed } = openSources(t)
    const other = await startPostgres()
    t.after(() => other.stop())
    const answers = await serve(primary.url, [other.url])
    const { reason, message } = await observed('replica-left-out')
    assert.deepEqual([reason, message], ['differs', 'it is no physical copy of the source but another cluster'])
    assert.equal(await answers(), portOf(primary.url))
  })

  test('may be the source itself by another name', async (t) => {
    const { serve, observed } = openSources(t)
    const same = new URL(primary.url)
    same.hostname = 'localhost'
    await serve(primary.url, [same.href])
    await observed('replica-serving')
  })

  test('is read from where the user may not see the control file', async (t) => {
    await run(
      primary.url,
      `REVOKE EXECUTE ON FUNCTION pg_control_system(), pg_control_checkpoint() FROM public;
       CREATE ROLE app LOGIN PASSWORD 'app'`,
    )
    const asApp = (url: string) => Object.assign(new URL(url), { username: 'app', password: 'app' }).href
    while ((await run(standby.url, "SELECT FROM pg_roles WHERE rolname = 'app'")).length === 0);
    const { serve, observed } = openSources(t)
    const answers = await serve(asApp(primary.url), [asApp(standby.url)])
    await observed('replica-serving')
    assert.equal(await answers(), portOf(standby.url))
  })

  test('that was promoted is read from only while the source is away', async (t) => {
    const proxy = await startTcpProxy(primary.url)
    t.after(() => proxy.close())
    const { serve, observed } = openSources(t)
    const answers = await serve(proxy.url, [standby.url])
    await observed('replica-serving')
    await standby.promote()
    const { message } = await observed('replica-left-out')
    assert.equal(message, 'it takes writes itself, as if it was promoted')
    assert.equal(await answers(), portOf(primary.url))
    proxy.cut()
    await observed('replica-serving')
    assert.equal(await answers(), portOf(standby.url))
    proxy.mend()
    await observed('replica-left-out')
  })
})
