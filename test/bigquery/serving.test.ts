import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { startEngine } from '../engine.ts'
import { createTestDatabase } from '../postgres.ts'
import { startRestDouble } from './rest-double.ts'

test('an engine on a source of BigQuery: warnings, explain, refusals, labels and metrics', async (t) => {
  const double = await startRestDouble(t)
  const fields = [
    { name: 'id', type: 'INTEGER', mode: 'REQUIRED' },
    { name: 'day', type: 'DATE' },
  ]
  const sale = { schema: { fields }, requirePartitionFilter: true, timePartitioning: { type: 'DAY', field: 'day' } }
  double.tables.set('shop', new Map([['sale', sale]]))
  double.job = () => ({ fields: [fields[0]], rows: [['9007199254740993']], bytes: 20 * 1024 * 1024 })
  const engine = await startEngine(
    {
      databaseUrl: (await createTestDatabase(t)).url,
      env: {
        BQ_KEY: JSON.stringify(double.account.json),
        SVC_GRAPHQL_BIGQUERY_API_ENDPOINT: double.url,
        SVC_GRAPHQL_BIGQUERY_TOKEN_ENDPOINT: double.tokenUrl,
        SVC_GRAPHQL_ENABLED_APIS: 'metadata,graphql,metrics',
      },
    },
    t,
  )
  const table = { dataset: 'shop', name: 'sale' }
  const configuration = { service_account: { from_env: 'BQ_KEY' }, project_id: double.project, datasets: ['shop'] }
  const done = async (type: string, args: object) => {
    const { status, body, text } = await engine.metadata(type, args)
    assert.equal(status, 200, text)
    return body
  }
  await done('bigquery_add_source', { name: 'bq', configuration })
  await done('bigquery_track_table', { source: 'bq', table })

  const permission = (role: string, filter: object) => ({
    source: 'bq',
    table,
    role,
    permission: { columns: '*', filter },
  })
  const tried = await engine.metadata('bigquery_create_select_permission', permission('clerk', {}), { dry_run: true })
  const { warnings } = await done('bigquery_create_select_permission', permission('clerk', {}))
  // what a plan shows (provider/src/core/engine-warnings.ts)
  assert.deepEqual(tried.body.results[0].result.warnings, warnings)
  assert.deepEqual(warnings, [
    {
      code: 'partition-filter-missing',
      type: 'select_permission',
      name: warnings?.[0]?.name,
      message:
        'the table "shop.sale" demands a filter of its partitions ("day"), and the permission of role "clerk" has none: ' +
        'its queries fail unless they have one themselves',
    },
  ])
  const since = { _and: [{ day: { _gt: '2026-01-01' } }] }
  assert.deepEqual(await done('bigquery_create_select_permission', permission('auditor', since)), {
    message: 'success',
  })

  const query = 'query Sales { shop_sale(where: {day: {_eq: "2026-11-24"}}) { id } }'
  const read = await engine.post('/v1/graphql', { query }, { 'x-svc-role': 'clerk' })
  assert.deepEqual(read.body, { data: { shop_sale: [{ id: '9007199254740993' }] } })
  const [job] = double.jobs.values()
  assert.deepEqual(job?.body.configuration.labels, { svc_role: 'clerk', svc_operation: 'sales' })

  const explained = await engine.post('/v1/graphql/explain', { query: { query }, dry_run: true })
  const [{ sql, plan, ...rest }] = explained.body
  assert.match(sql, /@param0/)
  assert.deepEqual(plan, sql.split('\n'))
  assert.deepEqual(rest, { field: 'shop_sale', total_bytes_processed: String(20 * 1024 * 1024) })
  const plain = await engine.post('/v1/graphql/explain', { query: { query } })
  assert.deepEqual(Object.keys(plain.body[0]), ['field', 'sql', 'plan'])
  assert.equal(double.jobs.size, 1)

  const subscription = { query: 'subscription { shop_sale { id } }' }
  const refused = await engine.post('/v1/graphql/explain', { query: subscription })
  assert.equal(refused.body.error, 'Cannot currently retrieve query execution plans on BigQuery sources.')

  const { text: metrics } = await engine.get('/v1/metrics')
  assert.match(metrics, /^svc_bigquery_jobs_total\{source="bq",operation="Sales",outcome="success"\} 1$/m)
  assert.match(metrics, /^svc_bigquery_billed_bytes_total\{source="bq",operation="Sales"\} 20971520$/m)
})

test('the source of the page is added as it stands there', async (t) => {
  const double = await startRestDouble(t, 'acme')
  for (const dataset of ['music', 'shop']) double.tables.set(dataset, new Map())
  const engine = await startEngine(
    {
      databaseUrl: (await createTestDatabase(t)).url,
      env: {
        BIGQUERY_KEY: JSON.stringify(double.account.json),
        SVC_GRAPHQL_BIGQUERY_API_ENDPOINT: double.url,
        SVC_GRAPHQL_BIGQUERY_TOKEN_ENDPOINT: double.tokenUrl,
      },
    },
    t,
  )
  const page = readFileSync(new URL('../../docs/bigquery.md', import.meta.url), 'utf8')
  const [, example = ''] = /^```json\n(.*?)^```$/ms.exec(page) ?? []
  const added = await engine.post('/v1/metadata', JSON.parse(example))
  assert.deepEqual(added.body, { message: 'success' })
})
