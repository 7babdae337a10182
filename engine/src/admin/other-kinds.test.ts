import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestDatabase } from '../../../test/postgres.ts'
import { startServiceOn } from '../../test/metadata-service.ts'
import { standIn } from '../../test/stand-in.ts'
import { bigquery, mssql, postgres } from '../backends/index.ts'

const success = { message: 'success' }
const connection_info = { connection_string: { from_env: 'SHOP' } }
const account = { client_email: 'a@b', private_key: 'k', project_id: 'p' }
const mssqlSource = { name: 'ms', kind: 'mssql', configuration: { connection_info }, tables: [] }
const warehouse = { service_account: account, project_id: 'acme', datasets: ['music'] }

const bigquerySource = { name: 'bq', kind: 'bigquery', configuration: warehouse, tables: [] }

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

test('what a kind of source does not have is refused in its words, or kept and shown as inconsistent', async (t) => {
  const { metadata } = await start(t)
  assert.deepEqual(said(await metadata('mssql_get_table_info', { source: 'ms', table: 'artist' })), [
    'unexpected-payload',
    'get_table_info not yet supported in MSSQL!',
  ])
  assert.deepEqual(
    said(await metadata('bigquery_get_table_info', { source: 'bq', table: { dataset: 'music', name: 'artist' } })),
    ['unexpected-payload', 'get_table_info not yet supported in BigQuery!'],
  )
  const convention = 'sources other than postgres do not support graphql-default as naming convention yet'
  const customization = { naming_convention: 'graphql-default' }
  for (const [type, name] of [
    ['mssql_update_source', 'ms'],
    ['bigquery_update_source', 'bq'],
  ] as const)
    assert.deepEqual(said(await metadata(type, { name, customization })), ['not-supported', convention])
  const table = (name: object, more: object) => ({ table: name, ...more })
  const artist = { name: 'artist', schema: 'dbo' }
  const track = { dataset: 'music', name: 'artist' }
  const field = { name: 'f', definition: { function: 'f' } }
  for (const [source, text] of [
    [{ ...mssqlSource, tables: [table(artist, { is_enum: true })] }, 'Enum tables are not supported for MSSQL sources'],
    [{ ...mssqlSource, functions: [{ function: 'f' }] }, 'SQL Functions are not supported for MSSQL source'],
    [
      { ...mssqlSource, tables: [table(artist, { computed_fields: [field] })] },
      "Computed fields aren't supported for MSSQL sources",
    ],
    [
      { ...bigquerySource, tables: [table(track, { is_enum: true })] },
      'Enum tables are not supported for BigQuery sources',
    ],
    [
      { ...bigquerySource, functions: [{ function: { dataset: 'music', name: 'f' } }] },
      'SQL Functions are not supported for BigQuery source',
    ],
  ] as const) {
    const sources = [source]
    assert.deepEqual(said(await metadata('replace_metadata', { version: 3, sources })), ['not-supported', text])
    const args = { allow_inconsistent_metadata: true, metadata: { version: 3, sources } }
    const { body } = await metadata('replace_metadata', args, { version: 2 })
    assert.equal(body.is_consistent, false, text)
    assert.deepEqual(
      body.inconsistent_objects.map(({ reason }: { reason: string }) => reason),
      [`Inconsistent object: ${text}`],
    )
  }
})

