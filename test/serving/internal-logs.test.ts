/** The types of log lines that no setting switches off (reference/logs), with their fields, as the real process writes them. */
import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { after, before, describe, test } from 'node:test'
import pg from 'pg'
import { type Engine, startEngine } from '../engine.ts'
import { type Receiver, startReceiver } from '../events/receiver.ts'
import { createTestDatabase, type TestDatabase } from '../postgres.ts'

// biome-ignore lint/suspicious/noExplicitAny: lines are of every shape
type Line = any

describe('internal log types', () => {
  let database: TestDatabase
  let source: TestDatabase
  let client: pg.Client
  let catalogue: pg.Client
  let receiver: Receiver
  let engine: Engine
  const linesOf = (type: string): Line[] =>
    engine.log.filter((text) => text.includes(`"type":"${type}"`)).map((text) => JSON.parse(text))
  const ok = async (type: string, args: object) => {
    const answer = await engine.metadata(type, args)
    assert.equal(answer.status, 200, answer.text)
    return answer.body
  }

  before(async () => {
    database = await createTestDatabase()
    source = await createTestDatabase()
    client = new pg.Client({ connectionString: source.url })
    catalogue = new pg.Client({ connectionString: database.url })
    await client.connect()
    await catalogue.connect()
    await client.query('CREATE TABLE note (id integer PRIMARY KEY)')
    receiver = await startReceiver()
    receiver.answer(({ path }) => ({ status: path === '/bad' ? 500 : 200, body: '{}' }))
    const crash = 'process.on("SIGUSR2",()=>setImmediate(()=>{throw new Error("boom")}))'
    engine = await startEngine({
      databaseUrl: database.url,
      env: {
        SVC_GRAPHQL_ENABLED_LOG_TYPES: '',
        SVC_GRAPHQL_EVENTS_FETCH_BATCH_SIZE: '1',
        SVC_GRAPHQL_EVENTS_FETCH_INTERVAL: '100',
        SVC_GRAPHQL_ASYNC_ACTIONS_FETCH_INTERVAL: '100',
        NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(crash)}`,
      },
    })
    await ok('pg_add_source', { name: 'notes', configuration: { connection_info: { database_url: source.url } } })
    await ok('pg_track_table', { source: 'notes', table: 'note' })
    const trigger = { source: 'notes', name: 'noted', table: 'note', insert: { columns: '*' } }
    await ok('pg_create_event_trigger', { ...trigger, webhook: `${receiver.url}/good` })
  })
  after(async () => {
    await client.end()
    await catalogue.end()
    await engine.stop()
    await receiver.close()
    await source.drop()
    await database.drop()
  })

  const keys = (line: Line) => Object.keys(line.detail)
  const attempted = (fits: (of: string, outcome: string) => boolean) =>
    engine.observed('event-attempted', ({ of, outcome }) => fits(of, outcome))

  test('event-trigger: each attempt', async () => {
    await client.query('INSERT INTO note VALUES (1)')
    await attempted((of) => of === 'event-trigger')
    const [line] = linesOf('event-trigger')
    assert.deepEqual(keys(line), ['source', 'trigger_name', 'event_id', 'outcome', 'tries', 'status', 'time_taken'])
    const { source, trigger_name, outcome, tries, status } = line.detail
    assert.deepEqual(
      [line.level, source, trigger_name, outcome, tries, status],
      ['info', 'notes', 'noted', 'delivered', 1, 200],
    )
  })

  test('event-trigger-process: a backlog, a queue that cannot be read, what a dead instance held', async () => {
    await client.query('INSERT INTO note SELECT generate_series(2, 60)')
    await engine.observed('events-falling-behind')
    await client.query('ALTER TABLE svc_catalog.event_log RENAME TO away')
    await engine.observed('events-unavailable')
    await client.query('ALTER TABLE svc_catalog.away RENAME TO event_log')
    await engine.observed('events-available')
    await client.query(`INSERT INTO note VALUES (1000);
      UPDATE svc_catalog.event_log SET locked = now(), locked_by = 'nobody', delivered = false
      WHERE payload->'data'->'new'->>'id' = '1'`)
    await engine.observed('events-freed')
    const lines = linesOf('event-trigger-process')
    const byMessage = new Map(lines.map((line) => [line.detail.message, line]))
    const shown = [
      'Events of source "notes" come faster than they are delivered',
      'Events of source "notes" cannot be read',
      'Events of source "notes" are read again',
      'Events of an instance that ended are free again',
    ].map((message) => {
      const line = byMessage.get(message)
      assert.ok(line, `${message}: ${JSON.stringify(lines)}`)
      return [line.level, ...keys(line)]
    })
    assert.deepEqual(shown, [
      ['warn', 'message', 'full_batches'],
      ['error', 'message', 'error'],
      ['info', 'message'],
      ['warn', 'message', 'source', 'events'],
    ])
  })

  test('scheduled-trigger: each attempt; scheduled-trigger-process: a queue that cannot be read', async () => {
    const now = new Date().toISOString()
    await ok('create_scheduled_event', { webhook: `${receiver.url}/bad`, schedule_at: now, payload: {} })
    await attempted((of) => of === 'one-off')
    const [line] = linesOf('scheduled-trigger')
    assert.deepEqual(keys(line), ['event_id', 'outcome', 'tries', 'status', 'time_taken'])
    assert.deepEqual([line.detail.outcome, line.detail.tries, line.detail.status], ['failed', 1, 500])
    await catalogue.query('ALTER TABLE svc_catalog.svc_scheduled_events RENAME TO away')
    await engine.observed('events-unavailable', ({ source }) => source === null)
    await catalogue.query('ALTER TABLE svc_catalog.away RENAME TO svc_scheduled_events')
    await engine.observed('events-available', ({ source }) => source === null)
    const lines = linesOf('scheduled-trigger-process')
    assert.deepEqual(lines.map(({ level, detail }) => [level, ...Object.keys(detail)]).slice(0, 2), [
      ['error', 'message', 'error'],
      ['info', 'message'],
    ])
    assert.deepEqual(Object.keys(lines[0].detail.error), ['message', 'code'])
  })

  test('pg-client: connections of a source and of the catalogue that are lost and found again', async () => {
    await engine.post('/v1/graphql', { query: '{ note { id } }' })
    await client.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()') // biome-ignore format: one line
    await engine.observed('source-lost')
    await catalogue.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()') // biome-ignore format: one line
    await engine.observed('catalogue-lost')
    await engine.observed('catalogue-back')
    const lines = linesOf('pg-client')
    const lost = lines.find(({ detail }) => detail.message === 'Lost the source "notes"')
    assert.deepEqual([lost?.level, lost && keys(lost)], ['error', ['message', 'error']])
    const away = lines.find(({ detail }) => detail.message === 'Lost the metadata database')
    assert.deepEqual([away?.level, away && keys(away)], ['error', ['message', 'error']])
    const back = lines.find(({ detail }) => detail.message === 'The metadata database is back')
    assert.deepEqual([back?.level, back && keys(back)], ['info', ['message']])
  })

  test('asynchronous-action: a log that cannot be read', async () => {
    await ok('set_custom_types', { objects: [{ name: 'Done', fields: [{ name: 'id', type: 'Int!' }] }] })
    const definition = { kind: 'asynchronous', output_type: 'Done', handler: `${receiver.url}/act` }
    await ok('create_action', { name: 'act', definition })
    await catalogue.query('ALTER TABLE svc_catalog.svc_action_log RENAME TO away')
    await engine.observed('action-log-failed')
    await catalogue.query('ALTER TABLE svc_catalog.away RENAME TO svc_action_log')
    const [line] = linesOf('asynchronous-action')
    assert.deepEqual(
      [line.level, keys(line), Object.keys(line.detail.error)],
      ['error', ['message', 'error'], ['message', 'code']],
    )
  })

  test('unstructured: a connection that sends no HTTP', async () => {
    const { hostname, port } = new URL(engine.url)
    connect(Number(port), hostname)
      .on('error', () => {})
      .end('rubbish\r\n\r\n')
    await engine.observed('connection-refused')
    const [line] = linesOf('unstructured')
    assert.deepEqual([line.level, keys(line)], ['warn', ['message', 'status']])
  })

  test('unhandled-internal-error: a bug, with its stack', async () => {
    engine.kill('SIGUSR2')
    await engine.observed('request-crashed')
    const [line] = linesOf('unhandled-internal-error')
    assert.deepEqual([line.level, keys(line), line.detail.error.message], ['error', ['request_id', 'error'], 'boom'])
    assert.match(line.detail.error.stack, /boom/)
  })
})
