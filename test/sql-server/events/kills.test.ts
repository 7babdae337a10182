/**
 * An engine that delivers the events of many sources on SQL Server is killed, each source being at another point of it:
 * fetching, delivering, recording, cleaning, making a trigger. Another engine on the same metadata loses nothing. Rows of the
 * log are written as a trigger writes them.
 */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { type Engine, startEngine } from '../../engine.ts'
import { type Received, startReceiver } from '../../events/receiver.ts'
import { createTestDatabase } from '../../postgres.ts'
import { type Fault, openSqlServerDouble, type SqlServerDouble } from '../sql-server-double.ts'

const FETCH = /UPDATE \[e\] SET \[locked\][^;]*\[next_retry_at\] IS NULL/
const LOG = /INSERT INTO \[svc_catalog\]\.\[event_invocation_logs\]/
const RECORD = /UPDATE \[e\] SET \[tries\]/
const never = new Promise<never>(() => {})
const all = { columns: '*' }

type Source = {
  readonly name: string
  readonly double: SqlServerDouble
  /** Stores an event; its id. */
  write(): Promise<string>
  /** Cells of the first row, as texts. */
  ask(sql: string): Promise<readonly string[]>
  /** Resolves when the only row of the statement is `cells`. */
  until(sql: string, cells: readonly string[]): Promise<void>
}

async function openSource(name: string): Promise<Source> {
  const double = await openSqlServerDouble({ isStrict: false })
  await double.run('CREATE TABLE thing (id int NOT NULL PRIMARY KEY)')
  let things = 0
  const ask = async (sql: string) => {
    const answers = await double.run(sql)
    const failed = answers.find((answer) => answer.kind === 'error')
    assert.equal(failed, undefined, sql)
    const rows = answers.flatMap((answer) => (answer.kind === 'rows' ? answer.rows : []))
    return (rows[0] ?? []).map(String)
  }
  return {
    name,
    double,
    ask,
    async write() {
      const payload = `{"op":"INSERT","data":{"old":null,"new":{"id":${++things}}}}`
      await ask(
        `INSERT INTO svc_catalog.event_log (schema_name, table_name, trigger_name, payload) VALUES (N'dbo', N'thing', N'watch', N'${payload}')`,
      )
      const [id = ''] = await ask('SELECT TOP (1) id FROM svc_catalog.event_log ORDER BY created_at DESC')
      return id
    },
    async until(sql, cells) {
      await reaching(async () => String(await ask(sql)) === String(cells))
    },
  }
}

async function reaching(isReached: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isReached())) await new Promise((resolve) => setTimeout(resolve, 20))
}

const state =
  'SELECT delivered, error, tries, CASE WHEN locked IS NULL THEN 0 ELSE 1 END AS locked FROM svc_catalog.event_log'
const logged = 'SELECT COUNT(*) AS n FROM svc_catalog.event_invocation_logs'
const installed = "SELECT COUNT(*) AS n FROM sys.triggers WHERE name = 'notify_svc_watch_INSERT'"

