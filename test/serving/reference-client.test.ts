/**
 * The requests that Hasura's command line makes, against an engine with its header prefix and forms of answers. The program
 * itself is no package of a registry (its npm package downloads it), so what its documented commands send is sent here.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { runOnDatabase } from '../admin/run-on-database.ts'
import { type Engine, startEngine } from '../engine.ts'
import { createTestDatabase } from '../postgres.ts'

const headers = { 'x-svc-admin-secret': null, 'x-hasura-admin-secret': 'test-secret' }
const key = 'a-key-of-at-least-thirty-two-bytes'

describe("Hasura's command line", () => {
  let engine: Engine
  before(async () => {
    const database = await createTestDatabase()
    await runOnDatabase(database.url, 'CREATE TABLE kept (id int PRIMARY KEY)')
    engine = await startEngine({
      databaseUrl: database.url,
      env: {
        SVC_GRAPHQL_HEADER_PREFIX: 'X-Hasura-',
        SVC_GRAPHQL_REFERENCE_ANSWERS: 'true',
        SVC_GRAPHQL_JWT_SECRET: JSON.stringify({ type: 'HS256', key }),
        SVC_GRAPHQL_DEFAULT_NAMING_CONVENTION: 'hasura-default',
      },
    })
  })
  after(() => engine.stop())

  const ok = async (path: string, type: string, args: unknown, more: object = {}) => {
    const { status, text, body } = await engine.post(path, { type, args, ...more }, headers)
    assert.equal(status, 200, text)
    return body
  }
  const metadata = (type: string, args: unknown, more: object = {}) => ok('/v1/metadata', type, args, more)

  test('every command: asks for the version, the configuration and health', async () => {
    const { body } = await engine.get('/v1/version', headers)
    assert.match(body.version, /^v2\./)
    assert.equal((await engine.get('/healthz', headers)).text, 'OK')
    assert.equal((await engine.get('/hasura/healthz', headers)).text, 'OK')
    const config = (await engine.get('/v1alpha1/config', headers)).body
    assert.equal(config.is_admin_secret_set, true)
    assert.deepEqual(config.jwt, config.jwts)
    assert.equal(config.default_naming_convention, 'hasura-default')
  })

  test('migrate apply: keeps its state with the catalogue, runs SQL of a source, marks the version', async () => {
    assert.deepEqual((await metadata('get_catalog_state', {})).cli_state, {})
    const mode = { settings: { migration_mode: 'true' }, migrations: {}, isStateCopyCompleted: true }
    assert.deepEqual(await metadata('set_catalog_state', { type: 'cli', state: mode }), { message: 'success' })
    const answers = await ok('/v2/query', 'bulk', [
      { type: 'run_sql', args: { source: 'default', sql: 'CREATE TABLE item (id int PRIMARY KEY, owner text);' } },
      { type: 'pg_run_sql', args: { source: 'default', sql: 'SELECT 1 AS one', read_only: true } },
    ])
    assert.deepEqual(answers, [
      { result_type: 'CommandOk', result: null },
      { result_type: 'TuplesOk', result: [['one'], ['1']] },
    ])
    const state = { ...mode, migrations: { default: { '1700000000000': false } } }
    await metadata('set_catalog_state', { type: 'cli', state })
    assert.deepEqual((await metadata('get_catalog_state', {})).cli_state, state)
  })

  test('migrate create --from-server: dumps the schema', async () => {
    const opts = ['-O', '-x', '--schema-only', '--schema', 'public']
    const dump = await engine.post('/v1alpha1/pg_dump', { opts, clean_output: true, source: 'default' }, headers)
    // the program may be older than the database, or not there
    if (dump.status === 200) assert.match(dump.text, /CREATE TABLE public\.item/)
    else assert.match(dump.body.error, /^(pg_dump is not installed|error while executing pg_dump)/)
  })

  test('metadata apply, export, reload and the inconsistencies', async () => {
    const { sources, ...others } = await metadata('export_metadata', {})
    const [source] = sources
    const table = { schema: 'public', name: 'item' }
    const joined = { remote_schema: 'gone', hasura_fields: ['id'], remote_field: { one: { arguments: { id: '$id' } } } }
    const tables = [
      {
        table,
        remote_relationships: [{ name: 'far', definition: joined }],
        select_permissions: [
          { role: 'user', permission: { columns: ['id'], filter: { owner: { _eq: 'X-Hasura-User-Id' } } } },
        ],
      },
      { table: { schema: 'public', name: 'missing' } },
    ]
    const customization = { naming_convention: 'hasura-default' }
    const document = { ...others, sources: [{ ...source, tables, customization }] }
    const replaced = await metadata(
      'replace_metadata',
      { allow_inconsistent_metadata: true, metadata: document },
      { version: 2 },
    )
    assert.equal(replaced.is_consistent, false)
    const exported = await metadata('export_metadata', {})
    assert.deepEqual(exported.sources[0].tables, tables)
    assert.deepEqual(exported.sources[0].customization, customization)
    const found = await metadata('get_inconsistent_metadata', {})
    assert.equal(found.is_consistent, false)
    assert.deepEqual(found.inconsistent_objects.map(({ type }: { type: string }) => type).sort(), [
      'remote_relationship',
      'table',
    ])
    const [inBulk] = await metadata('bulk', [{ type: 'get_inconsistent_metadata', args: {} }])
    assert.deepEqual(inBulk, found)
    const reloaded = await metadata('reload_metadata', { reload_remote_schemas: true, reload_sources: true })
    assert.equal(reloaded.is_consistent, false)
    assert.deepEqual(await metadata('drop_inconsistent_metadata', {}), { message: 'success' })
    assert.deepEqual(await metadata('get_inconsistent_metadata', {}), { is_consistent: true, inconsistent_objects: [] })
  })
})

test('without --reference-answers the forms are those of the engine', async (t) => {
  const engine = await startEngine({ env: { SVC_GRAPHQL_JWT_SECRET: JSON.stringify({ type: 'HS256', key }) } }, t)
  const config = (await engine.get('/v1alpha1/config')).body
  assert.equal(config.jwt.claims_format, 'json')
  assert.equal(config.default_naming_convention, 'svc-default')
  assert.deepEqual((await engine.metadata('get_inconsistent_metadata', {})).body, [])
})
