import assert from 'node:assert/strict'
import { suite, type TestContext, test } from 'node:test'
import { startSqlServerDouble } from '../../../../../test/sql-server/sql-server-double.ts'
import { Path } from '../../../errors.ts'
import type { Capture, CaptureChange, EventStore, LogStatus } from '../../event-store.ts'
import { connect } from '../connect/connect.ts'
import { sourceSettings } from '../connect/source-settings.ts'
import { systemType } from '../types/known-types.ts'

const capture: Capture = {
  trigger: 'watch',
  table: { schema: 'dbo', name: 'author' },
  columns: [{ name: 'id', type: systemType('int') }],
  key: ['id'],
  operations: { insert: { listen: '*', payload: '*' } },
  onReplication: true,
}
const nothing: CaptureChange = { drop: [], archive: [], forget: false, install: [] }

async function begin(t: TestContext) {
  const server = await startSqlServerDouble(t)
  await server.run('CREATE TABLE author (id int NOT NULL PRIMARY KEY)')
  const settings = sourceSettings(
    'ms',
    { connection_info: { connection_string: server.connectionString } },
    { environment: {}, defaults: { usePreparedStatements: true } },
  )
  const source = await connect(settings)
  t.after(() => source.close())
  const events = source.events as EventStore
  const change = (changes: Partial<CaptureChange>) =>
    source.openTransaction?.(Path.root, async (transaction) => {
      await transaction.changeCapture?.({ ...nothing, ...changes }, { stringifyNumericTypes: false }, Path.root)
    })
  return { server, source, events, change }
}