suite('an engine on SQL Server is killed', {
  skip: process.env.SVC_TEST_MSSQL_URL ? 'a real server has no faults on command' : false,
}, () => {
  test('at each point of delivering events: nothing is lost, and only what was sent is sent again', async (t) => {
    const receiver = await startReceiver(t)
    const { url: databaseUrl } = await createTestDatabase(t)
    const names = [
      'fetching',
      'fetched',
      'sent',
      'logging',
      'recording',
      'recorded',
      'failed',
      'cleaning',
      'making',
      'made',
    ] as const
    const opened = await Promise.all(names.map(openSource))
    t.after(async () => void (await Promise.all(opened.map(({ double }) => double.stop()))))
    const sources = Object.fromEntries(opened.map((source) => [source.name, source])) as Record<
      (typeof names)[number],
      Source
    >
    const env = { SVC_GRAPHQL_EVENTS_FETCH_INTERVAL: '20' }
    const first = await startEngine({ databaseUrl, env })
    t.after(async () => first.kill('SIGKILL'))
    const take = async (engine: Engine, type: string, args: object) => {
      const { status, text } = await engine.metadata(type, args)
      assert.equal(status, 200, text)
    }
    const watch = (engine: Engine, source: string) =>
      engine.metadata('mssql_create_event_trigger', {
        source,
        name: 'watch',
        table: 'thing',
        insert: all,
        enable_manual: true,
        webhook: `${receiver.url}/${source}`,
        retry_conf: { num_retries: 5, interval_sec: 3600 },
      })
    const watched = async (engine: Engine, source: string) => {
      const { status, text } = await watch(engine, source)
      assert.equal(status, 200, text)
    }
    for (const { name, double } of opened) {
      const configuration = { connection_info: { connection_string: double.connectionString } }
      const prefix = `${name}_`
      const customization = { root_fields: { prefix }, type_names: { prefix } }
      await take(first, 'mssql_add_source', { name, configuration, customization })
      await take(first, 'mssql_track_table', { source: name, table: 'thing' })
      if (name !== 'making' && name !== 'made') await watched(first, name)
    }

    const isKilled = { yet: false }
    const reached: Record<string, () => void> = {}
    const sentFirst = new Promise<void>((resolve) => {
      reached.sent = resolve
    })
    receiver.answer((request: Received) => {
      const name = request.path.slice(1)
      if (isKilled.yet) return { status: 200 }
      if (name === 'sent') {
        reached.sent?.()
        return never
      }
      return { status: name === 'failed' ? 500 : 200 }
    })
    const meet = (source: Source, pattern: RegExp, fault: Fault) => source.double.when(pattern, fault)
    const { fetching, fetched, sent, logging, recording, recorded, failed, cleaning, making, made } = sources

    const [held] = [meet(fetching, FETCH, { kind: 'wait', until: never })]
    await held
    await fetching.write()
    let mayFetch = () => {}
    await meet(fetched, FETCH, {
      kind: 'wait',
      until: new Promise<void>((resolve) => {
        mayFetch = resolve
      }),
      answered: never,
    })
    await fetched.write()
    mayFetch()
    await fetched.until(state, ['0', '0', '0', '1'])
    await sent.write()
    await sentFirst
    const points = [
      meet(logging, LOG, { kind: 'wait', until: never }),
      meet(recording, RECORD, { kind: 'wait', until: Promise.resolve(), answered: never }),
      meet(recorded, RECORD, { kind: 'commit-unanswered', isRun: true }),
    ]
    for (const source of [logging, recording, recorded, failed]) await source.write()
    await Promise.all(points)
    await recorded.until(state, ['1', '0', '1', '0'])
    await failed.until(state, ['0', '0', '1', '0'])
    await cleaning.write()
    await cleaning.until(state, ['1', '0', '1', '0'])
    await cleaning.ask("UPDATE svc_catalog.event_log SET created_at = '2000-01-01T00:00:00+00:00'")
    const clean = { source: 'cleaning', event_trigger_name: 'watch', clear_older_than: 1, clean_invocation_logs: true }
    const cleaned = meet(cleaning, /DELETE FROM \[svc_catalog\]\.\[event_log\]/, { kind: 'wait', until: never })
    const cut = [first.metadata('mssql_cleanup_event_trigger_logs', clean).catch(() => {})]
    await cleaned
    const creating = meet(making, /CREATE TRIGGER/, { kind: 'wait', until: never })
    cut.push(
      watch(first, 'making').then(
        () => {},
        () => {},
      ),
    )
    await creating
    isKilled.yet = true
    first.kill('SIGKILL')
    await first.ended
    await Promise.all(cut)

    // a dead instance was silent for longer than an instance may be
    for (const { name, ask } of opened)
      if (name !== 'making' && name !== 'made')
        await ask("UPDATE svc_catalog.svc_event_instances SET [heard_at] = '2000-01-01T00:00:00+00:00'")
    await failed.ask("UPDATE svc_catalog.event_log SET next_retry_at = '2000-01-01T00:00:00+00:00'")
    const second = await startEngine({ databaseUrl, env }, t)
    await Promise.all(
      [fetching, fetched, sent, logging, recording, recorded].map(({ until }) => until(state, ['1', '0', '1', '0'])),
    )
    await failed.until(state, ['1', '0', '2', '0'])
    for (const source of [fetching, fetched, sent, logging, recording, recorded, cleaning])
      assert.deepEqual(await source.ask(logged), ['1'], source.name)
    assert.deepEqual(await failed.ask(logged), ['2'])
    const times = (name: string) => receiver.received.filter(({ path }) => path === `/${name}`)
    assert.deepEqual(Object.fromEntries(names.slice(0, 8).map((name) => [name, times(name).length])), {
      fetching: 1,
      fetched: 1,
      sent: 2,
      logging: 2,
      recording: 2,
      recorded: 1,
      failed: 2,
      cleaning: 1,
    })
    for (const name of ['sent', 'logging', 'recording', 'failed'])
      assert.equal(new Set(times(name).map(({ body }) => body.id)).size, 1)
    assert.deepEqual(
      times('failed').map(({ body }) => body.delivery_info.current_retry),
      [0, 1],
    )

    await take(second, 'mssql_cleanup_event_trigger_logs', clean)
    assert.deepEqual(
      [await cleaning.ask(logged), await cleaning.ask('SELECT COUNT(*) AS n FROM svc_catalog.event_log')],
      [['0'], ['0']],
    )

    // metadata has no trigger, nor has the database
    assert.deepEqual(await making.ask(installed), ['0'])
    await watched(second, 'making')
    assert.deepEqual(await making.ask(installed), ['1'])

    // metadata has a trigger, and the database has not
    const creatingThere = meet(made, /CREATE TRIGGER/, { kind: 'commit-unanswered', isRun: false })
    const unheard = watch(second, 'made').catch(() => {})
    await creatingThere
    await reaching(() => {
      const { statements } = made.double
      return statements.includes(
        'COMMIT',
        statements.findIndex((sql) => sql.startsWith('CREATE TRIGGER')),
      )
    })
    second.kill('SIGKILL')
    await unheard
    const third = await startEngine({ databaseUrl, env }, t)
    const hasTrigger = async () => {
      const { text } = await third.metadata('export_metadata', {})
      return text.includes('/made"')
    }
    // the database rolled back what metadata had stored, which follows
    await reaching(async () => !(await hasTrigger()))
    assert.deepEqual(await made.ask(installed), ['0'])
    await watched(third, 'made')
    await made.ask('INSERT INTO thing (id) VALUES (7)')
    await made.until(state, ['1', '0', '1', '0'])
    assert.deepEqual(
      times('made').map(({ body }) => body.event.data.new),
      [{ id: 7 }],
    )

    // a server that is away while an event is delivered: its outcome is stored afterwards
    let answer = () => {}
    const answered = new Promise<void>((resolve) => {
      answer = resolve
    })
    let arrived = () => {}
    const isThere = new Promise<void>((resolve) => {
      arrived = resolve
    })
    receiver.answer(async (request) => {
      if (request.path !== '/sent') return { status: 200 }
      arrived()
      await answered
      return { status: 200 }
    })
    await sent.ask('DELETE FROM svc_catalog.event_log')
    await sent.write()
    await isThere
    await sent.double.stop()
    await third.observed('events-unavailable', ({ source }) => source === 'sent')
    answer()
    await third.observed('event-attempted', ({ source }) => source === 'sent')
    await sent.double.start()
    await third.observed('events-available', ({ source }) => source === 'sent')
    await sent.until(state, ['1', '0', '1', '0'])
    assert.equal(times('sent').length, 3)
  })
})
