/** Sources of kinds that the engine knows and cannot serve: kept, with whatever refers to them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startEngine } from '../engine.ts'

const why = 'sources of kind "alloydb" cannot be served'

test('a source of a kind that cannot be served is kept with whatever refers to it; an unknown kind is refused', async (t) => {
  const engine = await startEngine({}, t)
  const ok = async (type: string, args: unknown, more: object = {}) => {
    const { status, text, body } = await engine.metadata(type, args, more)
    assert.equal(status, 200, text)
    return body
  }
  await engine.post('/v2/query', { type: 'run_sql', args: { sql: 'CREATE TABLE pet (id int PRIMARY KEY)' } })
  await ok('pg_track_table', { table: 'pet' })
  const own = await ok('export_metadata', {})
  const table = { schema: 'public', name: 'owner' }
  const configuration = { connection_info: { database_url: 'postgres://127.0.0.1:1/away' } }
  const to_source = { source: 'away', table, relationship_type: 'object', field_mapping: { id: 'id' } }
  const relationship = {
    name: 'owner',
    type: 'object',
    source: 'away',
    remote_table: table,
    field_mapping: { id: 'id' },
  }
  const [source] = own.sources
  const metadata = (kind: string) => ({
    ...own,
    sources: [
      {
        ...source,
        tables: [{ ...source.tables[0], remote_relationships: [{ name: 'owner', definition: { to_source } }] }],
      },
      { name: 'away', kind, tables: [{ table }], configuration },
    ],
    custom_types: {
      objects: [{ name: 'Found', fields: [{ name: 'id', type: 'Int' }], relationships: [relationship] }],
    },
    actions: [{ name: 'find', definition: { handler: 'http://127.0.0.1:1/', output_type: 'Found', type: 'query' } }],
  })

  await ok('replace_metadata', { metadata: metadata('alloydb') }, { version: 2 })
  const kept = await ok('export_metadata', {})
  const inconsistent: { type: string; reason: string }[] = await ok('get_inconsistent_metadata', {})
  assert.deepEqual(
    inconsistent.map(({ type, reason }) => [type, reason.includes(why)]).sort(),
    [['action', false], ['custom_types', true], ['remote_relationship', true], ['source', true]], // biome-ignore format: a table
    JSON.stringify(inconsistent),
  )
  assert.deepEqual((await engine.get('/healthz')).text, 'OK')
  const strict = await engine.get('/healthz?strict=true')
  assert.equal(strict.status, 500)
  assert.match(strict.text, /source away/)

  await ok('drop_inconsistent_metadata', {})
  assert.deepEqual(await ok('export_metadata', {}), kept)
  const again = await engine.post('/v1/query', { type: 'replace_metadata', args: kept })
  assert.equal(again.status, 200, again.text)

  const unknown = { metadata: metadata('oracle'), allow_inconsistent_metadata: true }
  const refused = await engine.metadata('replace_metadata', unknown, { version: 2 })
  assert.deepEqual(
    [refused.status, refused.body.code, refused.body.path, refused.body.error],
    [
      400,
      'invalid-params',
      '$.args.metadata.sources',
      'source "away" is of the unknown kind "oracle": expected one of postgres, citus, cockroach, alloydb, mssql, bigquery',
    ],
  )
  const agent = { ...metadata('oracle'), backend_configs: { dataconnector: { oracle: { uri: 'http://127.0.0.1:1' } } } }
  await ok('replace_metadata', { metadata: agent, allow_inconsistent_metadata: true }, { version: 2 })
})
