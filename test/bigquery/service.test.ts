/**
 * The service itself, with the key file that SVC_TEST_BIGQUERY_KEY names; its project is used. The account may create
 * datasets. Nothing here depends on what else is in the project.
 */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { startEngine } from '../engine.ts'
import { createTestDatabase } from '../postgres.ts'

const file = process.env.SVC_TEST_BIGQUERY_KEY ?? ''

test('a source of the service', { skip: file === '' && 'SVC_TEST_BIGQUERY_KEY is not set' }, async (t) => {
  const key = readFileSync(file, 'utf8')
  const dataset = `svc_test_${randomBytes(6).toString('hex')}`
  const engine = await startEngine({ databaseUrl: (await createTestDatabase(t)).url, env: { BQ_KEY: key } }, t)
  const done = async (path: string, type: string, args: object) => {
    const { status, body, text } = await engine.post(path, { type, args })
    assert.equal(status, 200, text)
    return body
  }
  const configuration = { service_account: { from_env: 'BQ_KEY' }, project_id: JSON.parse(key).project_id }
  const sql = (text: string) => done('/v2/query', 'bigquery_run_sql', { source: 'bq', sql: text })
  await done('/v1/metadata', 'bigquery_add_source', { name: 'bq', configuration: { ...configuration, datasets: [] } })
  await sql(`CREATE SCHEMA ${dataset}`)
  t.after(() => sql(`DROP SCHEMA IF EXISTS ${dataset} CASCADE`))
  await sql(`CREATE TABLE ${dataset}.author (id INT64 NOT NULL, name STRING);
    CREATE TABLE ${dataset}.album (id INT64 NOT NULL, author_id INT64, title STRING, price NUMERIC, sold TIMESTAMP, span RANGE<DATE>);
    INSERT ${dataset}.author VALUES (1, 'A'), (2, NULL);
    INSERT ${dataset}.album (id, author_id, title, price, sold) VALUES
      (9007199254740993, 1, 'x', 1.5, TIMESTAMP '2008-12-25 07:30:00Z'), (2, 7, NULL, NULL, NULL)`)
  await done('/v1/metadata', 'bigquery_update_source', {
    name: 'bq',
    configuration: { ...configuration, datasets: [dataset] },
  })
  const table = (name: string) => ({ source: 'bq', table: { dataset, name } })
  for (const name of ['author', 'album']) await done('/v1/metadata', 'bigquery_track_table', table(name))
  const using = (name: string, from: string, to: string) => ({
    manual_configuration: { remote_table: { dataset, name }, column_mapping: { [from]: to } },
  })
  await done('/v1/metadata', 'bigquery_create_object_relationship', {
    ...table('album'),
    name: 'author',
    using: using('author', 'author_id', 'id'),
  })
  await done('/v1/metadata', 'bigquery_create_array_relationship', {
    ...table('author'),
    name: 'albums',
    using: using('album', 'id', 'author_id'),
  })
  const query = `query Live {
    albums: ${dataset}_album(order_by: {id: asc}) { id title price sold author { name albums(order_by: {id: asc}) { id } } }
    authors: ${dataset}_author_aggregate(where: {albums: {price: {_gt: "1"}}}) { aggregate { count } nodes { id } }
  }`
  const { body } = await engine.post('/v1/graphql', { query })
  assert.deepEqual(body, {
    data: {
      albums: [
        { id: '2', title: null, price: null, sold: null, author: null },
        {
          id: '9007199254740993',
          title: 'x',
          price: '1.5',
          sold: '2008-12-25T07:30:00Z',
          author: { name: 'A', albums: [{ id: '9007199254740993' }] },
        },
      ],
      authors: { aggregate: { count: '1' }, nodes: [{ id: '1' }] },
    },
  })
  const explained = await engine.post('/v1/graphql/explain', { query: { query }, dry_run: true })
  assert.match(explained.body[0].total_bytes_processed, /^[0-9]+$/)
  const wrong = await engine.post('/v2/query', { type: 'bigquery_run_sql', args: { source: 'bq', sql: 'SELECT nope' } })
  assert.deepEqual([wrong.status, wrong.body.code], [400, 'bigquery-error'])
})
