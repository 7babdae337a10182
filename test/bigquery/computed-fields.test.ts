import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildClientSchema, getIntrospectionQuery, printType } from 'graphql'
import { startEngine } from '../engine.ts'
import { createTestDatabase } from '../postgres.ts'
import { startRestDouble } from './rest-double.ts'

const field = (name: string, type: string) => ({ name, type })
const argument = (name: string, typeKind: string) => ({ name, dataType: { typeKind } })

/** A source with one dataset: albums, tracks, and table functions of both forms. */
async function startWithFunctions(t: Parameters<typeof startRestDouble>[0]) {
  const double = await startRestDouble(t)
  const table = (...fields: readonly object[]) => ({ schema: { fields } })
  double.tables.set(
    'ds',
    new Map([
      ['album', table(field('id', 'INTEGER'), field('title', 'STRING'))],
      ['track', table(field('id', 'INTEGER'), field('name', 'STRING'))],
    ]),
  )
  const routine = (routineId: string, routineType: string, more: object) => ({
    routineReference: { routineId },
    routineType,
    ...more,
  })
  const own = [argument('album_id', 'INT64'), argument('least', 'FLOAT64')]
  const columns = [argument('name', 'STRING'), argument('seconds', 'FLOAT64')].map(({ name, dataType }) => ({
    name,
    type: dataType,
  }))
  double.routines.set('ds', [
    routine('tracks_of', 'TABLE_VALUED_FUNCTION', { arguments: own }),
    routine('lengths_of', 'TABLE_VALUED_FUNCTION', { arguments: own, returnTableType: { columns } }),
    routine('all_tracks', 'TABLE_VALUED_FUNCTION', {}),
    routine('plus', 'SCALAR_FUNCTION', { arguments: own }),
  ])
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
  for (const name of ['album', 'track'])
    await run('bigquery_track_table', { source: 'bq', table: { dataset: 'ds', name } })
  const album = { source: 'bq', table: { dataset: 'ds', name: 'album' } }
  const add = (name: string, called: string, more: object = {}) =>
    engine.metadata('bigquery_add_computed_field', {
      ...album,
      name,
      definition: { function: { dataset: 'ds', name: called }, argument_mapping: { album_id: 'id' }, ...more },
    })
  const permit = (computed_fields: readonly string[]) =>
    run('bigquery_create_select_permission', {
      ...album,
      role: 'user',
      permission: { columns: ['id'], filter: {}, computed_fields },
    })
  return { double, engine, run, add, permit }
}

