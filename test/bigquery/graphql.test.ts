import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildClientSchema, getIntrospectionQuery, printType } from 'graphql'
import { type Engine, startEngine } from '../engine.ts'
import { createTestDatabase } from '../postgres.ts'
import { type RestDouble, startRestDouble } from './rest-double.ts'

const types = ['INTEGER', 'FLOAT', 'NUMERIC', 'BIGNUMERIC', 'STRING', 'BYTES', 'BOOLEAN', 'DATE', 'TIME', 'DATETIME']
const columns = [
  ...types.map((type) => ({ name: type.toLowerCase(), type })),
  { name: 'at', type: 'TIMESTAMP', mode: 'REQUIRED' },
  { name: 'place', type: 'GEOGRAPHY' },
  { name: 'data', type: 'JSON' },
  { name: 'tags', type: 'STRING', mode: 'REPEATED' },
]

/** A source with one table that has a column of every type. */
async function startWithTable(
  t: Parameters<typeof startRestDouble>[0],
  env: Readonly<Record<string, string>> = {},
): Promise<{ readonly double: RestDouble; readonly engine: Engine }> {
  const double = await startRestDouble(t)
  double.tables.set('ds', new Map([['every', { schema: { fields: columns } }]]))
  const database = await createTestDatabase(t)
  const settings = {
    BQ_KEY: JSON.stringify(double.account.json),
    SVC_GRAPHQL_BIGQUERY_API_ENDPOINT: double.url,
    SVC_GRAPHQL_BIGQUERY_TOKEN_ENDPOINT: double.tokenUrl,
  }
  const engine = await startEngine({ databaseUrl: database.url, env: { ...settings, ...env } }, t)
  const configuration = { service_account: { from_env: 'BQ_KEY' }, project_id: double.project, datasets: ['ds'] }
  const table = { source: 'bq', table: { dataset: 'ds', name: 'every' } }
  for (const [type, args] of [
    ['bigquery_add_source', { name: 'bq', configuration }],
    ['bigquery_track_table', table],
    [
      'bigquery_create_select_permission',
      { ...table, role: 'user', permission: { columns: ['string'], filter: { string: 'X-Svc-User-Id' } } },
    ],
  ] as const) {
    const { status, text } = await engine.metadata(type, args)
    assert.equal(status, 200, text)
  }
  return { double, engine }
}

async function typeOf(engine: Engine, name: string): Promise<string | null> {
  const { body } = await engine.post('/v1/graphql', { query: getIntrospectionQuery() })
  const type = buildClientSchema(body.data).getType(name)
  return type
    ? printType(type)
        .replaceAll(/"""(.|\n)*?"""/g, '')
        .replaceAll(/\s+/g, ' ')
        .trim()
    : null
}

test('columns are the scalars of the contract, and their comparisons have the name of the database in theirs', async (t) => {
  const { engine } = await startWithTable(t)
  assert.equal(
    await typeOf(engine, 'ds_every'),
    'type ds_every { at: Timestamp! bignumeric: decimal boolean: Boolean bytes: Bytes data: json date: Date datetime: Datetime ' +
      'float: Float integer: Int numeric: decimal place: Geography string: String tags: String! time: Time }',
  )
  assert.equal(
    await typeOf(engine, 'Geography_BigQuery_comparison_exp'),
    'input Geography_BigQuery_comparison_exp { _st_contains: Geography _st_d_within: st_dwithin_input _st_equals: Geography ' +
      '_st_intersects: Geography _st_touches: Geography _st_within: Geography }',
  )
  assert.equal(
    await typeOf(engine, 'st_dwithin_input'),
    'input st_dwithin_input { distance: Float! from: Geography! use_spheroid: Boolean = false }',
  )
  assert.match((await typeOf(engine, 'String_BigQuery_comparison_exp')) ?? '', / _ilike: .* _nilike: /)
  assert.equal(await typeOf(engine, 'mutation_root'), null)
  assert.equal(
    await typeOf(engine, 'query_root'),
    'type query_root { ds_every( distinct_on: [ds_every_select_column!] limit: Int offset: Int order_by: [ds_every_order_by!] where: ds_every_bool_exp ): [ds_every!]! ' +
      'ds_every_aggregate( distinct_on: [ds_every_select_column!] limit: Int offset: Int order_by: [ds_every_order_by!] where: ds_every_bool_exp ): ds_every_aggregate! }',
  )
})

test('with string numbers, numbers are scalars of their own that take texts and 64 bits', async (t) => {
  const { double, engine } = await startWithTable(t, {
    SVC_GRAPHQL_EXPERIMENTAL_FEATURES: 'bigquery_string_numeric_input',
  })
  const type = (await typeOf(engine, 'ds_every')) ?? ''
  for (const field of [
    'integer: bigquery_int',
    'float: bigquery_float',
    'numeric: bigquery_decimal',
    'bignumeric: bigquery_bigdecimal',
  ])
    assert.ok(type.includes(field), type)
  const query = 'query ($n: bigquery_int) { ds_every(where: {integer: {_gt: $n, _lt: 9007199254740993}}) { integer } }'
  const { body } = await engine.post('/v1/graphql', { query, variables: { n: '9007199254740991' } })
  assert.deepEqual(body, { data: { ds_every: [] } })
  const [job] = double.jobs.values()
  assert.deepEqual(
    job?.body.configuration.query.queryParameters.map(
      ({ parameterValue }: { parameterValue: object }) => parameterValue,
    ),
    [{ value: '9007199254740991' }, { value: '9007199254740993' }, { value: '1000' }],
  )
})

test('a subscription is refused, and so is explaining one; a query is explained without a job', async (t) => {
  const { double, engine } = await startWithTable(t)
  const explained = await engine.post('/v1/graphql/explain', { query: { query: '{ ds_every(limit: 2) { string } }' } })
  assert.equal(explained.status, 200, explained.text)
  assert.equal(
    explained.body[0].sql,
    'SELECT `t_every1`.`string` AS `string` FROM `ds`.`every` AS `t_every1` LIMIT @param0',
  )
  assert.deepEqual(explained.body[0].plan, explained.body[0].sql.split('\n'))
  const refused = await engine.post('/v1/graphql/explain', { query: { query: 'subscription { ds_every { string } }' } })
  assert.equal(refused.status, 500)
  assert.equal(refused.body.error, 'Cannot currently retrieve query execution plans on BigQuery sources.')
  assert.match((await typeOf(engine, 'subscription_root')) ?? '', / ds_every\(.* ds_every_aggregate\(/)
  assert.equal(double.jobs.size, 0)
})

test('a missing session variable is an error, and is NULL for no role', async (t) => {
  const { double, engine } = await startWithTable(t)
  const query = '{ ds_every { string } }'
  const { body } = await engine.post('/v1/graphql', { query }, { 'x-svc-role': 'user' })
  assert.equal(body.errors[0].message, 'missing session variable: "x-svc-user-id"')
  assert.equal(body.errors[0].extensions.code, 'not-found')
  assert.equal(double.jobs.size, 0)
  const given = await engine.post('/v1/graphql', { query }, { 'x-svc-role': 'user', 'x-svc-user-id': '7' })
  assert.deepEqual(given.body, { data: { ds_every: [] } })
  const [job] = double.jobs.values()
  assert.match(
    job?.body.configuration.query.query,
    /\(\(`t_every1`.`string` = @param0\) OR \(`t_every1`.`string` IS NULL AND @param0 IS NULL\)\)/,
  )
})
