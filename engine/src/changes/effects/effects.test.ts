/** Changes of metadata with effects on sources, by a handler of the test's own: it keeps a row an event trigger. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Json } from '@svc/schema'
import { runOnDatabase } from '../../../../test/admin/run-on-database.ts'
import { createTestDatabase } from '../../../../test/postgres.ts'
import { startService, startServiceOn, type TestService } from '../../../test/metadata-service.ts'
import { print, sql } from '../../backends/sql.ts'
import { ApiError } from '../../errors.ts'
import { defineEffects } from './effect-handler.ts'
import type { PlacedObject } from './transition.ts'

type Row = { readonly old: string | null; readonly new: string | null }

const textOf = (placed: PlacedObject | null): string | null =>
  placed &&
  `${String(placed.object.value.name)} on ${placed.table?.known?.table.name} (${placed.table?.known?.columns.length})`

const rows = defineEffects<Row>({
  kind: 'rows',
  types: ['event_trigger'],
  effectsOf: ({ old, new: now }) => [{ old: textOf(old), new: textOf(now) }],
  async execute(values, { transaction, path }) {
    for (const value of values) {
      if (value.new?.startsWith('refused')) throw new ApiError('not-supported', path, 'refused by the handler')
      await transaction.run(
        { text: 'INSERT INTO done (what) VALUES ($1)', slots: [`${value.old} -> ${value.new}`] },
        path,
      )
    }
  },
})

const tables = `CREATE TABLE a (id int); CREATE TABLE b (id int); CREATE TABLE done (id serial, what text);
  CREATE TABLE target (id int PRIMARY KEY);
  CREATE TABLE never (id int REFERENCES target DEFERRABLE INITIALLY DEFERRED);`

const trigger = (name: string) => ({
  name,
  definition: { enable_manual: false, insert: { columns: '*' } },
  retry_conf: { num_retries: 0, interval_sec: 10, timeout_sec: 60 },
  webhook: 'http://localhost',
})

const withTriggers = (triggers: Readonly<Record<string, readonly string[]>>, source: object = {}) => ({
  version: 3,
  sources: [
    {
      name: 'default',
      kind: 'postgres',
      ...source,
      tables: Object.entries(triggers).map(([name, names]) => ({
        table: { schema: 'public', name },
        event_triggers: names.map(trigger),
      })),
    },
  ],
})

async function start(t: Parameters<typeof startService>[0]) {
  const service = await startService(t, tables, [rows])
  const configuration = { connection_info: { database_url: service.databaseUrl } }
  const done = async () => {
    const found = await runOnDatabase(service.databaseUrl, 'DELETE FROM done RETURNING what, id')
    return found.map(({ what }) => String(what)).toSorted()
  }
  const replace = (triggers: Readonly<Record<string, readonly string[]>>, source: object = {}) =>
    service.metadata('replace_metadata', withTriggers(triggers, { configuration, ...source }))
  return { ...service, configuration, done, replace }
}

test('effects follow from the difference of the documents, whatever the operation', async (t) => {
  const { replace, done, metadata } = await start(t)
  assert.equal((await replace({ a: ['one', 'two'], b: [] })).status, 200)
  assert.deepEqual(await done(), ['null -> one on a (1)', 'null -> two on a (1)'])
  assert.equal((await replace({ a: ['one', 'two'], b: [] })).status, 200)
  assert.deepEqual(await done(), [], 'nothing differs')
  await replace({ a: ['one'], b: ['two'] })
  assert.deepEqual(await done(), ['two on a (1) -> two on b (1)'], 'it moved')
  await metadata('pg_untrack_table', { table: 'b', cascade: true })
  assert.deepEqual(await done(), ['two on b (1) -> null'])
  await metadata('bulk', [
    { type: 'pg_untrack_table', args: { table: 'a' } },
    { type: 'pg_track_table', args: { table: 'a' } },
  ])
  assert.deepEqual(await done(), ['one on a (1) -> null'])
  await replace({ a: ['one'] })
  await done()
  await metadata('clear_metadata')
  assert.deepEqual(await done(), ['one on a (1) -> null'])
})

test('a dry run executes nothing', async (t) => {
  const { replace, done, metadata } = await start(t)
  await replace({ a: ['one'] })
  await done()
  const tried = await metadata('pg_untrack_table', { table: 'a' }, { dry_run: true })
  assert.equal(tried.body.results[0].verdict, 'ok')
  assert.deepEqual(await done(), [])
})

test('what the handler refuses changes neither metadata nor database', async (t) => {
  const { replace, done, version } = await start(t)
  await replace({ a: ['one'] })
  await done()
  const before = version()
  const refused = await replace({ a: ['one', 'fine', 'refused'] })
  assert.deepEqual([refused.status, refused.body.code, refused.body.path], [400, 'not-supported', '$.args'])
  assert.deepEqual(await done(), [])
  assert.equal(version(), before)
})

test('when the source refuses to commit, metadata is set back', async (t) => {
  const service = await startService(t, tables, [
    defineEffects<Json>({
      kind: 'late',
      types: ['event_trigger'],
      effectsOf: () => ['anything'],
      async execute(_, { transaction, path }) {
        await transaction.run(print(sql`INSERT INTO never VALUES (1)`), path)
      },
    }),
  ])
  const configuration = { connection_info: { database_url: service.databaseUrl } }
  const before = (await service.metadata('export_metadata')).body
  const refused = await service.metadata('replace_metadata', withTriggers({ a: ['one'] }, { configuration }))
  assert.deepEqual([refused.status, refused.body.code], [400, 'postgres-error'])
  assert.deepEqual((await service.metadata('export_metadata')).body, before)
})

test('of two sources the one that committed first is reverted when the other cannot', async (t) => {
  const other = await createTestDatabase(t)
  await runOnDatabase(other.url, tables)
  const service = await startService(t, tables, [
    defineEffects<Row>({
      kind: 'failing in default',
      types: ['event_trigger'],
      effectsOf: ({ old, new: now }) => [{ old: textOf(old), new: textOf(now) }],
      async execute(values, { source, transaction, path }) {
        if (source.name === 'default') await transaction.run(print(sql`INSERT INTO never VALUES (1)`), path)
        for (const { old, new: now } of source.name === 'default' ? [] : values)
          await transaction.run({ text: 'INSERT INTO done (what) VALUES ($1)', slots: [`${old} -> ${now}`] }, path)
      },
    }),
  ])
  const sources = ['default', 'other'].map((name) => {
    const configuration = { connection_info: { database_url: name === 'other' ? other.url : service.databaseUrl } }
    return { ...withTriggers({ [name === 'other' ? 'b' : 'a']: ['one'] }, { configuration }).sources[0], name }
  })
  const before = (await service.metadata('export_metadata')).body
  const refused = await service.metadata('replace_metadata', { version: 3, sources })
  assert.deepEqual([refused.status, refused.body.code], [400, 'postgres-error'])
  assert.deepEqual((await service.metadata('export_metadata')).body, before)
  const done = await runOnDatabase(other.url, 'SELECT what FROM done ORDER BY id')
  assert.deepEqual(done, [{ what: 'null -> one on b (1)' }, { what: 'one on b (1) -> null' }])
})

test('run_sql: triggers of a table that changed are made again in its transaction, a renamed table is no new one', async (t) => {
  const { replace, done, ask } = await start(t)
  await replace({ a: ['one'], b: ['two'] })
  await done()
  const run = (text: string) => ask('/v2/query', { type: 'run_sql', args: { sql: text } })
  assert.equal((await run('ALTER TABLE a ADD COLUMN more int')).status, 200)
  assert.deepEqual(await done(), ['one on a (1) -> one on a (2)'])
  assert.equal((await run('ALTER TABLE b RENAME TO c')).status, 200)
  assert.deepEqual(await done(), ['two on b (1) -> two on c (1)'])
  assert.equal((await run('ALTER TABLE c RENAME TO b; SELECT nonsense')).status, 400)
  assert.deepEqual(await done(), [])
})

test('reload_metadata with recreate_event_triggers makes them again; a source that is dropped is cleaned up', async (t) => {
  const { replace, done, metadata } = await start(t)
  await replace({ a: ['one'] })
  await done()
  await metadata('reload_metadata', { recreate_event_triggers: true })
  assert.deepEqual(await done(), ['null -> one on a (1)'])
  assert.equal((await metadata('pg_drop_source', { name: 'default' })).status, 200)
  assert.deepEqual(await done(), ['one on a (1) -> null'])
})

test('a source renamed by replacing metadata keeps what is in its database', async (t) => {
  const { replace, done } = await start(t)
  await replace({ a: ['one'] })
  await done()
  await replace({ a: ['one'] }, { name: 'renamed' })
  const found = await done()
  assert.ok(
    found.every((what) => what === 'one on a (1) -> one on a (1)'),
    found.join(),
  )
})

test('what cannot be cleaned up is a warning', async (t) => {
  const service: TestService = await start(t)
  const other = await createTestDatabase(t)
  await runOnDatabase(other.url, 'CREATE TABLE a (id int)')
  await runOnDatabase(other.url, 'CREATE TABLE done (what text)')
  const configuration = { connection_info: { database_url: other.url } }
  const added = await service.metadata('replace_metadata', {
    version: 3,
    sources: [{ ...withTriggers({ a: ['one'] }, { configuration }).sources[0], name: 'other' }],
  })
  assert.equal(added.status, 200, JSON.stringify(added.body))
  await runOnDatabase(other.url, 'DROP TABLE done')
  const { status, body } = await service.metadata('replace_metadata', { metadata: { version: 3, sources: [] } })
  assert.equal(status, 200)
  assert.deepEqual(body.warnings, [
    {
      code: 'source-cleanup-failed',
      type: 'source',
      name: 'source other',
      message: 'what the engine has created in this database could not be removed',
    },
  ])
})

test('a source that was never served leaves nothing behind', async (t) => {
  const { metadata } = await start(t)
  const definition = { enable_manual: true }
  const trigger = { name: 'one', definition, retry_conf: {}, webhook: 'http://127.0.0.1:1' }
  const tables = [{ table: 'a', event_triggers: [trigger] }]
  const configuration = { connection_info: { database_url: 'postgres://nobody@127.0.0.1:1/nothing' } }
  const other = { name: 'other', kind: 'alloydb', tables, configuration }
  const replace = async (sources: readonly object[]) => {
    const args = { allow_inconsistent_metadata: true, metadata: { version: 3, sources } }
    const { status, body } = await metadata('replace_metadata', args)
    assert.equal(status, 200, JSON.stringify(body))
    return body
  }
  await replace([other])
  assert.equal((await replace([])).warnings, undefined)
})

test('another instance that loads the metadata executes nothing', async (t) => {
  const { replace, done, databaseUrl } = await start(t)
  await replace({ a: ['one'] })
  await done()
  const second = await startServiceOn(t, databaseUrl, [rows])
  await replace({ a: ['two'] })
  await second.metadata('export_metadata')
  assert.deepEqual(await done(), ['null -> two on a (1)', 'one on a (1) -> null'])
})
