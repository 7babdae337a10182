import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startEngine } from '../engine.ts'

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
