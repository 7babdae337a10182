import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestDatabase } from '../../../../../test/postgres.ts'
import { Path } from '../../../errors.ts'
import { administrator, openSource } from '../connect/source.fixture.ts'

test('retries that are due have a quarter of what is claimed next to new events, and all that these leave', async (t) => {
  const { url } = await createTestDatabase(t)
  const run = administrator(url)
  await run('CREATE TABLE a (id int PRIMARY KEY)')
  const { source } = await openSource(t, url)
  const table = (await source.introspect(null)).tables.get('public.a')
  assert.ok(table)
  const all = { listen: '*', payload: '*' } as const
  const capture = {
    trigger: 'watch',
    table: table.table,
    columns: table.columns,
    operations: { insert: all },
    onReplication: false,
  }
  await source.openTransaction?.(Path.root, async ({ changeCapture }) =>
    changeCapture?.(
      { drop: [], archive: [], forget: false, install: [capture] },
      { stringifyNumericTypes: false },
      Path.root,
    ),
  )
  await run(`INSERT INTO a SELECT generate_series(1, 50);
    UPDATE svc_catalog.event_log SET tries = 1, next_retry_at = now() AT TIME ZONE 'UTC' - interval '1 second' * (payload->'data'->'new'->>'id')::int
    WHERE (payload->'data'->'new'->>'id')::int <= 20;
    UPDATE svc_catalog.event_log SET next_retry_at = now() AT TIME ZONE 'UTC' + interval '1 hour'
    WHERE (payload->'data'->'new'->>'id')::int = 21`)
  await source.events.beat('me')
  const claimed = async (limit: number) => {
    const events = await source.events.claim('me', ['watch'], limit)
    return {
      retries: events.filter(({ tries }) => tries > 0).length,
      fresh: events.filter(({ tries }) => tries === 0).length,
    }
  }
  assert.deepEqual(await claimed(8), { retries: 2, fresh: 6 })
  assert.deepEqual(await claimed(1), { retries: 0, fresh: 1 })
  assert.deepEqual(await claimed(24), { retries: 6, fresh: 18 })
  // new ones are left: 29 - 25
  assert.deepEqual(await claimed(8), { retries: 4, fresh: 4 })
  assert.deepEqual(await claimed(1), { retries: 1, fresh: 0 })
  assert.deepEqual(await claimed(100), { retries: 7, fresh: 0 })
  assert.deepEqual(await claimed(100), { retries: 0, fresh: 0 })
  assert.deepEqual(await source.events.claim('nobody', ['watch'], 1), [])
})