test('tables, relationships, permissions and queries of these kinds are declared as of PostgreSQL', async (t) => {
  const { metadata } = await start(t)
  const ok = async (type: string, args: object) => assert.deepEqual((await metadata(type, args)).body, success, type)
  const album = { schema: 'sales', name: 'album' }
  assert.deepEqual((await metadata('mssql_get_source_tables', { source: 'ms' })).body, [
    { name: 'artist', schema: 'dbo' },
    { name: 'album', schema: 'sales' },
  ])
  const { tables, functions } = (await metadata('mssql_get_source_objects', { source: 'ms' })).body
  assert.deepEqual([tables.map(({ name }: { name: object }) => name), functions], [[{ name: 'artist', schema: 'dbo' }, album], []]) // biome-ignore format: one line
  await ok('mssql_track_table', { source: 'ms', table: 'artist' })
  await ok('mssql_track_table', { source: 'ms', table: album, configuration: { custom_name: 'record' } })
  await ok('mssql_set_table_custom_fields', { source: 'ms', table: album, custom_root_fields: { select: 'records' } })
  const manual = { remote_table: 'artist', column_mapping: { artist_id: 'id' } }
  await ok('mssql_create_object_relationship', {
    source: 'ms',
    table: album,
    name: 'artist',
    using: { manual_configuration: manual },
  })
  assert.deepEqual((await metadata('mssql_suggest_relationships', { source: 'ms' })).body, { relationships: [] })
  const permission = (filter: object) => ({ columns: '*', filter })
  const create = (filter: object) =>
    metadata('mssql_create_select_permission', {
      source: 'ms',
      table: album,
      role: 'user',
      permission: permission(filter),
    })
  const compared = await create({ title: { _ceq: 'title' } })
  assert.equal(compared.body.code, 'invalid-configuration')
  assert.match(compared.body.error, /Unknown operator: _ceq$/)
  assert.deepEqual((await create({ id: { _in: [1, 2] }, artist: { name: 'X-Svc-User-Id' } })).body, success)
  await ok('mssql_create_update_permission', {
    source: 'ms',
    table: 'artist',
    role: 'user',
    permission: { columns: ['name'], filter: {}, check: null },
  })
  const trigger = {
    source: 'ms',
    name: 'watch',
    table: 'artist',
    webhook: 'http://localhost',
    insert: { columns: '*' },
  }
  const refused = await metadata('mssql_create_event_trigger', { ...trigger, insert: { columns: ['nothing'] } })
  assert.match(refused.body.error, /column "nothing" does not exist$/)

  const bigAlbum = { dataset: 'music', name: 'album' }
  const bigArtist = { dataset: 'music', name: 'artist' }
  await ok('bigquery_track_table', { source: 'bq', table: bigAlbum })
  await ok('bigquery_track_table', {
    source: 'bq',
    table: bigArtist,
    configuration: { custom_root_fields: { select_by_pk: 'one_artist' } },
  })
  assert.equal((await metadata('bigquery_track_table', { source: 'bq', table: 'artist' })).body.code, 'parse-failed')
  await ok('bigquery_create_array_relationship', {
    source: 'bq',
    table: bigArtist,
    name: 'albums',
    using: { manual_configuration: { remote_table: bigAlbum, column_mapping: { id: 'artist_id' } } },
  })
  const missing = await metadata('bigquery_create_object_relationship', {
    source: 'bq',
    table: bigAlbum,
    name: 'artist',
    using: { foreign_key_constraint_on: 'artist_id' },
  })
  assert.match(missing.body.error, /no foreign constraint exists on the given column/)
  for (const [kind, body] of [
    ['select', permission({ id: { _gt: 1 } })],
    ['insert', { columns: '*', check: {} }],
    ['update', { columns: '*', filter: {}, check: null }],
    ['delete', { filter: {} }],
  ] as const)
    await ok(`bigquery_create_${kind}_permission`, { source: 'bq', table: bigArtist, role: 'user', permission: body })
  const joins = (source: string, table: object | string) => ({
    name: 'other',
    definition: { to_source: { source, table, relationship_type: 'array', field_mapping: { id: 'id' } } },
  })
  await ok('bigquery_create_remote_relationship', { source: 'bq', table: bigArtist, ...joins('ms', 'artist') })
  await ok('mssql_create_remote_relationship', { source: 'ms', table: 'artist', ...joins('bq', bigArtist) })

  const query = (code: string) => ({
    source: 'bq',
    root_field_name: 'top',
    code,
    arguments: { n: { type: 'INT64' } },
    returns: 'top_artist',
  })
  await ok('bigquery_track_logical_model', {
    source: 'bq',
    name: 'top_artist',
    fields: [{ name: 'id', type: 'INT64' }],
  })
  for (const code of ['SELECT 1 AS id', 'SELECT {{m}} AS id LIMIT {{n}}'])
    assert.equal((await metadata('bigquery_track_native_query', query(code))).body.code, 'validation-failed', code)
  await ok('bigquery_track_native_query', query('SELECT id FROM music.artist LIMIT {{n}}'))
  await ok('mssql_track_logical_model', { source: 'ms', name: 'wide', fields: [{ name: 'name', type: 'varchar(32)' }] })
  const exported = (await metadata('export_metadata')).body
  const tablesOf = (name: string) =>
    exported.sources
      .find((one: { name: string }) => one.name === name)
      .tables.map((one: { table: object }) => one.table)
  assert.deepEqual(
    tablesOf('ms'),
    [album, { name: 'artist', schema: 'dbo' }].map(({ name, schema }) => ({ name, schema })),
  )
  assert.deepEqual(tablesOf('bq'), [bigAlbum, bigArtist])
  assert.deepEqual((await metadata('replace_metadata', exported)).body, success)
  assert.deepEqual((await metadata('export_metadata')).body, exported)
})
