import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import pg from 'pg'
import { createTestDatabase } from '../../../../../test/postgres.ts'
import { clientConfig } from './client-config.ts'
import type { Connection } from './client-pool.ts'
import { endClient, openClient } from './open-client.ts'
import { PreparedNames } from './prepared-names.ts'
import { settingsFor } from './settings.fixture.ts'
import { administrator } from './source.fixture.ts'
import { waitsForOthers } from './waits-for-others.ts'

let url: string
before(async () => {
  url = (await createTestDatabase()).url
  await administrator(url)('CREATE TABLE migrated (id int PRIMARY KEY)')
})

test('a backend waits for a lock and for a sleep, not while it computes or has nothing to do', async (t) => {
  const settings = settingsFor(url)
  const { client } = await openClient(settings, clientConfig(settings))
  t.after(() => endClient(client))
  const connection: Connection = {
    client,
    names: new PreparedNames(),
    expires: 0,
    idleSince: 0,
    hasShortWaits: false,
    over: false,
  }
  const [lock, other] = [new pg.Client({ connectionString: url }), new pg.Client({ connectionString: url })]
  for (const each of [lock, other]) {
    each.on('error', () => {})
    await each.connect()
    t.after(() => each.end())
  }
  const backend = Number((await other.query('SELECT pg_backend_pid() AS pid')).rows[0].pid)
  const waits = () => waitsForOthers(connection, backend)
  const begun = async (what: string) => {
    const found = () => administrator(url)(`SELECT FROM pg_stat_activity WHERE pid = ${backend} AND ${what}`)
    while ((await found()).length === 0);
  }
  const run = (script: string) => other.query(script).catch(() => {})

  assert.equal(await waits(), false, 'idle')
  await lock.query('BEGIN; LOCK TABLE migrated')
  const locked = run('SELECT FROM migrated')
  await begun(`wait_event_type = 'Lock'`)
  assert.equal(await waits(), true, 'locked')
  await lock.query('ROLLBACK')
  await locked
  assert.equal(await waits(), false, 'answered')
  const computing = run('SELECT count(*) FROM generate_series(1, 30000) a, generate_series(1, 30000) b')
  await begun(`state = 'active' AND query LIKE '%generate_series%' AND wait_event IS NULL`)
  assert.equal(await waits(), false, 'computing')
  await lock.query('SELECT pg_cancel_backend($1)', [backend])
  await computing
  const asleep = run('SELECT pg_sleep(60)')
  await begun(`wait_event = 'PgSleep'`)
  assert.equal(await waits(), true, 'asleep')
  await lock.query('SELECT pg_terminate_backend($1, 5000)', [backend])
  await asleep
  assert.equal(await waits(), true, 'a process that is not there: the server’s number is not known')
})
