import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startEngine } from '../engine.ts'
import { startReceiver } from '../events/receiver.ts'

test('figures are served to who has the metrics secret, and count what was asked', async (t) => {
  const env = { SVC_GRAPHQL_ENABLED_APIS: 'graphql,metadata,metrics', SVC_GRAPHQL_METRICS_SECRET: 'scrape' }
  const engine = await startEngine({ env }, t)
  const query = { query: '{ __typename }' }
  await engine.post('/v1/graphql', query, { 'x-svc-role': 'user' })
  await engine.post('/v1/graphql', query, { 'x-svc-role': 'user' })
  await engine.post('/v1/graphql', { query: '{ nope }' }, { 'x-svc-role': 'user' })
  await engine.get('/some/where')
  for (const authorization of [null, 'Bearer x', 'Basic scrape', 'scrape'])
    assert.equal((await engine.get('/v1/metrics', { authorization })).status, 401)
  const { status, text, headers } = await engine.get('/v1/metrics', { authorization: 'Bearer scrape' })
  assert.equal(status, 200)
  assert.match(headers['content-type'] ?? '', /^text\/plain; version=/)
  const value = (name: string) =>
    text
      .split('\n')
      .find((line) => line.startsWith(`${name} `))
      ?.slice(name.length + 1)
  const requests = (outcome: string) =>
    value(`svc_http_requests_total{path="/v1/graphql",role="user",status="200",outcome="${outcome}"}`)
  assert.deepEqual([requests('success'), requests('validation-failed')], ['2', '1'])
  assert.equal(value('svc_http_requests_total{path="(other)",role="",status="404",outcome="not-found"}'), '1')
  assert.equal(value('svc_plan_cache_lookups_total{found="true"}'), '1')
  assert.equal(value('svc_plan_cache_lookups_total{found="false"}'), '1')
  assert.equal(value('svc_graphql_operations_total{api="graphql",outcome="validation-failed"}'), '1')
  assert.equal(value('svc_source_up{source="default"}'), '1')
  assert.match(value('svc_source_connections{source="default",state="open"}') ?? '', /^\d+$/)
  assert.equal(value('svc_metadata_inconsistent_objects'), '0')
  assert.equal(value('svc_metadata_resource_version'), headers['x-svc-resource-version'] ?? '1')
})

test('events are counted by trigger: what waits, what was given up, and what came of each attempt', async (t) => {
  const receiver = await startReceiver(t)
  receiver.answer(({ path }) => ({ status: path === '/broken' ? 500 : 200, body: '{}' }))
  const env = { SVC_GRAPHQL_ENABLED_APIS: 'graphql,metadata,metrics' }
  const engine = await startEngine({ env }, t)
  const sql = (text: string) => engine.post('/v2/query', { type: 'run_sql', args: { sql: text } })
  const trigger = (name: string, webhook: object) =>
    engine.metadata('pg_create_event_trigger', { name, table: 'item', insert: { columns: '*' }, ...webhook })
  await sql('CREATE TABLE item (id int PRIMARY KEY)')
  await engine.metadata('pg_track_table', { table: 'item' })
  await trigger('fine', { webhook: `${receiver.url}/fine` })
  await trigger('broken', { webhook: `${receiver.url}/broken` })
  await engine.metadata('create_cron_trigger', {
    name: 'nightly',
    webhook: receiver.url,
    schedule: '0 22 * * *',
    include_in_metadata: true,
  })
  const gone = {
    webhook: `${receiver.url}/broken`,
    schedule_at: '2020-01-01T00:00:00Z',
    retry_conf: { num_retries: 0, tolerance_seconds: 1 },
  }
  await sql('INSERT INTO item VALUES (1), (2)')
  await engine.metadata('create_scheduled_event', gone)
  for (const name of ['fine', 'fine', 'broken', 'broken', null])
    await engine.observed('event-attempted', (o) => o.trigger === name)
  const scrape = async () => (await engine.get('/v1/metrics')).text
  const series = (of: string, source: string, name: string) => `{of="${of}",source="${source}",trigger="${name}"}`
  const wanted = [
    `svc_events_dead${series('event-trigger', 'default', 'broken')} 2`,
    `svc_events_dead${series('event-trigger', 'default', 'fine')} 0`,
    `svc_events_pending${series('event-trigger', 'default', 'broken')} 0`,
    `svc_events_oldest_seconds${series('event-trigger', 'default', 'fine')} 0`,
    `svc_events_pending${series('cron-trigger', '', 'nightly')} 0`,
    `svc_events_dead${series('one-off', '', '')} 1`,
    'svc_event_deliveries_total{of="event-trigger",source="default",trigger="fine",outcome="delivered"} 2',
    'svc_event_deliveries_total{of="event-trigger",source="default",trigger="broken",outcome="failed"} 2',
    'svc_event_deliveries_total{of="one-off",source="",trigger="",outcome="dead"} 1',
  ]
  // outcomes are stored a moment after they are reported
  let lines: readonly string[] = []
  do lines = (await scrape()).split('\n')
  while (!wanted.every((line) => lines.includes(line)))

  const types = lines.flatMap((line) => {
    const [, name = '', type = ''] = /^# TYPE (\S+) (\S+)/.exec(line) ?? []
    return name === '' ? [] : [{ name, type }]
  })
  assert.ok(types.length > 40)
  for (const { name, type } of types) assert.equal(name.endsWith('_total'), type === 'counter', name)
})
