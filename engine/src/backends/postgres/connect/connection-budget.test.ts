import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { createTestDatabase } from '../../../../../test/postgres.ts'
import { Path } from '../../../errors.ts'
import type { SourceConnection } from '../../backend.ts'
import type { PostgresSource } from './postgres-source.ts'
import { administrator, openSource, plan, untilShared } from './source.fixture.ts'

let url: string
let administrate: ReturnType<typeof administrator>
before(async () => {
  url = (await createTestDatabase()).url
  administrate = administrator(url)
  // each login counts those of its application, itself included
  await administrate(`CREATE TABLE logins (application text, count int);
    CREATE FUNCTION count_login() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN
      INSERT INTO public.logins SELECT application_name, count(*) FROM pg_stat_activity
        WHERE application_name = current_setting('application_name') GROUP BY 1;
    END $$;
    CREATE EVENT TRIGGER count_login ON login EXECUTE FUNCTION count_login()`)
})

/** The most connections that the server ever had of that application at once, and how many it had in all. */
async function connectionsOf(application: string): Promise<readonly [most: unknown, all: unknown]> {
  const [row] = await administrate(
    `SELECT max(count)::int AS most, count(*)::int AS all FROM logins WHERE application = '${application}'`,
  )
  return [row?.most, row?.all]
}

const slow = plan(`SELECT pg_sleep(0.005)::text || $1`, 1)
const small = plan('SELECT $1', 1)

/** Everything that needs a connection, all at once. */
async function useEverything(source: SourceConnection): Promise<readonly PromiseSettledResult<unknown>[]> {
  const script = { sql: 'SELECT pg_sleep(0.005)', readOnly: true, noTransaction: false }
  return Promise.allSettled([
    ...Array.from({ length: 200 }, (_, i) => source.query(slow, [String(i)])),
    ...Array.from({ length: 200 }, (_, i) => source.query(small, [String(i)])),
    ...Array.from({ length: 10 }, () => source.explain('SELECT 1')),
    source.introspect(null),
    ...Array.from({ length: 10 }, () => source.runSql?.(script, Path.root, null)),
  ])
}

/** Small statements share one more connection from some time on. */
const useSharedConnection = (source: PostgresSource, maxConnections: number) =>
  untilShared(source, maxConnections, () => source.query(small, ['0']))

for (const isolationLevel of ['read-committed', 'repeatable-read', 'serializable'] as const)
  test(`a source never has more connections than it may, ${isolationLevel}`, async (t) => {
    const hasShared = isolationLevel === 'read-committed'
    for (const maxConnections of hasShared ? [1, 2, 7] : [4]) {
      const opened = await openSource(t, url, { maxConnections, isolationLevel })
      if (hasShared && maxConnections > 1) await useSharedConnection(opened.source, maxConnections)
      for (const { status } of await useEverything(opened.source)) assert.equal(status, 'fulfilled')
      const [most] = await connectionsOf(opened.application)
      assert.equal(most, maxConnections)
    }
  })

test('nor where connections end at their lifetimes', async (t) => {
  const opened = await openSource(t, url, { maxConnections: 4, connectionLifetime: 0.1 })
  await useSharedConnection(opened.source, 4)
  for (let i = 0; i < 3; i++)
    for (const { status } of await useEverything(opened.source)) assert.equal(status, 'fulfilled')
  const [most, all] = await connectionsOf(opened.application)
  assert.equal(most, 4)
  assert.ok(Number(all) > 12, `${all}`)
})

test('nor where clients leave and their statements are cancelled', async (t) => {
  const { source, application } = await openSource(t, url, { maxConnections: 4 })
  const endless = plan(`SELECT pg_sleep(60)::text`)
  for (let round = 0; round < 3; round++) {
    const controller = new AbortController()
    const cut = Array.from({ length: 20 }, () => source.query(endless, [], controller.signal))
    const asleep = async () =>
      (
        await administrate(
          `SELECT 1 FROM pg_stat_activity WHERE application_name = '${application}' AND wait_event = 'PgSleep'`,
        )
      ).length
    while ((await asleep()) < 3);
    controller.abort(new Error('the client left'))
    for (const { status } of await Promise.allSettled(cut)) assert.equal(status, 'rejected')
  }
  const [most] = await connectionsOf(application)
  // one of the four is for small statements, and there were none
  assert.equal(most, 3)
})

test('nor where connections are lost', async (t) => {
  const opened = await openSource(t, url, { maxConnections: 4 })
  await useSharedConnection(opened.source, 4)
  for (let round = 0; round < 3; round++) {
    const used = useEverything(opened.source)
    await opened.terminate()
    await used
  }
  const [most] = await connectionsOf(opened.application)
  assert.equal(most, 4)
})

test('a request that is aborted while it waits for a connection waits no more, and takes no other’s', async (t) => {
  const { source } = await openSource(t, url, { maxConnections: 1, poolTimeout: 20 })
  const first = source.query(plan(`SELECT pg_sleep(0.3)::text || 'first'`), [])
  const controller = new AbortController()
  const leaving = source.query(plan(`SELECT pg_notify('ran', 'x')::text`), [], controller.signal)
  const last = source.query(plan(`SELECT 'last'`), [])
  controller.abort(new Error('the client left'))
  const order: string[] = []
  await Promise.all([
    first.then((value) => order.push(value.toString())),
    last.then((value) => order.push(value.toString())),
    assert.rejects(leaving, { message: 'the client left' }).then(() => order.push('left')),
  ])
  assert.deepEqual(order, ['left', 'first', 'last'])
})