test('a table function gives rows of a table, or of its own columns, with the arguments that are not mapped', async (t) => {
  const { double, engine, add, permit } = await startWithFunctions(t)
  const ofTable = await add('tracks', 'tracks_of', { return_table: { dataset: 'ds', name: 'track' } })
  const ofColumns = await add('lengths', 'lengths_of')
  assert.deepEqual([ofTable.text, ofColumns.text], ['{"message":"success"}', '{"message":"success"}'])
  await permit(['lengths'])

  const { body } = await engine.post('/v1/graphql', { query: getIntrospectionQuery() })
  const schema = buildClientSchema(body.data)
  const printed = (name: string) => {
    const type = schema.getType(name)
    return type
      ? printType(type)
          .replaceAll(/"""(.|\n)*?"""/g, '')
          .replaceAll(/\s+/g, ' ')
      : null
  }
  assert.match(printed('ds_album') ?? '', /lengths\( args: lengths_ds_album_args! \): \[lengths_fields!\]/)
  assert.match(
    printed('ds_album') ?? '',
    /tracks\( args: tracks_ds_album_args! distinct_on: .*? where: ds_track_bool_exp \): \[ds_track!\]/,
  )
  assert.equal(printed('lengths_fields'), 'type lengths_fields { name: String seconds: Float }')
  assert.equal(printed('lengths_ds_album_args'), 'input lengths_ds_album_args { least: Float! }')
  assert.doesNotMatch(printed('ds_album_bool_exp') ?? '', /tracks|lengths/)
  assert.doesNotMatch(printed('ds_album_order_by') ?? '', /tracks|lengths/)

  double.job = () => ({ rows: [['1', [{ v: { f: [{ v: 'a' }] } }], [{ v: { f: [{ v: '2.5' }] } }]]] })
  const query = `{ ds_album { id tracks(args: {least: 1.5}, where: {name: {_neq: "b"}}, limit: 2) { name } lengths(args: {least: 1.5}) { seconds __typename } } }`
  const answer = await engine.post('/v1/graphql', { query })
  assert.deepEqual(answer.body, {
    data: {
      ds_album: [{ id: '1', tracks: [{ name: 'a' }], lengths: [{ seconds: '2.5', __typename: 'lengths_fields' }] }],
    },
  })
  const [job] = double.jobs.values()
  const { query: sql, queryParameters } = job?.body.configuration.query ?? {}
  assert.match(
    sql,
    /ARRAY\(SELECT AS STRUCT .* FROM UNNEST\(ARRAY\(SELECT AS STRUCT \* FROM `ds`.`tracks_of`\(`\w+`.`id`, @param0\)\)\) AS/,
  )
  assert.match(sql, /FROM `ds`.`lengths_of`\(`\w+`.`id`, @param0\)/)
  assert.deepEqual(queryParameters[0], {
    name: 'param0',
    parameterType: { type: 'FLOAT64' },
    parameterValue: { value: '1.5' },
  })

  const user = { 'x-svc-role': 'user' }
  const hidden = await engine.post('/v1/graphql', { query }, user)
  assert.equal(hidden.body.errors[0].message, "field 'tracks' not found in type: 'ds_album'")
  const seen = await engine.post(
    '/v1/graphql',
    { query: '{ ds_album { lengths(args: {least: 1}) { seconds } } }' },
    user,
  )
  assert.equal(seen.status, 200, seen.text)
  assert.ok(!('errors' in seen.body), seen.text)
})

test('what no table function is, or is called with, is said in the reason', async (t) => {
  const { add } = await startWithFunctions(t)
  const reasonOf = async (...[called, more]: [called: string, more?: object]) => {
    const { status, body } = await add('f', called, more)
    assert.equal(status, 400)
    return JSON.stringify(body).replaceAll('\\"', '"')
  }
  const because = 'the computed field "f" cannot be added to table "ds.album" because '
  const track = { return_table: { dataset: 'ds', name: 'track' } }
  const expected: readonly (readonly [string, object | undefined, string])[] = [
    ['plus', track, `${because}function "ds.plus" is not a TABLE_VALUED_FUNCTION`],
    [
      'tracks_of',
      {},
      `${because}function "ds.tracks_of" is not defined with 'RETURNS TABLE'. Expecting return table name.`,
    ],
    [
      'lengths_of',
      track,
      `${because}return table "ds.track" is not required as the function "ds.lengths_of" returns arbitrary column fields`,
    ],
    [
      'tracks_of',
      { return_table: { dataset: 'ds', name: 'none' } },
      `${because}function "ds.tracks_of" returning set of table "ds.none" is not tracked`,
    ],
    [
      'tracks_of',
      { ...track, argument_mapping: { nope: 'id' } },
      `${because}the argument "nope" is not one of function "ds.tracks_of" input arguments`,
    ],
    [
      'tracks_of',
      { ...track, argument_mapping: { least: 'nope' } },
      `${because}the column "nope" does not exist in table "ds.album"`,
    ],
    [
      'all_tracks',
      { ...track, argument_mapping: {} },
      `${because}function "ds.all_tracks" has no input arguments defined`,
    ],
    ['nope', track, 'no such function exists: "ds.nope"'],
  ]
  for (const [called, more, reason] of expected) {
    const said = await reasonOf(called, more)
    assert.ok(said.includes(reason) && said.includes('invalid-configuration'), `${said}\n${reason}`)
  }
})
