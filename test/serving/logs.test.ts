/** Every type of log line of reference/logs with every field, as the real process writes them. */
import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import pg from 'pg'
import { type Engine, startEngine } from '../engine.ts'
import { createTestDatabase, type TestDatabase } from '../postgres.ts'
import { openSocket } from '../websocket-client.ts'
import { type Handlers, startHandlers } from './action-handlers.ts'
import { type RemoteServer, startRemoteServer } from './remote-server.ts'

const table = { schema: 'public', name: 'note' }
const types =
  'startup,http-log,query-log,execution-log,webhook-log,websocket-log,jwk-refresh-log,livequery-poller-log,action-handler-log,validate-input-log'

// biome-ignore lint/suspicious/noExplicitAny: lines are of every shape
type Line = any

describe('log lines', () => {
  let database: TestDatabase
  let handlers: Handlers
  let remote: RemoteServer
  let engine: Engine
  const lines = (): Line[] =>
    engine.log.filter((text) => !text.includes('"type":"observation"')).map((text) => JSON.parse(text))
  const linesOf = (type: string, requestId?: string) =>
    lines().filter((line) => line.type === type && (requestId === undefined || line.detail.request_id === requestId))
  const ask = async (query: string, id: string, variables = {}) => {
    const { body } = await engine.post('/v1/graphql', { query, variables }, { 'x-request-id': id })
    await engine.observed('request-answered', ({ requestId }) => requestId === id)
    return body
  }
  before(async () => {
    database = await createTestDatabase()
    const client = new pg.Client({ connectionString: database.url })
    await client.connect()
    await client.query("CREATE TABLE note (id integer PRIMARY KEY, text text); INSERT INTO note VALUES (1, 'one')")
    await client.end()
    handlers = await startHandlers()
    handlers.on('/auth', ({ headers }) =>
      headers.authorization === 'bad' ? { status: 401 } : { json: { 'x-svc-role': 'user', 'x-svc-user-id': '1' } },
    )
    handlers.on('/act', () => ({ json: { id: 1 } }))
    handlers.on('/valid', () => ({ json: {} }))
    remote = await startRemoteServer('type Query { hello: String }', { hello: 'hi' })
    engine = await startEngine({
      databaseUrl: database.url,
      env: {
        SVC_GRAPHQL_ENABLED_LOG_TYPES: types,
        SVC_GRAPHQL_AUTH_HOOK: `${handlers.url}/auth`,
        SVC_GRAPHQL_CLOSE_WEBSOCKETS_ON_METADATA_CHANGE: 'false',
      },
    })
    const validate_input = { type: 'http', definition: { url: `${handlers.url}/valid` } }
    const filter = { id: { _eq: 'X-Svc-User-Id' } }
    const { status, text } = await engine.metadata('bulk', [
      { type: 'pg_track_table', args: { table } },
      { type: 'pg_create_select_permission', args: { table, role: 'user', permission: { columns: '*', filter } } },
      {
        type: 'pg_create_insert_permission',
        args: { table, role: 'user', permission: { columns: '*', check: {}, validate_input } },
      },
      { type: 'set_custom_types', args: { objects: [{ name: 'Done', fields: [{ name: 'id', type: 'Int!' }] }] } },
      {
        type: 'create_action',
        args: { name: 'act', definition: { kind: 'synchronous', type: 'query', output_type: 'Done', handler: `${handlers.url}/act` } },
      },
      { type: 'create_action_permission', args: { action: 'act', role: 'user' } },
      { type: 'add_remote_schema', args: { name: 'greeter', definition: { url: remote.url } } },
    ]) // biome-ignore format: one line each
    assert.equal(status, 200, text)
  })
  after(async () => {
    await engine.stop()
    await handlers.close()
    await remote.close()
    await database.drop()
  })

  test('startup: kinds and the configuration, without secrets', async () => {
    const kinds = linesOf('startup').map(({ detail }) => detail.kind)
    for (const kind of ['server_configuration', 'postgres_connection', 'catalog_migrate', 'event_triggers', 'schema-sync', 'server'])
      assert.ok(kinds.includes(kind), `${kind} in ${kinds}`) // biome-ignore format: one line
    for (const { detail } of linesOf('startup')) assert.deepEqual(Object.keys(detail), ['kind', 'info'])
    const { info } = linesOf('startup').find(({ detail }) => detail.kind === 'server_configuration').detail
    for (const key of ['preserve_401_errors', 'v1_boolean_null_collapse', 'tx_iso']) assert.ok(key in info, key)
    for (const key of ['port', 'server_host', 'transaction_isolation', 'admin_secret_set', 'auth_hook', 'jwt_secret', 'unauth_role', 'cors_config', 'enabled_apis', 'live_query_options', 'log_level'])
      assert.ok(key in info, key) // biome-ignore format: one line
    assert.deepEqual(Object.keys(info.cors_config), ['disabled', 'ws_read_cookie', 'allowed_origins'])
    assert.equal(info.admin_secret_set, true)
    assert.ok(!JSON.stringify(info).includes(engine.secret))
    const { detail: server } = linesOf('startup').find(({ detail }) => detail.kind === 'server')
    assert.equal(server.info.message, 'Starting API server')
    assert.equal(typeof server.info.time_taken, 'number')
  })

  test('http-log: of one operation, of a batch and of what cannot be read', async () => {
    await ask('{ note { id } }', 'single')
    const [{ level, detail }] = linesOf('http-log', 'single')
    assert.equal(level, 'info')
    assert.deepEqual(Object.keys(detail), ['request_id', 'http_info', 'operation'])
    assert.deepEqual(Object.keys(detail.http_info), ['status', 'method', 'ip', 'url', 'http_version', 'content_encoding']) // biome-ignore format: one line
    const { request_read_time, query_execution_time, response_size, ...operation } = detail.operation
    assert.ok([request_read_time, query_execution_time, response_size].every((figure) => typeof figure === 'number'))
    assert.deepEqual(operation, {
      request_id: 'single',
      user_vars: { 'x-svc-role': 'admin' },
      uncompressed_response_size: response_size,
      request_mode: 'single',
      query: { query: '{ note { id } }', variables: {} },
    })

    await engine.post('/v1/graphql', [{ query: '{ note { id } }' }, { query: '{ nothing }' }], { 'x-request-id': 'batch' }) // biome-ignore format: one line
    await engine.observed('request-answered', ({ requestId }) => requestId === 'batch')
    const [batch] = linesOf('http-log', 'batch')
    assert.equal(batch.level, 'error')
    assert.equal(batch.detail.operation.request_mode, 'batched')
    const [good, bad] = batch.detail.batched_operations
    assert.deepEqual(Object.keys(good), ['query', 'response_size', 'query_execution_time'])
    assert.deepEqual([good.query, good.response_size], [{ query: '{ note { id } }' }, '{"data":{"note":[{"id":1}]}}'.length]) // biome-ignore format: one line
    assert.deepEqual([bad.query, bad.error.code], [{ query: '{ nothing }' }, 'validation-failed'])

    await engine.send('POST', '/v1/graphql', '{"query"', { 'x-request-id': 'unread' })
    await engine.observed('request-answered', ({ requestId }) => requestId === 'unread')
    const [unread] = linesOf('http-log', 'unread')
    assert.deepEqual([unread.level, unread.detail.operation.raw_query, unread.detail.operation.error.code], ['error', '{"query"', 'invalid-json']) // biome-ignore format: one line
  })

  test('query-log: one line for each kind of what is asked, with statements and their arguments', async () => {
    const query =
      'query ($id: Int) { mine: note(where: {id: {_eq: $id}}) { id } act { id } hello __schema { queryType { name } } }'
    await ask(query, 'kinds', { id: 1 })
    const asked = linesOf('query-log', 'kinds').map(({ detail }) => detail)
    assert.deepEqual(asked.map(({ kind }) => kind).sort(), ['action', 'database', 'introspection', 'remote-schema'])
    for (const detail of asked) {
      assert.deepEqual(Object.keys(detail), ['request_id', 'kind', 'query', 'generated_sql'])
      assert.deepEqual(detail.query, { query, variables: { id: 1 } })
      if (detail.kind !== 'database') assert.equal(detail.generated_sql, null)
    }
    const { generated_sql: sql } = asked.find(({ kind }) => kind === 'database')
    assert.deepEqual(Object.keys(sql), ['mine'])
    assert.match(sql.mine.query, /"note"/)
    assert.deepEqual(sql.mine.prepared_arguments, ['1'])
    const [{ detail }] = linesOf('execution-log', 'kinds')
    assert.deepEqual(Object.keys(detail), ['request_id', 'statistics'])
  })

  test('query-log: writes, also such as fail', async () => {
    const insert = 'mutation ($text: String) { insert_note(objects: [{id: 1, text: $text}]) { affected_rows } }'
    const { errors } = await ask(insert, 'write', { text: 'again' })
    assert.equal(errors[0].extensions.code, 'constraint-violation')
    const [{ detail }] = linesOf('query-log', 'write')
    assert.match(detail.generated_sql.insert_note.query, /INSERT INTO/)
    assert.ok(JSON.stringify(detail.generated_sql.insert_note.prepared_arguments).includes('again'))
  })

  test('action-handler-log and validate-input-log', async () => {
    await ask('{ act { id } }', 'acted')
    const [{ detail: acted }] = linesOf('action-handler-log', 'acted')
    assert.deepEqual([acted.action_name, acted.status], ['act', 200])
    const user = { 'x-svc-admin-secret': null, 'x-request-id': 'checked' }
    await engine.post('/v1/graphql', { query: 'mutation { insert_note_one(object: {id: 2}) { id } }' }, user)
    await engine.observed('request-answered', ({ requestId }) => requestId === 'checked')
    const [{ detail: checked }] = linesOf('validate-input-log', 'checked')
    assert.deepEqual([checked.status, checked.failure, checked.method], [200, null, 'POST'])
  })

  test('webhook-log: level and fields, of a session and of a refusal', async () => {
    const user = { 'x-svc-admin-secret': null, 'x-request-id': 'hook' }
    await engine.post('/v1/graphql', { query: '{ note { id } }' }, user)
    await engine.post('/v1/graphql', { query: '{ note { id } }' }, { ...user, 'x-request-id': 'refused', authorization: 'bad' }) // biome-ignore format: one line
    await engine.observed('request-answered', ({ requestId }) => requestId === 'refused')
    const [[good], [bad]] = [linesOf('webhook-log', 'hook'), linesOf('webhook-log', 'refused')]
    for (const { detail } of [good, bad])
      for (const key of ['status_code', 'url', 'method', 'http_error', 'response', 'message']) assert.ok(key in detail, key) // biome-ignore format: one line
    assert.deepEqual([good.level, good.detail.status_code], ['info', 200])
    assert.deepEqual([bad.level, bad.detail.status_code], ['error', 401])
  })

  test('websocket-log and livequery-poller-log: every event of a socket', async () => {
    const socket = await openSocket(engine, { protocol: 'graphql-ws', init: { 'x-request-id': 'live' } })
    const start = (id: string, query: string) =>
      socket.send({ id, type: 'start', payload: { query, ...(id === '1' && { operationName: 'S' }) } })
    start('1', 'subscription S { note(where: {id: {_eq: 1}}) { id } }')
    await socket.next()
    await engine.observed('subscriptions-polled')
    start('1', '{ note { id } }')
    await socket.next()
    start('2', 'subscription S { note(where: {id: {_eq: 3}}) { id } }')
    start('3', '{ nothing }')
    await engine.observed('websocket', ({ event }) => event.kind === 'operation' && event.type === 'query_err')
    socket.send({ id: '1', type: 'stop' })
    await engine.observed('websocket', ({ event }) => event.kind === 'operation' && event.type === 'stopped')
    socket.close()
    await engine.observed('websocket', ({ event }) => event.kind === 'closed')
    const logged = linesOf('websocket-log')
    for (const { detail } of logged) {
      assert.deepEqual(Object.keys(detail), ['event', 'connection_info', 'user_vars'])
      assert.deepEqual(Object.keys(detail.connection_info), ['websocket_id', 'token_expiry', 'msg'])
    }
    const kinds = logged.map(({ detail }) => detail.event.type)
    assert.deepEqual([kinds[0], kinds.at(-1)], ['accepted', 'closed'])
    const operations = logged.flatMap(({ detail: { event } }) => (event.type === 'operation' ? [event.detail] : []))
    assert.deepEqual(
      operations.map(({ operation_id, operation_type }) => [operation_id, operation_type.type]),
      [['1', 'started'], ['1', 'proto_err'], ['2', 'started'], ['3', 'query_err'], ['1', 'stopped']],
    ) // biome-ignore format: one line
    const [first, , second] = operations
    assert.deepEqual(Object.keys(first), ['operation_id', 'request_id', 'operation_name', 'operation_type', 'query', 'parameterized_query_hash']) // biome-ignore format: one line
    assert.deepEqual([first.request_id, first.operation_name], ['live', 'S'])
    assert.match(first.parameterized_query_hash, /^[0-9a-f]{40}$/)
    assert.equal(first.parameterized_query_hash, second.parameterized_query_hash)
    const [{ detail: planned }] = linesOf('query-log', 'live')
    assert.deepEqual([planned.kind, Object.keys(planned.generated_sql)], ['database', ['note']])
    const [{ detail: polled }] = linesOf('livequery-poller-log')
    assert.deepEqual([polled.of, polled.source, polled.error], ['live', 'default', null])
    assert.ok(linesOf('ws-server').every(({ level }) => level === 'debug'))
  })

  test('schema-sync, metadata: what a change and an inconsistent object write', async () => {
    const { detail } = linesOf('schema-sync').at(-1)
    assert.deepEqual(Object.keys(detail), ['thread_type', 'info'])
    assert.equal(detail.thread_type, 'metadata-api')
    const { metadata } = (await engine.metadata('export_metadata', {}, { version: 2 })).body
    metadata.sources[0].tables.push({ table: { schema: 'public', name: 'missing' } })
    await engine.metadata('replace_metadata', { allow_inconsistent_metadata: true, metadata })
    await engine.observed('metadata-inconsistent')
    const [line] = linesOf('metadata')
    assert.deepEqual([line.level, line.detail.message], ['warn', 'Inconsistent Metadata!'])
    assert.equal(line.detail.info.objects.length, 1)
  })

  test('every line has timestamp, level, type and detail, and ids only of a trace', () => {
    for (const line of lines()) {
      const { trace_id, span_id, ...rest } = line
      assert.deepEqual(Object.keys(rest), ['timestamp', 'level', 'type', 'detail'])
      assert.equal(trace_id === undefined, span_id === undefined)
    }
    assert.ok(!engine.log.some((text) => text.includes(engine.secret)))
  })

  test("--enabled-log-types '' leaves the internal ones; keys that cannot be fetched any more are critical", async (t) => {
    const jwk = { ...generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey.export({ format: 'jwk' }), kid: 'a', use: 'sig' } // biome-ignore format: one line
    let fetched = 0
    handlers.on('/keys', () =>
      fetched++ === 0 ? { json: { keys: [jwk] }, headers: { 'Cache-Control': 'max-age=1' } } : { status: 500 },
    )
    const env = {
      SVC_GRAPHQL_ENABLED_LOG_TYPES: 'jwk-refresh-log',
      SVC_GRAPHQL_JWT_SECRET: JSON.stringify({ jwk_url: `${handlers.url}/keys?key=geheim` }),
    }
    const quiet = await startEngine({ databaseUrl: database.url, env }, t)
    await quiet.observed('key-set-failed')
    const shown = quiet.log.map((text): Line => JSON.parse(text)).filter(({ type }) => type !== 'observation')
    assert.ok(!shown.some(({ type }) => type === 'startup' || type === 'http-log'))
    const [good, bad] = shown.filter(({ type }) => type === 'jwk-refresh-log')
    assert.deepEqual([good.level, typeof good.detail.message, good.detail.http_error], ['info', 'string', null])
    assert.deepEqual([bad.level, bad.detail.http_error.status], ['critical', 500])
    assert.ok(!quiet.log.some((text) => text.includes('geheim')))
  })
})
