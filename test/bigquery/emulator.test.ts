import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startEngine } from '../engine.ts'
import { createTestDatabase } from '../postgres.ts'
import { skipWithoutEmulator, startEmulator } from './emulator.ts'
import { startRestDouble } from './rest-double.ts'

test('a source is added, SQL run, a table tracked and read', { skip: skipWithoutEmulator }, async (t) => {
  const emulator = await startEmulator(t)
  await emulator.createDataset('shop')
  const double = await startRestDouble(t)
  const database = await createTestDatabase(t)
  const engine = await startEngine(
    {
      databaseUrl: database.url,
      env: {
        BQ_KEY: JSON.stringify(double.account.json),
        SVC_GRAPHQL_BIGQUERY_API_ENDPOINT: emulator.url,
        SVC_GRAPHQL_BIGQUERY_TOKEN_ENDPOINT: double.tokenUrl,
      },
    },
    t,
  )
  const configuration = { service_account: { from_env: 'BQ_KEY' }, project_id: emulator.project, datasets: ['shop'] }
  const added = await engine.metadata('bigquery_add_source', { name: 'bq', configuration })
  assert.equal(added.status, 200, added.text)
  const sql = (text: string) =>
    engine.post('/v2/query', { type: 'bigquery_run_sql', args: { source: 'bq', sql: text } })
  const created = await sql('CREATE TABLE shop.album (id INT64 NOT NULL, title STRING, paid BOOL, span RANGE<DATE>)')
  assert.deepEqual(created.body, { result_type: 'TuplesOk', result: [[]] })
  await sql("INSERT INTO shop.album (id, title, paid) VALUES (1, 'A', TRUE), (9007199254740993, NULL, NULL)")
  assert.deepEqual((await sql('SELECT id, title, paid FROM shop.album ORDER BY id')).body, {
    result_type: 'TuplesOk',
    result: [
      ['id', 'title', 'paid'],
      ['1', 'A', true],
      ['9007199254740993', null, null],
    ],
  })
  const tracked = await engine.metadata('bigquery_track_table', {
    source: 'bq',
    table: { dataset: 'shop', name: 'album' },
  })
  assert.equal(tracked.status, 200, tracked.text)
  const left = await engine.observed('columns-left-out')
  assert.deepEqual(
    left.columns.map(({ name }) => name),
    ['span'],
  )
  const query = 'query Albums { shop_album(order_by: {id: desc}, limit: 1) { id title paid } }'
  const read = await engine.post('/v1/graphql', { query })
  assert.deepEqual(read.body, { data: { shop_album: [{ id: '9007199254740993', title: null, paid: null }] } })
})
