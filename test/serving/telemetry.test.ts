import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { startEngine } from '../engine.ts'

interface Received {
  readonly url: string
  readonly headers: IncomingMessage['headers']
  readonly body: Buffer
}

async function listen(t: TestContext, answer: string) {
  const received: Received[] = []
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      received.push({ url: request.url ?? '', headers: request.headers, body: Buffer.concat(parts) })
      response.end(answer)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.close()
    server.closeAllConnections()
  })
  return { received, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

test('traces and metrics are sent as metadata says, and a trace is carried on to webhooks', async (t) => {
  const collector = await listen(t, '')
  const hook = await listen(t, JSON.stringify({ 'x-svc-role': 'user' }))
  const env = { SVC_GRAPHQL_AUTH_HOOK: `${hook.url}/auth`, OTEL_TOKEN: 'geheim' }
  const engine = await startEngine({ env }, t)
  const { body: metadata } = await engine.metadata('export_metadata', {})
  const opentelemetry = {
    status: 'enabled',
    data_types: ['traces', 'metrics'],
    exporter_otlp: {
      otlp_traces_endpoint: `${collector.url}/v1/traces`,
      otlp_metrics_endpoint: `${collector.url}/v1/metrics`,
      headers: [{ name: 'authorization', value_from_env: 'OTEL_TOKEN' }],
      resource_attributes: [{ name: 'deployment', value: 'test-deployment' }],
      traces_propagators: ['tracecontext'],
    },
    batch_span_processor: { max_export_batch_size: 10 },
  }
  const replaced = await engine.metadata('replace_metadata', { ...metadata, opentelemetry })
  assert.equal(replaced.status, 200, replaced.text)
  await engine.observed('telemetry-started')
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
  const traceparent = `00-${traceId}-00f067aa0ba902b7-01`
  const headers = { 'x-svc-admin-secret': null, traceparent }
  assert.equal((await engine.post('/v1/graphql', { query: '{ __typename }' }, headers)).status, 200)
  const [called] = hook.received
  const named = { query: 'query NameOfOperation { __typename }' }
  assert.equal((await engine.post('/v1/graphql', named, headers)).status, 200)
  await engine.post('/v1/graphql', { query: 'mutation Unknown { nothing }' }, headers)
  for (const path of ['/healthz', '/readyz', '/v1/version']) await engine.get(path)
  assert.equal(called?.headers['x-b3-traceid'], traceId)
  assert.match(String(called?.headers.traceparent), new RegExp(`^00-${traceId}-[0-9a-f]{16}-01$`))
  assert.notEqual(called?.headers.traceparent, traceparent)
  await engine.stop()
  const sentTo = (path: string) => collector.received.filter(({ url }) => url === path)
  const spans = Buffer.concat(sentTo('/v1/traces').map(({ body }) => body))
  assert.equal(sentTo('/v1/traces')[0]?.headers.authorization, 'geheim')
  for (const text of [
    'POST /v1/graphql',
    'http.route',
    'url.scheme',
    'graphql.operation.type',
    'graphql.operation.name',
    'NameOfOperation',
    'mutation',
    'GET (authentication hook)',
    'test-deployment',
  ])
    assert.ok(spans.includes(text), text)
  assert.ok(spans.includes(Buffer.from(traceId, 'hex')))
  // probes are counted, and neither traced nor logged
  for (const path of ['/healthz', '/readyz', '/v1/version']) {
    assert.ok(!spans.includes(path), path)
    assert.ok(!engine.log.some((line) => JSON.parse(line).detail?.http_info?.url === path), path)
  }
  const called3 = Buffer.from(String(called?.headers['x-b3-spanid']), 'hex')
  assert.ok(spans.includes(called3), 'the span of the call is the one that the hook received')
  const figures = Buffer.concat(sentTo('/v1/metrics').map(({ body }) => body))
  for (const text of ['svc_http_requests_total', 'svc_http_request_duration_seconds', 'svc_metadata_resource_version'])
    assert.ok(figures.includes(text), text)
  assert.ok(!engine.log.some((line) => line.includes('geheim')))
})

test('telemetry that cannot be used is reported, and the engine serves', async (t) => {
  const engine = await startEngine({}, t)
  const { body: metadata } = await engine.metadata('export_metadata', {})
  const opentelemetry = {
    status: 'enabled',
    data_types: ['traces'],
    exporter_otlp: { otlp_traces_endpoint: '{{NO_SUCH_VARIABLE}}' },
  }
  const kept = { metadata: { ...metadata, opentelemetry }, allow_inconsistent_metadata: true }
  const { body: answer } = await engine.metadata('replace_metadata', kept)
  assert.equal(answer.inconsistent_objects[0].name, 'open_telemetry all')
  assert.match((await engine.observed('telemetry-failed')).message, /NO_SUCH_VARIABLE/)
  assert.equal((await engine.post('/v1/graphql', { query: '{ __typename }' })).status, 200)
})

test('telemetry that cannot be sent is refused, and is inconsistent in a document', async (t) => {
  const engine = await startEngine({}, t)
  const { metadata } = engine
  const traces = (exporter: object, more: object = {}) => ({
    status: 'enabled',
    data_types: ['traces'],
    exporter_otlp: { otlp_traces_endpoint: 'http://127.0.0.1:9/v1/traces', ...exporter },
    ...more,
  })
  const refusals: readonly (readonly [object, string])[] = [
    [traces({ otlp_traces_endpoint: '{{NOBODY_SET_IT}}/v1' }), "environment variable 'NOBODY_SET_IT' not set"],
    [traces({ otlp_traces_endpoint: 'collector' }), 'an endpoint is no URL of http or https'],
    [traces({ otlp_traces_endpoint: null }), 'Missing traces endpoint'],
    [traces({}, { data_types: ['traces', 'metrics'] }), 'Missing metrics endpoint'],
    [traces({ protocol: 'grpc' }), 'the protocol "grpc" is not http/protobuf'],
    [
      traces({}, { batch_span_processor: { max_export_batch_size: 0 } }),
      'max_export_batch_size must be a positive integer',
    ],
    [traces({}, { status: '{{NOBODY_SET_IT}}' }), "environment variable 'NOBODY_SET_IT' not set"],
  ]
  for (const [args, reason] of refusals) {
    const { status, body } = await metadata('set_opentelemetry_config', args)
    const { code, path, error } = body
    const expected = [400, 'invalid-configuration', '$.args', `Inconsistent object: ${reason}`]
    assert.deepEqual([status, code, path, error], expected)
    assert.deepEqual([body.internal[0].type, body.internal[0].name], ['open_telemetry', 'open_telemetry all'])
    const replaced = await metadata('replace_metadata', { version: 3, sources: [], opentelemetry: args })
    assert.deepEqual(
      [replaced.body.code, replaced.body.internal[0].reason],
      ['unexpected', `Inconsistent object: ${reason}`],
    )
  }
  assert.deepEqual((await metadata('set_opentelemetry_config', traces({}))).body, { message: 'success' })
  // what is not sent is not looked at
  assert.deepEqual((await metadata('set_opentelemetry_config', { status: 'disabled', data_types: ['traces'] })).body, {
    message: 'success',
  })
})

test('each statement is a span of its request, and two requests with one X-Request-Id have a trace each', async (t) => {
  const collector = await listen(t, '')
  const env = { SVC_GRAPHQL_ENABLE_QUERY_TRACING: 'true' }
  const engine = await startEngine({ env }, t)
  const sql = 'CREATE TABLE song (id integer PRIMARY KEY); INSERT INTO song VALUES (1)'
  await engine.post('/v2/query', { type: 'run_sql', args: { sql } })
  await engine.metadata('pg_track_table', { table: 'song' })
  const { body: metadata } = await engine.metadata('export_metadata', {})
  const opentelemetry = {
    status: 'enabled',
    data_types: ['traces'],
    exporter_otlp: { otlp_traces_endpoint: `${collector.url}/v1/traces` },
  }
  assert.equal((await engine.metadata('replace_metadata', { ...metadata, opentelemetry })).status, 200)
  await engine.observed('telemetry-started')
  // what a statement says of its trace is seen by the database
  const sleeping = 'SELECT 1 FROM song WHERE pg_sleep(0.2) IS NOT NULL'
  await engine.post('/v2/query', {
    type: 'run_sql',
    args: { sql: `CREATE VIEW slow AS ${sleeping.replace('1', '*')}` },
  })
  await engine.metadata('pg_track_table', { table: 'slow' })
  const ask = (query: string) => engine.post('/v1/graphql', { query }, { 'x-request-id': 'the same' })
  const answers = await Promise.all([ask('{ slow { id } }'), ask('{ slow { id } }')])
  for (const { body } of answers) assert.deepEqual(body, { data: { slow: [{ id: 1 }] } })
  const inserted = await ask('mutation { insert_song(objects: [{ id: 2 }]) { affected_rows } }')
  assert.equal(inserted.status, 200)
  await engine.stop()
  const lines = engine.log.flatMap((line) => (line.includes('"the same"') ? [JSON.parse(line)] : []))
  const logged = lines.filter(({ type }) => type === 'http-log')
  const traceIds = new Set(logged.map(({ trace_id }) => trace_id))
  assert.equal(traceIds.size, 3)
  for (const { trace_id, span_id } of logged) {
    assert.match(trace_id, /^[0-9a-f]{32}$/)
    assert.match(span_id, /^[0-9a-f]{16}$/)
  }
  const spans = Buffer.concat(collector.received.map(({ body }) => body))
  for (const id of traceIds) assert.ok(spans.includes(Buffer.from(id, 'hex')))
  for (const text of ['postgresql default', 'db.query.text', 'INSERT INTO', 'FROM "public"."slow"'])
    assert.ok(spans.includes(text), text)
})

test('--trace-sql-query has the database see which trace a statement belongs to', async (t) => {
  const engine = await startEngine({ env: { SVC_GRAPHQL_ENABLE_QUERY_TRACING: 'true' } }, t)
  const sql = `CREATE VIEW own AS SELECT query FROM pg_stat_activity WHERE pid = pg_backend_pid();
    CREATE TABLE song (id integer PRIMARY KEY, query text DEFAULT current_query())`
  await engine.post('/v2/query', { type: 'run_sql', args: { sql } })
  await engine.metadata('pg_track_tables', { tables: [{ table: 'own' }, { table: 'song' }] })
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
  const headers = { traceparent: `00-${traceId}-00f067aa0ba902b7-01` }
  const seen = [
    (await engine.post('/v1/graphql', { query: '{ own { query } }' }, headers)).body.data.own[0].query,
    (await engine.post('/v1/graphql', { query: 'mutation { insert_song_one(object: { id: 1 }) { query } }' }, headers))
      .body.data.insert_song_one.query,
  ]
  for (const text of seen) assert.ok(text.endsWith(` /* svc_trace_id=${traceId} */`), text.slice(-100))
})
