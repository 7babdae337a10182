import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bigquery } from '../../engine/src/backends/index.ts'
import { type ReadySource, Sources } from '../../engine/src/sources/index.ts'
import { failure, startRestDouble } from './rest-double.ts'

test('a source whose service was unavailable when it was added recovers by itself', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const double = await startRestDouble(t)
  double.tables.set('music', new Map([['album', { schema: { fields: [{ name: 'id', type: 'INTEGER' }] } }]]))
  let recovered = (_: ReadySource) => {}
  const sources = new Sources({
    backends: [bigquery],
    defaults: {
      usePreparedStatements: true,
      bigquery: { apiEndpoint: double.url, tokenEndpoint: double.tokenUrl },
    },
    environment: {},
    report: () => {},
    recovered: (state) => recovered(state),
  })
  t.after(() => sources.close())
  double.fault = () => failure(503, 'Unavailable', 'backendError')
  const state = await sources.prepare('bq', 'bigquery', {
    service_account: double.account.json,
    project_id: double.project,
    datasets: ['music'],
    retry_limit: 0,
  })
  assert.equal(state.status, 'unavailable')
  sources.serve(new Map([['bq', state]]))
  double.fault = () => null
  const back = new Promise<ReadySource>((resolve) => {
    recovered = resolve
  })
  t.mock.timers.tick(60_000)
  assert.deepEqual(
    [...(await back).introspection.tables.values()].map(({ table }) => table),
    [{ schema: 'music', name: 'album' }],
  )
})
