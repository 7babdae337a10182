import assert from 'node:assert/strict'
import { before, suite, test } from 'node:test'
import { createTestDatabase } from '../../../../../test/postgres.ts'
import type { Statement } from '../../backend.ts'
import { administrator, openSource } from '../connect/source.fixture.ts'
import { prepareEventTables } from './catalogue.ts'
import { backlogStatement, eventsStatement, failedStatement } from './log-statements.ts'

suite('a log of 30,000 events', async () => {
  let run: ReturnType<typeof administrator>
  let url: string
  before(async () => {
    url = (await createTestDatabase()).url
    run = administrator(url)
    await prepareEventTables(async ({ text, slots }) => {
      await run(slots.reduce<string>((sql, value, at) => sql.replace(`$${at + 1}`, `'${value}'`), text))
      return []
    })
    await run(`INSERT INTO svc_catalog.event_log
        (schema_name, table_name, trigger_name, payload, delivered, error, created_at, locked, next_retry_at)
      SELECT 'public', 'a', CASE WHEN n % 2 = 0 THEN 'even' ELSE 'odd' END, '{}', n > 14, n BETWEEN 11 AND 14,
        now() - interval '1 minute' * CASE n WHEN 1 THEN 600 WHEN 2 THEN 60 ELSE n / 10000.0 END,
        CASE WHEN n = 5 THEN now() END, CASE WHEN n = 7 THEN now() + interval '1 hour' END
      FROM generate_series(1, 30000) AS n;
      ANALYZE svc_catalog.event_log`)
  })

  test('is counted by trigger: what waits, since when, and what was given up', async (t) => {
    const { source } = await openSource(t, url)
    const found = await source.events.backlog(['even', 'none', 'odd'])
    assert.deepEqual(
      found.map(({ trigger, pending, oldest, dead }) => [trigger, pending, Math.floor(oldest / 60 / 30), dead]),
      [
        ['even', 5, 2, 2],
        ['none', 0, 0, 0],
        ['odd', 5, 20, 2],
      ],
    )
  })

  test('is not read as a whole for that, nor to list what failed', async () => {
    const plans = async ({ text }: Statement, ...values: readonly string[]) => {
      const sql = values.reduce((bound, value, at) => bound.replaceAll(`$${at + 1}::`, `'${value}'::`), text)
      return JSON.stringify(await run(`EXPLAIN ${sql}`))
    }
    const statements = [
      await plans(backlogStatement, '{even,odd}'),
      await plans(failedStatement, '{even,odd}'),
      await plans(eventsStatement({ status: 'error', since: null }), 'even', '10', '0'),
      await plans(eventsStatement({ status: null, since: '2030-01-01T00:00:00Z' }), 'even', '10', '0', '2030-01-01Z'),
    ]
    for (const plan of statements) assert.doesNotMatch(plan, /Seq Scan on event_log/)
    assert.match(statements[1] ?? '', /event_log_failed/)
    assert.match(statements[2] ?? '', /event_log_failed/)
  })

  test('of an older engine has no count of what failed', async (t) => {
    await run(`UPDATE svc_catalog.svc_source_catalog_version SET version = '1'`)
    const { source } = await openSource(t, url)
    assert.deepEqual(
      (await source.events.backlog(['odd'])).map(({ dead }) => dead),
      [null],
    )
  })
})
