/**
 * Operations on sources and settings, and what is read of databases (reference/metadata-operations#sources,
 * reference/metadata-operations#roles-limits-telemetry).
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { musicTables } from '../../../test/admin/music-names.ts'
import { createTestDatabase } from '../../../test/postgres.ts'
import { startService } from '../../test/metadata-service.ts'

const success = { message: 'success' }

test('rename_source keeps all that is in it, and follows every form of the name', async (t) => {
  const { metadata } = await startService(t, musicTables)
  await metadata('pg_track_table', { table: 'artist' })
  const refusals = [
    await metadata('rename_source', { name: 'nobody', new_name: 'other' }),
    await metadata('rename_source', { name: 'default', new_name: '' }),
  ]
  assert.deepEqual(
    refusals.map(({ body }) => body.code),
    ['not-exists', 'parse-failed'],
  )
  assert.deepEqual((await metadata('rename_source', { name: 'default', new_name: 'music' })).body, success)
  const { body } = await metadata('export_metadata')
  assert.deepEqual(
    body.sources.map((source: { name: string; tables: unknown[] }) => [source.name, source.tables.length]),
    [['music', 1]],
  )
  assert.equal((await metadata('pg_untrack_table', { source: 'music', table: 'artist' })).status, 200)
})

test('rename_source is followed by relationships of the types of actions', async (t) => {
  const { metadata } = await startService(t, musicTables)
  await metadata('pg_track_table', { table: 'artist' })
  const relationship = (more: object) => ({
    name: 'artist',
    type: 'object',
    remote_table: { schema: 'public', name: 'artist' },
    field_mapping: { id: 'id' },
    ...more,
  })
  const fields = [{ name: 'id', type: 'Int!' }]
  const objects = [
    { name: 'A', fields, relationships: [relationship({})] },
    { name: 'B', fields },
    { name: 'C', fields, relationships: [relationship({ source: 'default' })] },
  ]
  assert.deepEqual((await metadata('set_custom_types', { objects })).body, success)
  assert.deepEqual((await metadata('rename_source', { name: 'default', new_name: 'music' })).body, success)
  const { body } = await metadata('export_metadata')
  assert.deepEqual(
    body.custom_types.objects.map(({ relationships }: { relationships?: object[] }) => relationships ?? []),
    [[relationship({ source: 'music' })], [], [relationship({ source: 'music' })]],
  )
  assert.deepEqual((await metadata('rename_source', { name: 'music', new_name: 'default' })).body, success)
  const back = (await metadata('export_metadata')).body.custom_types.objects
  assert.equal(back[0].relationships[0].source ?? 'default', 'default')
})

test('rename_source to a source that is there is refused', async (t) => {
  const { metadata, databaseUrl } = await startService(t)
  const configuration = { connection_info: { database_url: databaseUrl } }
  assert.deepEqual((await metadata('add_source', { name: 'other', configuration })).body, success)
  assert.equal((await metadata('rename_source', { name: 'other', new_name: 'default' })).body.code, 'already-exists')
  assert.deepEqual((await metadata('drop_source', { name: 'other' })).body, success)
})

test('a computed field that is not there is refused at $.args.name, what else is wrong at $.args', async (t) => {
  const { metadata } = await startService(
    t,
    `CREATE TABLE author (id int PRIMARY KEY, name text);
     CREATE FUNCTION loud(a author) RETURNS text STABLE LANGUAGE sql AS $$ SELECT upper(a.name) $$`,
  )
  await metadata('pg_track_table', { table: 'author' })
  const add = (name: string) =>
    metadata('pg_add_computed_field', { table: 'author', name, definition: { function: 'loud' } })
  assert.deepEqual((await add('loud')).body, success)
  const permission = { columns: ['id'], computed_fields: ['loud'], filter: {} }
  await metadata('pg_create_select_permission', { table: 'author', role: 'user', permission })
  const drop = (name: string) => metadata('pg_drop_computed_field', { table: 'author', name })
  const refused = [await add('name'), await add('loud'), await drop('quiet'), await drop('loud')]
  assert.deepEqual(
    refused.map(({ status, body }) => [status, body.code, body.path]),
    [
      [400, 'invalid-configuration', '$.args'],
      [400, 'already-exists', '$.args'],
      [400, 'not-exists', '$.args.name'],
      [400, 'dependency-error', '$.args'],
    ],
  )
})

test('get_source_tables lists what the database has now, tracked or not', async (t) => {
  const { metadata, sql } = await startService(t, musicTables)
  await sql('CREATE TABLE made_later (id int); CREATE SCHEMA a; CREATE VIEW a.v AS SELECT 1 AS one')
  for (const type of ['pg_get_source_tables', 'postgres_get_source_tables', 'get_source_tables']) {
    const { body } = await metadata(type, { source: 'default' })
    assert.deepEqual(body[0], { name: 'v', schema: 'a' })
    assert.ok(body.some(({ name }: { name: string }) => name === 'made_later'))
    assert.ok(!body.some(({ schema }: { schema: string }) => schema === 'svc_catalog' || schema === 'pg_catalog'))
  }
  assert.equal((await metadata('pg_get_source_tables', { source: 'nobody' })).body.code, 'not-exists')
})

test('get_table_info describes a table of the database', async (t) => {
  const { metadata } = await startService(
    t,
    `CREATE TABLE author (id int PRIMARY KEY, name text NOT NULL DEFAULT '', upper text GENERATED ALWAYS AS (upper(name)) STORED);
     CREATE TABLE book (id int, author_id int REFERENCES author, tags text[]); COMMENT ON TABLE author IS 'who writes'`,
  )
  const { body } = await metadata('pg_get_table_info', { source: 'default', table: 'author' })
  assert.deepEqual(body, {
    name: { name: 'author', schema: 'public' },
    type: 'table',
    columns: [
      { name: 'id', type: 'int4', nullable: false, insertable: true, updatable: true, has_default: false },
      { name: 'name', type: 'text', nullable: false, insertable: true, updatable: true, has_default: true },
      { name: 'upper', type: 'text', nullable: true, insertable: false, updatable: false, has_default: false },
    ],
    primary_key: ['id'],
    description: 'who writes',
    insertable: true,
    updatable: true,
    deletable: true,
  })
  const book = await metadata('get_table_info', { source: 'default', table: { schema: 'public', name: 'book' } })
  assert.deepEqual(book.body.foreign_keys, {
    book_author_id_fkey: { foreign_table: { name: 'author', schema: 'public' }, column_mapping: { author_id: 'id' } },
  })
  assert.equal(book.body.columns[2].type, 'text[]')
  assert.equal((await metadata('get_table_info', { source: 'default', table: 'nothing' })).body.code, 'not-exists')
})

test('suggest_relationships offers both directions of foreign keys between tracked tables', async (t) => {
  const { metadata } = await startService(
    t,
    `CREATE TABLE author (id int PRIMARY KEY); CREATE TABLE book (id int PRIMARY KEY, author_id int REFERENCES author);
     CREATE TABLE cover (book_id int PRIMARY KEY REFERENCES book)`,
  )
  await metadata('pg_track_tables', { tables: ['author', 'book'] })
  const [author, book] = ['author', 'book'].map((name) => ({ name, schema: 'public' }))
  const constraint_name = 'book_author_id_fkey'
  const object = {
    type: 'object',
    from: { table: book, columns: ['author_id'], constraint_name },
    to: { table: author, columns: ['id'] },
  }
  const array = {
    type: 'array',
    from: { table: author, columns: ['id'] },
    to: { table: book, columns: ['author_id'], constraint_name },
  }
  assert.deepEqual((await metadata('pg_suggest_relationships', {})).body, { relationships: [object, array] })
  assert.deepEqual((await metadata('suggest_relationships', { tables: ['author'] })).body.relationships, [array])
  await metadata('pg_create_object_relationship', {
    table: 'book',
    name: 'author',
    using: { foreign_key_constraint_on: 'author_id' },
  })
  assert.deepEqual((await metadata('pg_suggest_relationships', { omit_tracked: true })).body.relationships, [array])
  await metadata('pg_create_array_relationship', {
    table: 'author',
    name: 'books',
    using: { manual_configuration: { remote_table: 'book', column_mapping: { id: 'author_id' } } },
  })
  assert.deepEqual((await metadata('pg_suggest_relationships', { omit_tracked: true })).body.relationships, [])
  await metadata('pg_track_table', { table: 'cover' })
  const { body } = await metadata('pg_suggest_relationships', { tables: ['book'], omit_tracked: true })
  assert.deepEqual(
    body.relationships.map(({ type, to }: { type: string; to: { table: object } }) => [type, to.table]),
    [['object', { name: 'cover', schema: 'public' }]],
    'a key that is unique reaches one row',
  )
})

test('list_source_kinds says what is served; agents are not', async (t) => {
  const { metadata } = await startService(t)
  const { body } = await metadata('list_source_kinds', {})
  assert.deepEqual(body.sources, [
    { kind: 'pg', builtin: true, available: true },
    { kind: 'citus', builtin: true, available: true },
    { kind: 'cockroach', builtin: true, available: true },
    { kind: 'mssql', builtin: true, available: true },
    { kind: 'bigquery', builtin: true, available: true },
  ])
  const refused = await metadata('get_source_kind_capabilities', { name: 'sqlite' })
  assert.equal(refused.body.code, 'data-connector-error')
})

test('the catalogue keeps what clients give it, and no version of metadata changes', async (t) => {
  const { metadata, version, store } = await startService(t)
  const before = version()
  const empty = (await metadata('get_catalog_state', {})).body
  assert.deepEqual(empty, { id: store.catalogId, cli_state: {}, console_state: {} })
  const state = { migrations: { default: { '1': false } } }
  assert.deepEqual((await metadata('set_catalog_state', { type: 'cli', state })).body, success)
  assert.deepEqual((await metadata('get_catalog_state', null)).body, { ...empty, cli_state: state })
  assert.equal((await metadata('set_catalog_state', { type: 'other', state })).body.code, 'parse-failed')
  const next = { migrations: { default: { '1': false, '2': false } } }
  const stale = await metadata('set_catalog_state', { type: 'cli', state: next, expected: {} })
  assert.deepEqual([stale.status, stale.body.code, stale.body.path], [409, 'conflict', '$.args'])
  assert.deepEqual((await metadata('get_catalog_state', null)).body, { ...empty, cli_state: state })
  const fits = { type: 'cli', state: next, expected: state }
  assert.deepEqual((await metadata('set_catalog_state', fits)).body, success)
  assert.equal((await metadata('set_catalog_state', fits)).status, 409)
  assert.deepEqual((await metadata('set_catalog_state', { ...fits, type: 'console', expected: {} })).body, success)
  assert.deepEqual((await metadata('get_catalog_state', null)).body, { ...empty, cli_state: next, console_state: next })
  assert.equal(version(), before)
})

test('dump_internal_state shows tables and holds no password', async (t) => {
  const { metadata, databaseUrl } = await startService(t, musicTables)
  const { status, body } = await metadata('dump_internal_state')
  assert.equal(status, 200)
  assert.equal(body.sources[0].name, 'default')
  assert.ok(body.sources[0].tables.length > 2)
  assert.ok(!JSON.stringify(body).includes(databaseUrl))
})

test('settings of the server are stored, exported and removed again', async (t) => {
  const { metadata, version } = await startService(t)
  const exported = async () => {
    const { version: _, sources: __, ...rest } = (await metadata('export_metadata')).body
    return rest
  }
  const api_limits = {
    depth_limit: { global: 5, per_role: { user: 3 } },
    rate_limit: { global: { max_reqs_per_min: 1, unique_params: 'IP' } },
  }
  const metrics_config = { analyze_query_variables: true, analyze_response_body: false }
  assert.deepEqual((await metadata('set_api_limits', api_limits)).body, success)
  assert.deepEqual((await metadata('set_metrics_config', metrics_config)).body, success)
  assert.deepEqual((await metadata('set_opentelemetry_status', 'enabled')).body, success)
  assert.deepEqual(
    (await metadata('set_opentelemetry_config', { status: 'disabled', data_types: ['traces'] })).body,
    success,
  )
  const { opentelemetry, ...rest } = await exported()
  assert.deepEqual(rest, { api_limits, metrics_config })
  assert.deepEqual([opentelemetry.status, opentelemetry.data_types], ['disabled', ['traces']])
  const before = version()
  assert.deepEqual((await metadata('set_api_limits', api_limits)).body, success)
  assert.equal(version(), before, 'nothing changed')
  for (const [type, args] of [
    ['remove_api_limits', undefined],
    ['remove_metrics_config', {}],
    ['set_opentelemetry_config', {}],
  ] as const)
    assert.deepEqual((await metadata(type, args)).body, success)
  assert.deepEqual(await exported(), {})
  assert.equal((await metadata('set_opentelemetry_status', 'perhaps')).body.code, 'parse-failed')
  assert.equal((await metadata('set_api_limits', { depth_limit: { global: 'deep' } })).body.code, 'parse-failed')
})

test('the TLS allow-list knows a host once for each suffix', async (t) => {
  const { metadata } = await startService(t)
  const add = (args: object) => metadata('add_host_to_tls_allowlist', args)
  const drop = (args: object) => metadata('drop_host_from_tls_allowlist', args)
  assert.deepEqual((await add({ host: 'a.example', permissions: ['self-signed'] })).body, success)
  assert.deepEqual((await add({ host: 'a.example', suffix: '8080' })).body, success)
  assert.deepEqual((await metadata('export_metadata')).body.network, {
    tls_allowlist: [
      { host: 'a.example', permissions: ['self-signed'] },
      { host: 'a.example', suffix: '8080' },
    ],
  })
  const codes = [await add({ host: '' }), await add({ host: 'a.example' }), await drop({ host: 'b.example' })]
  assert.deepEqual(
    codes.map(({ body }) => body.code),
    ['bad-request', 'already-exists', 'not-exists'],
  )
  assert.deepEqual((await drop({ host: 'a.example' })).body, success)
  assert.deepEqual((await drop({ host: 'a.example', suffix: '8080' })).body, success)
  assert.equal((await metadata('export_metadata')).body.network, undefined)
})

test('set_query_tags is stored with the source', async (t) => {
  const { metadata } = await startService(t)
  const tags = { disabled: false, format: 'sqlcommenter', omit_request_id: true }
  assert.deepEqual((await metadata('set_query_tags', { source_name: 'default', ...tags })).body, success)
  assert.deepEqual((await metadata('export_metadata')).body.sources[0].query_tags, tags)
  assert.equal((await metadata('set_query_tags', { source_name: 'nobody' })).body.code, 'not-exists')
})

test('run_sql goes by the prefix of each kind, to sources of that kind; concurrent_bulk reads only', async (t) => {
  const { ask, metadata } = await startService(t)
  const other = await createTestDatabase(t)
  const configuration = { connection_info: { database_url: other.url } }
  assert.deepEqual((await metadata('citus_add_source', { name: 'citus', configuration })).body, success)
  const run = (type: string, args: object = {}) => ask('/v2/query', { type, args: { sql: 'SELECT 1 AS one', ...args } })
  for (const type of ['run_sql', 'pg_run_sql', 'postgres_run_sql']) assert.equal((await run(type)).status, 200, type)
  assert.equal((await run('citus_run_sql', { source: 'citus' })).status, 200)
  assert.equal((await run('pg_run_sql', { source: 'citus' })).body.code, 'not-exists')
  assert.equal((await run('citus_run_sql')).body.code, 'not-exists')
  for (const type of ['citus_track_tables', 'citus_untrack_tables']) {
    const { body } = await metadata(type, { tables: [{ table: 'artist', source: 'citus' }, 'artist'] })
    assert.equal(body.code, 'not-exists', type)
    assert.match(body.error, /"default" has backend type postgres which does not match the expected type citus/)
  }
  assert.equal((await run('sqlite_run_sql')).body.code, 'not-supported')
  const read = { type: 'run_sql', args: { sql: 'SELECT 1 AS one', read_only: true } }
  const both = await ask('/v2/query', { type: 'concurrent_bulk', args: [read, read] })
  assert.deepEqual(
    both.body.map(({ result }: { result: unknown }) => result),
    [
      [['one'], ['1']],
      [['one'], ['1']],
    ],
  )
  const alters = { type: 'run_sql', args: { sql: 'ALTER TABLE a ADD COLUMN b int' } }
  const refused = await ask('/v2/query', { type: 'concurrent_bulk', args: [read, alters] })
  assert.deepEqual([refused.status, refused.body.code], [500, 'unexpected'])
  // nothing in its words says that metadata may be concerned
  for (const more of [{}, { no_transaction: true }, { read_only: true }]) {
    const writes = { type: 'run_sql', args: { sql: 'CREATE TABLE written (id int)', ...more } }
    const { status, body } = await ask('/v2/query', { type: 'concurrent_bulk', args: [read, writes] })
    assert.deepEqual([status, body.code, body.path], [500, 'unexpected', '$[1]'])
    assert.equal(body.error, 'Only read-only queries are allowed in a concurrent_bulk')
  }
  const fails = { type: 'run_sql', args: { sql: 'SELECT 1/0' } }
  assert.equal((await ask('/v2/query', { type: 'concurrent_bulk', args: [fails] })).body.code, 'postgres-error')
  const words = await run('run_sql', { sql: "SELECT to_regclass('written') IS NULL AS absent" })
  assert.deepEqual(words.body.result, [['absent'], ['t']])
})

test('a source that becomes one of another kind is connected again', async (t) => {
  const { metadata } = await startService(t)
  const { version, sources } = (await metadata('export_metadata')).body
  const ofKind = (kind: string) => ({ version, sources: [{ ...sources[0], kind }] })
  const refused = await metadata('replace_metadata', ofKind('postgress'))
  assert.deepEqual([refused.body.code, refused.body.path], ['invalid-params', '$.args.sources'])
  assert.deepEqual((await metadata('replace_metadata', ofKind('alloydb'))).body, success)
  const [kept] = (await metadata('get_inconsistent_metadata')).body
  assert.equal(kept.reason, 'Inconsistent object: sources of kind "alloydb" cannot be served')
  assert.deepEqual((await metadata('replace_metadata', ofKind('citus'))).body, success)
  assert.deepEqual((await metadata('get_inconsistent_metadata')).body, [])
})

test('errors name the spelling of a key that was sent', async (t) => {
  const { metadata } = await startService(t, musicTables)
  await metadata('pg_track_table', { table: 'artist' })
  const trigger = { name: 'a', table: 'artist', webhook: 'http://localhost/a', insert: { columns: '*' } }
  const wrong = { version: 2, method: 7 }
  const answers = [
    await metadata('pg_create_event_trigger', { ...trigger, transform: wrong }),
    await metadata('pg_create_event_trigger', { ...trigger, request_transform: wrong }),
    await metadata('pg_set_table_customization', {
      table: 'artist',
      configuration: { identifier: 'one', custom_name: 'two' },
    }),
    await metadata('replace_metadata', { version: 3, sources: [], allow_list: [{ collection: 7 }] }),
  ]
  assert.deepEqual(
    answers.map(({ status, body }) => [status, body.path]),
    [
      [400, '$.args.transform.method'],
      [400, '$.args.request_transform.method'],
      [400, '$.args.configuration.identifier'],
      [400, '$.args.allow_list[0].collection'],
    ],
  )
})

test('allow_list of a document is read as allowlist', async (t) => {
  const { metadata } = await startService(t)
  const { body } = await metadata('export_metadata')
  const query_collections = [{ name: 'c', definition: { queries: [{ name: 'q', query: '{ __typename }' }] } }]
  const replaced = await metadata('replace_metadata', { ...body, query_collections, allow_list: [{ collection: 'c' }] })
  assert.equal(replaced.status, 200, JSON.stringify(replaced.body))
  assert.deepEqual((await metadata('export_metadata')).body.allowlist, [{ collection: 'c', scope: { global: true } }])
})

test('bulk_keep_going goes on after an operation that is not served', async (t) => {
  const { metadata } = await startService(t, musicTables)
  const { status, body } = await metadata('bulk_keep_going', [
    { type: 'sqlite_track_table', args: {} },
    { type: 'pg_track_table', args: { table: 'artist' } },
  ])
  assert.equal(status, 200)
  assert.deepEqual([body[0].code, body[0].path, body[1]], ['not-supported', '$.args[0]', success])
})

test('clashing names are said of the root that has them', async (t) => {
  const { metadata } = await startService(t, musicTables)
  await metadata('pg_track_table', { table: 'artist' })
  const names = async (custom_root_fields: object) => {
    const answer = await metadata('pg_track_table', { table: 'album', configuration: { custom_root_fields } })
    return [answer.status, /(for types|'[a-z]+_root')/.exec(answer.body.error)?.[0]]
  }
  assert.deepEqual(await names({ select: 'artist' }), [500, "'query_root'"])
  assert.deepEqual(await names({ insert: 'insert_artist' }), [500, "'mutation_root'"])
})

test('the contract’s first operations are served without prefix, in version 2 too', async (t) => {
  const { ask } = await startService(t, musicTables)
  const track = { type: 'track_table', version: 2, args: { table: 'artist' } }
  assert.deepEqual((await ask('/v1/metadata', track)).body, success)
  const fields = { type: 'set_table_custom_fields', version: 2, args: { table: 'artist', custom_root_fields: {} } }
  assert.deepEqual((await ask('/v1/metadata', fields)).body, success)
  assert.deepEqual((await ask('/v1/metadata', { type: 'reload_metadata', args: null })).status, 200)
})

test('replace of an event trigger that is not there creates it', async (t) => {
  const { metadata } = await startService(t, musicTables)
  await metadata('pg_track_table', { table: 'artist' })
  const trigger = { name: 'a', table: 'artist', webhook: 'http://localhost/a', insert: { columns: '*' } }
  const created = await metadata('pg_create_event_trigger', { ...trigger, replace: true })
  assert.deepEqual(created.body, success)
})
