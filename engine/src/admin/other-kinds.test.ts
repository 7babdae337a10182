import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestDatabase } from '../../../test/postgres.ts'
import { startServiceOn } from '../../test/metadata-service.ts'
import { standIn } from '../../test/stand-in.ts'
import { bigquery, mssql, postgres } from '../backends/index.ts'

const success = { message: 'success' }
const connection_info = { connection_string: { from_env: 'SHOP' } }
const account = { client_email: 'a@b', private_key: 'k', project_id: 'p' }
const warehouse = { service_account: account, project_id: 'acme', datasets: ['music'] }

async function start(t: { after(cleanUp: () => Promise<void>): void }) {
  const { url } = await createTestDatabase(t)
  const artist = { id: 'int', name: 'varchar' }
  const sales = { id: 'INT64', name: 'STRING' }
  const service = await startServiceOn(
    t,
    url,
    [],
    [
      postgres,
      standIn(mssql, { 'dbo.artist': artist, 'sales.album': { id: 'int', artist_id: 'int', title: 'nvarchar' } }),
      standIn(bigquery, { 'music.artist': sales, 'music.album': { id: 'INT64', artist_id: 'INT64' } }),
    ],
  )
  const add = async (type: string, name: string, configuration: object) =>
    assert.deepEqual((await service.metadata(type, { name, configuration })).body, success)
  await add('mssql_add_source', 'ms', { connection_info })
  await add('bigquery_add_source', 'bq', warehouse)
  return service
}

const said = ({ body }: { body: { code?: string; error?: string } }) => [body.code, body.error]

test('stored procedures are tracked, listed, shown as inconsistent and untracked', async (t) => {
  const { metadata } = await start(t)
  const model = { source: 'ms', name: 'top_artist', fields: [{ name: 'id', type: 'int' }] }
  const procedure = {
    source: 'ms',
    stored_procedure: 'top',
    configuration: { exposed_as: 'query' },
    returns: 'top_artist',
    arguments: { n: { type: 'int' } },
  }
  const untracked = await metadata('mssql_track_stored_procedure', procedure)
  assert.deepEqual(said(untracked), [
    'invalid-configuration',
    'Inconsistent object: in stored procedure "top": the logical model "top_artist" is not tracked',
  ])
  assert.deepEqual((await metadata('mssql_track_logical_model', model)).body, success)
  assert.deepEqual((await metadata('mssql_track_stored_procedure', procedure)).body, success)
  assert.deepEqual(said(await metadata('mssql_track_stored_procedure', procedure)), [
    'already-tracked',
    "Stored procedure 'top' is already tracked.",
  ])
  const kept = {
    stored_procedure: { name: 'top', schema: 'dbo' },
    configuration: { exposed_as: 'query' },
    returns: 'top_artist',
    arguments: { n: { type: 'int', nullable: false } },
  }
  assert.deepEqual((await metadata('mssql_get_stored_procedure', { source: 'ms' })).body, [kept])
  const held = await metadata('mssql_untrack_logical_model', { source: 'ms', name: 'top_artist' })
  assert.deepEqual([held.status, held.body.code], [500, 'unexpected'])
  const other = { ...procedure, stored_procedure: { schema: 'sales', name: 'top' } }
  assert.deepEqual((await metadata('mssql_track_stored_procedure', other)).body, success)
  const clashing = {
    ...procedure,
    stored_procedure: 'best',
    configuration: { exposed_as: 'query', custom_name: 'top' },
  }
  assert.equal((await metadata('mssql_track_stored_procedure', clashing)).status, 500)
  const untrack = { source: 'ms', stored_procedure: 'top' }
  assert.deepEqual((await metadata('mssql_untrack_stored_procedure', untrack)).body, success)
  assert.deepEqual(said(await metadata('mssql_untrack_stored_procedure', untrack)), [
    'not-found',
    'stored procedure "top" does not exist in source: ms',
  ])
})
