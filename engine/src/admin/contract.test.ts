/** Points of the contract that are easily missed; each by the answer of the API. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startService } from '../../test/metadata-service.ts'

const success = { message: 'success' }
const reports = {
  name: 'reports',
  kind: 'alloydb',
  tables: [{ table: 'sales' }],
  configuration: { connection_info: { database_url: 'postgres://localhost/nothing' } },
}

test('drop_inconsistent_metadata keeps sources of kinds that are not served; each can be dropped by name', async (t) => {
  const { metadata, databaseUrl } = await startService(t, 'CREATE TABLE a (id int)')
  const own = {
    name: 'default',
    kind: 'postgres',
    configuration: { connection_info: { database_url: databaseUrl } },
    tables: [{ table: 'a' }, { table: 'gone' }],
  }
  const replaced = await metadata(
    'replace_metadata',
    { allow_inconsistent_metadata: true, metadata: { version: 3, sources: [own, reports] } },
    { version: 2 },
  )
  assert.equal(replaced.body.is_consistent, false)
  assert.deepEqual((await metadata('drop_inconsistent_metadata')).body, success)
  const sources = async () =>
    (await metadata('export_metadata')).body.sources.map((source: { name: string; tables: unknown[] }) => [
      source.name,
      source.tables.length,
    ])
  assert.deepEqual(await sources(), [
    ['default', 1],
    ['reports', 1],
  ])
  const listed = (await metadata('get_inconsistent_metadata')).body
  assert.deepEqual(
    listed.map(({ name }: { name: string }) => name),
    ['source reports'],
  )
  assert.deepEqual((await metadata('alloydb_drop_source', { name: 'reports' })).body, success)
  assert.deepEqual(await sources(), [['default', 1]])
})

test('permissions that cannot be inherited are listed, and metadata is consistent', async (t) => {
  const { metadata, databaseUrl } = await startService(t, 'CREATE TABLE a (id int PRIMARY KEY, b int)')
  const insert = (role: string, columns: readonly string[]) => ({ role, permission: { check: {}, columns } })
  const document = {
    version: 3,
    sources: [
      {
        name: 'default',
        kind: 'postgres',
        configuration: { connection_info: { database_url: databaseUrl } },
        tables: [{ table: 'a', insert_permissions: [insert('one', ['id']), insert('two', ['b'])] }],
      },
    ],
    inherited_roles: [{ role_name: 'both', role_set: ['one', 'two'] }],
  }
  const replaced = await metadata('replace_metadata', { metadata: document }, { version: 2 })
  assert.deepEqual(replaced.body, { is_consistent: true, inconsistent_objects: [] })
  const [listed] = (await metadata('get_inconsistent_metadata')).body
  assert.equal(listed.type, 'inherited role permission inconsistency')
  assert.equal((await metadata('reload_metadata', {})).body.is_consistent, true)
  assert.deepEqual((await metadata('drop_inconsistent_metadata')).body, success)
})

test('dropping an inherited role that another is made of is a 400', async (t) => {
  const { metadata } = await startService(t, 'CREATE TABLE a (id int)')
  await metadata('pg_track_table', { table: 'a' })
  await metadata('pg_create_select_permission', {
    table: 'a',
    role: 'one',
    permission: { columns: ['id'], filter: {} },
  })
  await metadata('add_inherited_role', { role_name: 'two', role_set: ['one'] })
  await metadata('add_inherited_role', { role_name: 'three', role_set: ['two'] })
  const { status, body } = await metadata('drop_inherited_role', { role: 'two' })
  assert.deepEqual(
    [status, body.code, body.path, body.error],
    [400, 'unexpected', '$.args', 'cannot continue due to new inconsistent metadata'],
  )
})

test('untrack_function takes the function under the key table too', async (t) => {
  const { metadata, ask } = await startService(
    t,
    'CREATE TABLE a (id int); CREATE FUNCTION f() RETURNS SETOF a LANGUAGE sql STABLE AS $$ SELECT * FROM a $$',
  )
  await metadata('pg_track_table', { table: 'a' })
  const track = () => metadata('pg_track_function', { function: 'f' })
  assert.deepEqual((await track()).body, success)
  assert.deepEqual((await metadata('pg_untrack_function', { table: 'f' })).body, success)
  await track()
  assert.deepEqual(
    (await ask('/v1/query', { type: 'untrack_function', args: { table: { schema: 'public', name: 'f' } } })).body,
    success,
  )
})

test('a table with a key whose name GraphQL cannot take is refused with the remedy; in a document it is served', async (t) => {
  const { metadata, databaseUrl } = await startService(
    t,
    'CREATE TABLE a (id int, CONSTRAINT "my-key" PRIMARY KEY (id))',
  )
  const { status, body } = await metadata('pg_track_table', { table: 'a' })
  assert.deepEqual([status, body.code, body.path], [400, 'validation-failed', '$.args'])
  assert.match(body.error, /"my-key"/)
  assert.match(body.error, /ALTER TABLE "public"\."a" RENAME CONSTRAINT "my-key" TO my_key$/)
  const configuration = { connection_info: { database_url: databaseUrl } }
  const document = {
    version: 3,
    sources: [{ name: 'default', kind: 'postgres', configuration, tables: [{ table: 'a' }] }],
  }
  assert.equal((await metadata('replace_metadata', document)).status, 200)
})

test('who asks is checked before what is asked', async (t) => {
  const { ask } = await startService(t)
  const codes = await Promise.all(
    [
      ask('/v1/metadata', { type: 'nonsense', args: {} }, 'user'),
      ask('/v2/query', { type: 'nonsense', args: {} }, 'user'),
      ask('/v1/query', { type: 'nonsense', args: {} }, 'user'),
      ask('/v1/query', { type: 'bulk', args: [{ type: 'nonsense', args: {} }] }, 'user'),
      ask('/v1/metadata', { type: 'pg_track_table', args: { tabel: 1 } }, 'user'),
    ].map(async (answer) => {
      const { status, body } = await answer
      return [status, body.code, body.path]
    }),
  )
  for (const one of codes) assert.deepEqual(one, [400, 'access-denied', '$.args'])
  assert.equal(
    (await ask('/v1/query', { type: 'insert', args: { table: 't', objects: [{}] } }, 'user')).body.code,
    'not-exists',
  )
})

test('a computed field that is not there is reported at its name', async (t) => {
  const { metadata } = await startService(t, 'CREATE TABLE a (id int)')
  await metadata('pg_track_table', { table: 'a' })
  const { body } = await metadata('pg_drop_computed_field', { table: 'a', name: 'nothing' })
  assert.deepEqual([body.code, body.path], ['not-exists', '$.args.name'])
})

test('a query action may come with an empty kind, as older tools write it', async (t) => {
  const { metadata } = await startService(t)
  const action = (type: string) => ({
    version: 3,
    sources: [],
    actions: [{ name: 'hello', definition: { handler: 'http://localhost', output_type: 'String', type, kind: '' } }],
  })
  const replace = (type: string) =>
    metadata('replace_metadata', { allow_inconsistent_metadata: true, metadata: action(type) })
  assert.equal((await replace('query')).status, 200)
  assert.equal((await replace('mutation')).body.code, 'parse-failed')
})

test('run_sql that changes the type of a column which permissions compare with constants is refused', async (t) => {
  const { metadata, ask } = await startService(
    t,
    'CREATE TABLE a (id int PRIMARY KEY, n int, m int); CREATE TABLE b (id int, a_id int REFERENCES a)',
  )
  const create = (table: string, role: string, filter: object) =>
    metadata('pg_create_select_permission', { table, role, permission: { columns: ['id'], filter } })
  await metadata('pg_track_tables', { tables: ['a', 'b'] })
  await metadata('pg_create_object_relationship', {
    table: 'b',
    name: 'a',
    using: { foreign_key_constraint_on: 'a_id' },
  })
  await create('a', 'constant', { n: { _eq: 7 } })
  await create('a', 'session', { n: { _eq: 'X-Svc-N' } })
  await create('a', 'column', { n: { _ceq: 'm' } })
  await create('a', 'null', { n: { _is_null: true } })
  await create('b', 'related', { _or: [{ a: { n: { _in: [1, 2] } } }, { id: { _eq: 1 } }] })
  const run = (sql: string, more = {}) => ask('/v1/query', { type: 'run_sql', args: { sql, ...more } })
  const { status, body } = await run('ALTER TABLE a ALTER COLUMN n TYPE bigint')
  assert.deepEqual([status, body.code, body.path], [400, 'dependency-error', '$.args'])
  assert.equal(
    body.error,
    'cannot change type of column "n" in table "a" because of the following dependencies: permission a.constant.select in source "default", permission b.related.select in source "default"',
  )
  assert.equal((await run('SELECT n::bigint FROM a')).status, 200)
  assert.equal((await run('ALTER TABLE a ALTER COLUMN id TYPE bigint')).status, 200, 'nothing compares it')
})

test('a mapping keeps a column called __proto__ and may not be empty', async (t) => {
  const { metadata } = await startService(t, 'CREATE TABLE a ("__proto__" int PRIMARY KEY); CREATE TABLE b (a_id int)')
  await metadata('pg_track_tables', { tables: ['a', 'b'] })
  const using = (column_mapping: unknown) => ({ manual_configuration: { remote_table: 'b', column_mapping } })
  const create = (name: string, mapping: unknown) =>
    metadata('pg_create_array_relationship', { table: 'a', name, using: using(mapping) })
  assert.deepEqual((await create('bs', JSON.parse('{"__proto__":"a_id"}'))).body, success)
  const configured = JSON.parse('{"column_config":{"__proto__":{"custom_name":"proto"}}}')
  assert.deepEqual(
    (await metadata('pg_set_table_customization', { table: 'a', configuration: configured })).body,
    success,
  )
  const { body } = await metadata('export_metadata')
  const text = JSON.stringify(body.sources[0].tables[0])
  assert.match(text, /"column_mapping":\{"__proto__":"a_id"\}/)
  assert.match(text, /"column_config":\{"__proto__":\{"custom_name":"proto"\}\}/)
  assert.deepEqual((await metadata('replace_metadata', body)).body, success)
  assert.deepEqual(JSON.stringify((await metadata('export_metadata')).body), JSON.stringify(body))
  const refused = await create('none', {})
  assert.equal(refused.body.code, 'parse-failed')
})

test('the history holds no password of a database', async (t) => {
  const { metadata, databaseUrl, sql } = await startService(t)
  const url = (password: string) => `${databaseUrl}?password=${password}&application_name=x`
  const source = (password: string) => ({
    name: 'other',
    kind: 'postgres',
    tables: [],
    configuration: { connection_info: { database_url: url(password) } },
  })
  const replace = (password: string) =>
    metadata('replace_metadata', {
      allow_inconsistent_metadata: true,
      metadata: { version: 3, sources: [source(password)] },
    })
  assert.equal((await replace('first-secret')).status, 200)
  assert.equal((await replace('second-secret')).status, 200)
  assert.match(JSON.stringify((await metadata('export_metadata')).body), /second-secret/)
  await metadata('replace_metadata', { version: 3, sources: [] })
  const { body } = await metadata('get_metadata_changes', { since_resource_version: 1 })
  assert.ok(!JSON.stringify(body).includes('secret'), JSON.stringify(body))
  assert.ok(body.changes.length > 0)
  await sql(`DO $$ BEGIN
    IF EXISTS (SELECT FROM svc_catalog.change_log WHERE old::text LIKE '%-secret%' OR new::text LIKE '%-secret%')
    THEN RAISE EXCEPTION 'a password is in the log'; END IF; END $$`)
})

test('a document may have an event trigger of any name, with a warning; an operation creates none', async (t) => {
  const { metadata, databaseUrl, sql } = await startService(t)
  await sql('CREATE TABLE artist (id int PRIMARY KEY, name text)')
  const trigger = (name: string) => ({
    name,
    definition: { enable_manual: false, insert: { columns: '*' } },
    retry_conf: {},
    webhook: 'http://127.0.0.1:9',
  })
  const withTrigger = (name: string) => ({
    version: 3,
    sources: [
      {
        name: 'default',
        kind: 'postgres',
        tables: [{ table: 'artist', event_triggers: [trigger(name)] }],
        configuration: { connection_info: { database_url: databaseUrl } },
      },
    ],
  })
  const warning = {
    code: 'illegal-event-trigger-name',
    type: 'event_trigger',
    name: 'event_trigger new "artist" in table artist in source default',
    message:
      'the event trigger name "new "artist"" may not work as expected: a letter, then letters, digits, underscores and hyphens do',
  }
  const name = 'new "artist"'
  assert.deepEqual((await metadata('replace_metadata', withTrigger(name))).body, { message: 'success', warnings: [warning] }) // biome-ignore format: one line
  await sql("INSERT INTO artist VALUES (1, 'Ada')")
  assert.equal((await metadata('pg_delete_event_trigger', { name })).status, 200)
  const strict = { metadata: withTrigger(name), allow_warnings: false }
  const { body } = await metadata('replace_metadata', strict, { version: 2 })
  assert.deepEqual([body.code, body.internal], ['metadata-warnings', [warning]])
  const created = { table: 'artist', name, insert: { columns: '*' }, webhook: 'http://127.0.0.1:9' }
  assert.equal((await metadata('pg_create_event_trigger', created)).body.code, 'parse-failed')
  const long = withTrigger('a'.repeat(43))
  assert.equal((await metadata('replace_metadata', long)).body.code, 'parse-failed')
})

test('unknown keys at the top and in sources are warnings with a suggestion; a table refuses them', async (t) => {
  const { metadata, databaseUrl } = await startService(t)
  const source = {
    name: 'default',
    kind: 'postgres',
    tables: [],
    configuration: { connection_info: { database_url: databaseUrl } },
  }
  const document = { version: 3, sources: [{ ...source, query_tag: {} }], acitons: [] }
  const warnings = [
    {
      code: 'unknown-key',
      type: 'metadata',
      name: '$.args.metadata.acitons',
      message: 'the key "acitons" is unknown and was ignored: did you mean "actions"?',
    },
    {
      code: 'unknown-key',
      type: 'metadata',
      name: '$.args.metadata.sources[0].query_tag',
      message: 'the key "query_tag" is unknown and was ignored: did you mean "query_tags"?',
    },
  ]
  const replaced = await metadata('replace_metadata', { metadata: document }, { version: 2 })
  assert.deepEqual(replaced.body, { is_consistent: true, inconsistent_objects: [], warnings })
  const older = (await metadata('replace_metadata', document)).body
  assert.deepEqual([older.message, older.warnings[0].name], ['success', '$.args.acitons'])
  const strict = await metadata('replace_metadata', { metadata: document, allow_warnings: false }, { version: 2 })
  assert.deepEqual([strict.status, strict.body.code, strict.body.internal], [400, 'metadata-warnings', warnings])
  const exported = (await metadata('export_metadata')).body
  assert.deepEqual((await metadata('replace_metadata', exported)).body, success)
})

test('a cron trigger that exports leave out is kept when it is declared again', async (t) => {
  const { metadata } = await startService(t)
  const trigger = (comment: string, include_in_metadata = false) => ({
    name: 'nightly',
    webhook: 'http://localhost',
    schedule: '0 0 * * *',
    include_in_metadata,
    comment,
  })
  const replace = (...cron_triggers: unknown[]) =>
    metadata('replace_metadata', { version: 3, sources: [], cron_triggers })
  assert.deepEqual((await replace(trigger('one'))).body, success)
  assert.deepEqual((await replace(trigger('two'))).body, success)
  assert.deepEqual((await replace()).body, success)
  assert.equal((await replace(trigger('three', true))).body.code, 'already-exists')
})

test('a computed field is described by its comment, else by that of its function', async (t) => {
  const { metadata, service } = await startService(
    t,
    `CREATE TABLE a (id int PRIMARY KEY); CREATE FUNCTION f(a) RETURNS int LANGUAGE sql STABLE AS 'SELECT 1';
     COMMENT ON FUNCTION f(a) IS 'one more'`,
  )
  await metadata('pg_track_table', { table: 'a' })
  await metadata('pg_add_computed_field', { table: 'a', name: 'plain', definition: { function: 'f' } })
  await metadata('pg_add_computed_field', { table: 'a', name: 'said', definition: { function: 'f' }, comment: 'mine' })
  const { model } = service.current()
  const [table] = [...model.tables.values()]
  const described = [...(table?.computedFields.values() ?? [])].map(({ name, description }) => [name, description])
  assert.deepEqual(described.toSorted(), [
    ['plain', 'one more'],
    ['said', 'mine'],
  ])
})
