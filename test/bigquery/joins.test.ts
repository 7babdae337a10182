import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runOnDatabase } from '../admin/run-on-database.ts'
import { startEngine } from '../engine.ts'
import { createTestDatabase } from '../postgres.ts'
import { startRestDouble } from './rest-double.ts'

test('keys of a join have all their digits, and the limit of the source cuts none of them', async (t) => {
  const double = await startRestDouble(t)
  const fields = [
    { name: 'of', type: 'INTEGER' },
    { name: 'text', type: 'STRING' },
  ]
  double.tables.set('ds', new Map([['note', { schema: { fields } }]]))
  const database = await createTestDatabase(t)
  await runOnDatabase(
    database.url,
    'CREATE TABLE thing (id bigint PRIMARY KEY); INSERT INTO thing VALUES (1), (9007199254740993)',
  )
  const env = {
    BQ_KEY: JSON.stringify(double.account.json),
    SVC_GRAPHQL_BIGQUERY_API_ENDPOINT: double.url,
    SVC_GRAPHQL_BIGQUERY_TOKEN_ENDPOINT: double.tokenUrl,
  }
  const engine = await startEngine({ databaseUrl: database.url, env }, t)
  const note = { dataset: 'ds', name: 'note' }
  const to_source = { source: 'bq', table: note, relationship_type: 'array', field_mapping: { id: 'of' } }
  const { status, text } = await engine.metadata('replace_metadata', {
    version: 3,
    sources: [
      {
        name: 'pg',
        kind: 'postgres',
        configuration: { connection_info: { database_url: database.url } },
        tables: [
          {
            table: { schema: 'public', name: 'thing' },
            remote_relationships: [{ name: 'notes', definition: { to_source } }],
          },
        ],
      },
      {
        name: 'bq',
        kind: 'bigquery',
        configuration: {
          service_account: { from_env: 'BQ_KEY' },
          project_id: double.project,
          datasets: ['ds'],
          global_select_limit: 1,
        },
        tables: [{ table: note }],
      },
    ],
  })
  assert.equal(status, 200, text)
  const notes = (of: string) => [{ v: { f: [{ v: of }] } }]
  double.job = () => ({ rows: [[notes('a')], [notes('b')]] })
  const { body } = await engine.post('/v1/graphql', { query: '{ thing(order_by: {id: asc}) { notes { text } } }' })
  assert.deepEqual(body, { data: { thing: [{ notes: [{ text: 'a' }] }, { notes: [{ text: 'b' }] }] } })
  assert.equal(double.jobs.size, 1)
  const [job] = double.jobs.values()
  const { query, queryParameters } = job?.body.configuration.query ?? {}
  assert.match(query, /ARRAY_AGG\(.* LIMIT @param1\)/)
  assert.match(query, / ORDER BY \(`\w+`.`position`\) ASC NULLS FIRST$/)
  assert.deepEqual(
    queryParameters.map(({ parameterValue }: { parameterValue: object }) => parameterValue),
    [{ arrayValues: [{ value: '1' }, { value: '9007199254740993' }] }, { value: '1' }],
  )
})