suite('the events of a SQL Server source', () => {
  test('have no tables until the first trigger, and none after the last', async (t) => {
    const { events, change } = await begin(t)
    assert.equal(await events.isPrepared(), false)
    await change({ install: [capture] })
    assert.equal(await events.isPrepared(), true)
    await change({ install: [capture] })
    await change({ drop: [{ trigger: 'watch', operations: ['insert'] }], archive: ['watch'], forget: true })
    assert.equal(await events.isPrepared(), false)
  })

  test('are handed out to one instance each, and recorded once', async (t) => {
    const { events, change } = await begin(t)
    await change({ install: [capture] })
    await events.beat('a')
    await events.beat('b')
    const event = { trigger: 'watch', table: capture.table, sessionVariables: null, traceContext: null }
    const ids = [
      await events.invoke({ ...event, payload: '{"big":9007199254740993}' }),
      await events.invoke({ ...event, payload: '2' }),
    ]
    assert.deepEqual(await events.claim('unknown', ['watch'], 10), [])
    const [claimed] = await events.claim('a', ['watch'], 1)
    assert.ok(claimed && ids.includes(claimed.id))
    const others = await events.claim('b', ['watch'], 10)
    assert.deepEqual([claimed.id, ...others.map(({ id }) => id)].sort(), ids.toSorted())
    assert.deepEqual(
      [claimed, ...others].map(({ data, operation, tries }) => [data, operation, tries]).sort(),
      [
        ['{"old":null,"new":2}', 'MANUAL', 0],
        ['{"old":null,"new":{"big":9007199254740993}}', 'MANUAL', 0],
      ].sort(),
    )
    assert.equal(await events.redeliver(claimed.id), 'busy')
    const invocation = { status: 200, request: '{}', response: '{}' }
    const outcome = { id: claimed.id, trigger: 'watch', next: { kind: 'delivered' }, invocation } as const
    await events.record('b', [outcome])
    assert.equal((await events.event(claimed.id, page))?.event.delivered, false)
    await events.record('a', [outcome])
    const logged = await events.event(claimed.id, page)
    assert.equal(logged?.event.delivered, true)
    assert.equal(logged?.event.tries, 1)
    assert.deepEqual(
      logged?.invocations.map(({ status }) => status),
      [200],
    )
    assert.match(String(logged?.event.created_at), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/)
    assert.equal(await events.redeliver(claimed.id), 'done')
    assert.equal(await events.redeliver('no-id'), 'not-found')
  })

  test('of an instance that is dead are handed out again', async (t) => {
    const { events, change } = await begin(t)
    await change({ install: [capture] })
    await events.beat('a')
    const others = await events.beat('b')
    await events.invoke({
      trigger: 'watch',
      table: capture.table,
      payload: '1',
      sessionVariables: null,
      traceContext: null,
    })
    assert.equal((await events.claim('a', ['watch'], 10)).length, 1)
    assert.equal((await events.claim('b', ['watch'], 10)).length, 0)
    assert.equal(await events.freeDead(others), 1)
    const [again] = await events.claim('b', ['watch'], 10)
    assert.ok(again)
    assert.equal(await events.release('b', [again.id]), 0)
    assert.equal(await events.release('b', []), 1)
    await events.record('b', [{ id: again.id, trigger: 'watch', next: { kind: 'failed' }, invocation: null }])
    await events.leave('b')
  })

  test('wait for their next attempt, and are cleaned when they are over', async (t) => {
    const { events, change, server } = await begin(t)
    await change({ install: [capture] })
    await events.beat('a')
    const id = await events.invoke({
      trigger: 'watch',
      table: capture.table,
      payload: '1',
      sessionVariables: null,
      traceContext: null,
    })
    await events.claim('a', ['watch'], 10)
    const invocation = { status: null, request: '{}', response: '{}' }
    await events.record('a', [{ id, trigger: 'watch', next: { kind: 'retry', seconds: 3600 }, invocation }])
    assert.deepEqual(await events.claim('a', ['watch'], 10), [])
    await server.run("UPDATE [svc_catalog].[event_log] SET [next_retry_at] = '2000-01-01T00:00:00+00:00'")
    assert.equal((await events.claim('a', ['watch'], 10)).length, 1)
    await events.record('a', [{ id, trigger: 'watch', next: { kind: 'failed' }, invocation }])
    const countOf = async (status: LogStatus, since: string | null = null) =>
      (await events.events('watch', { status, since }, page)).length
    assert.deepEqual([await countOf('processed'), await countOf('delivered'), await countOf('error')], [1, 0, 1])
    assert.deepEqual(
      [await countOf('error', '2000-01-01T00:00:00Z'), await countOf('error', '2100-01-01T00:00:00Z')],
      [1, 0],
    )
    const attempts = async (status: 'delivered' | 'error' | null) =>
      (await events.invocations('watch', { status, since: null }, page)).length
    assert.deepEqual([await attempts(null), await attempts('delivered'), await attempts('error')], [2, 0, 2])
    const waiting = { trigger: 'watch', table: capture.table, payload: '1', sessionVariables: null, traceContext: null }
    const later = await events.invoke(waiting)
    const counted = (await events.backlog(['watch', 'other'])).map(({ pending, dead }) => ({ pending, dead }))
    assert.deepEqual(counted, [
      { pending: 1, dead: 1 },
      { pending: 0, dead: 0 },
    ])
    await server.run(`DELETE FROM [svc_catalog].[event_log] WHERE [id] = '${later}'`)
    await server.run("UPDATE [svc_catalog].[event_log] SET [created_at] = '2000-01-01T00:00:00+00:00'")
    const options = { trigger: 'watch', olderThan: 1, batchSize: 10, timeout: 60, cleanInvocationLogs: true }
    assert.deepEqual(await events.clean(options), { events: 1, invocations: 2 })
  })

  test('have clean-ups that are taken once, the newest of those that are due', async (t) => {
    const { events, change } = await begin(t)
    await change({ install: [capture] })
    const { cleanups } = events
    const soon = Date.UTC(2030, 0, 1)
    await cleanups.schedule('watch', [Date.UTC(2020, 0, 1), Date.UTC(2021, 0, 1), soon])
    await cleanups.schedule('watch', [soon])
    assert.deepEqual(await cleanups.pending('watch'), { count: 3, latest: soon })
    // beyond the seconds that an int counts
    const far = Date.UTC(2040, 1, 29, 12, 30, 15)
    await cleanups.schedule('later', [far])
    await cleanups.schedule('later', [far])
    assert.deepEqual(await cleanups.pending('later'), { count: 1, latest: far })
    const taken = await cleanups.take(['watch'])
    assert.deepEqual(
      taken.map(({ trigger }) => trigger),
      ['watch'],
    )
    assert.deepEqual(await cleanups.take(['watch']), [])
    await cleanups.finish(taken[0]?.id ?? '', 'completed', { events: 1, invocations: 0 })
    await cleanups.forget(['watch'])
    assert.deepEqual(await cleanups.pending('watch'), { count: 0, latest: null })
  })

  test('leave a record by which other engines see how their transaction ended', async (t) => {
    const { source, change } = await begin(t)
    await change({ install: [capture] })
    let [kept, lost] = ['', '']
    await source.openTransaction?.(Path.root, async (transaction) => {
      kept = await transaction.id()
    })
    await assert.rejects(async () =>
      source.openTransaction?.(Path.root, async (transaction) => {
        lost = await transaction.id()
        throw new Error('no')
      }),
    )
    await source.openTransaction?.(Path.root, async (transaction) => {
      assert.equal(await transaction.outcomeOf(kept), 'committed')
      assert.equal(await transaction.outcomeOf(lost), 'aborted')
    })
  })
})

const page = { limit: 10, offset: 0 }
