import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startEngine } from '../engine.ts'
import { createTestDatabase } from '../postgres.ts'
import { startRestDouble } from './rest-double.ts'

test('a native query is a CTE, its arguments are parameters, and relationships lead from its rows', async (t) => {
  const double = await startRestDouble(t)
  double.tables.set(
    'ds',
    new Map([['track', { schema: { fields: ['album_id', 'name'].map((name) => ({ name, type: 'STRING' })) } }]]),
  )
  const database = await createTestDatabase(t)
  const env = {
    BQ_KEY: JSON.stringify(double.account.json),
    SVC_GRAPHQL_BIGQUERY_API_ENDPOINT: double.url,
    SVC_GRAPHQL_BIGQUERY_TOKEN_ENDPOINT: double.tokenUrl,
  }
  const engine = await startEngine({ databaseUrl: database.url, env }, t)
  const run = async (type: string, args: object) => {
    const { status, text } = await engine.metadata(type, args)
    assert.equal(status, 200, text)
  }
  const configuration = { service_account: { from_env: 'BQ_KEY' }, project_id: double.project, datasets: ['ds'] }
  await run('bigquery_add_source', { name: 'bq', configuration })
  await run('bigquery_track_table', { source: 'bq', table: { dataset: 'ds', name: 'track' } })
  await run('bigquery_track_logical_model', {
    source: 'bq',
    name: 'found',
    fields: [
      { name: 'id', type: 'STRING(10)' },
      { name: 'price', type: 'NUMERIC', nullable: true },
    ],
  })
  await run('bigquery_track_native_query', {
    source: 'bq',
    root_field_name: 'search',
    type: 'query',
    returns: 'found',
    code: 'SELECT id, price FROM ds.album WHERE price < {{most}} -- cheap ones;',
    arguments: { most: { type: 'NUMERIC' } },
    array_relationships: [
      {
        name: 'tracks',
        using: {
          manual_configuration: {
            remote_table: { dataset: 'ds', name: 'track' },
            column_mapping: { id: 'album_id' },
            insertion_order: null,
          },
        },
      },
    ],
  })
  double.job = () => ({ rows: [['10', '0.99', [{ v: { f: [{ v: 'a' }] } }]]] })
  const query = '{ search(args: {most: 1.5}, where: {price: {_gt: 0}}, limit: 3) { id price tracks { name } } }'
  const { body } = await engine.post('/v1/graphql', { query })
  assert.deepEqual(body, { data: { search: [{ id: '10', price: '0.99', tracks: [{ name: 'a' }] }] } })
  const [job] = double.jobs.values()
  assert.match(
    job?.body.configuration.query.query,
    /^WITH `q_1` AS \(SELECT id, price FROM ds.album WHERE price < CAST\(@param0 AS NUMERIC\) -- cheap ones\n\) SELECT .* FROM `q_1` AS `t_found2` LEFT OUTER JOIN .* WHERE \(`t_found2`.`price` > CAST\(@param\d AS NUMERIC\)\) LIMIT @param\d$/,
  )
})
