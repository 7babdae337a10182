import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Engine, startEngine } from '../engine.ts'
import { createTestDatabase } from '../postgres.ts'
import { deploy, newRun, plan, shown } from './deploy.ts'
import { createChainOfTables } from './stack.ts'

let engine: Engine
let databaseUrl: string
before(async () => {
  const { url } = await createTestDatabase()
  databaseUrl = url
  await createChainOfTables(url, 3)
  engine = await startEngine({ databaseUrl: url })
})
after(() => engine.stop())

const table = (i: number) => ({ table: { schema: 'public', name: `t${i}` } })

test('all metadata, what has changed since a version, and what is not managed', async () => {
  const first = await newRun(engine).readData('metadata', {})
  const since = first.state?.resource_version ?? null
  const mine = await deploy(newRun(engine), 'Table', null, table(0))
  await deploy(newRun(engine), 'Table', null, table(1))
  await deploy(newRun(engine), 'SelectPermission', null, { ...table(1), role: 'user', columns: ['id'], filter: '{}' })
  const tracked = await engine.metadata('pg_create_select_permission', {
    ...table(0),
    role: 'user',
    permission: { columns: ['id'], filter: {} },
  })
  assert.equal(tracked.status, 200, tracked.text)

  const all = await newRun(engine).readData('metadata', {})
  const metadata = JSON.parse(String(all.state?.metadata))
  assert.deepEqual(metadata, (await engine.metadata('export_metadata', {})).body)

  const changes = await newRun(engine).readData('metadata_changes', { since_resource_version: since })
  assert.deepEqual(changes.diagnostics, [])
  const list = changes.state?.changes as { name: string; change: string; by: string }[]
  assert.equal(changes.state?.complete, true)
  assert.deepEqual(
    list.map(({ change, name }) => `${change} ${name}`),
    [
      'create table t0 in source default',
      'create table t1 in source default',
      'create select_permission user in table t1 in source default',
      'create select_permission user in table t0 in source default',
    ],
  )
  assert.match(String(JSON.parse(list[0]?.by ?? '{}').actor), /^test, ./)

  const lost = await newRun(engine).readData('metadata_changes', {
    since_resource_version: since,
    catalog_id: '00000000-0000-0000-0000-000000000000',
  })
  assert.equal(lost.state?.complete, false)
  assert.equal(lost.state?.reason, 'other-catalog')

  const managed = { source: ['default'], table: [String(mine.id)] }
  const others = await newRun(engine).readData('unmanaged_objects', { managed })
  assert.deepEqual(others.state?.objects, [
    {
      kind: 'select_permission',
      id: 'default/public/t0/user',
      type: 'select_permission',
      name: 'select_permission user in table t0 in source default',
    },
    { kind: 'table', id: 'default/public/t1', type: 'table', name: 'table t1 in source default' },
    {
      kind: 'select_permission',
      id: 'default/public/t1/user',
      type: 'select_permission',
      name: 'select_permission user in table t1 in source default',
    },
  ])
})

test('secrets are read only where they are asked for', async () => {
  const since = (await newRun(engine).readData('metadata', {})).state?.resource_version ?? null
  const secret = 'canary-of-a-secret'
  const added = await engine.metadata('pg_add_source', {
    name: 'secretive',
    configuration: { connection_info: { database_url: `${databaseUrl}?application_name=${secret}` } },
  })
  assert.equal(added.status, 200, added.text)
  for (const [name, inputs] of [
    ['metadata', {}],
    ['metadata_changes', { since_resource_version: since }],
  ] as const) {
    const hidden = JSON.stringify((await newRun(engine).readData(name, inputs)).state)
    assert.match(hidden, /secretive/)
    assert.equal(hidden.includes(secret), false, `${name}: ${hidden}`)
    const clear = await newRun(engine).readData(name, { ...inputs, show_secrets: true })
    assert.equal(JSON.stringify(clear.state).includes(secret), true, name)
  }
})

test('a refresh warns of an object that has become inconsistent', async () => {
  const state = await deploy(newRun(engine), 'Table', null, table(2))
  const sql = (text: string) =>
    engine.post('/v2/query', {
      type: 'run_sql',
      args: { source: 'default', sql: text, check_metadata_consistency: false },
    })
  assert.deepEqual((await newRun(engine).read('Table', state)).diagnostics, [])
  assert.equal((await sql('ALTER TABLE t2 RENAME TO elsewhere')).status, 200)
  await engine.metadata('reload_metadata', { reload_sources: true })
  const { state: now, diagnostics } = await newRun(engine).read('Table', state)
  assert.deepEqual(now, state)
  assert.deepEqual(
    diagnostics.map(({ severity, summary }) => [severity, summary]),
    [['warning', 'Table t2 in source default is inconsistent']],
  )
  assert.match(diagnostics[0]?.detail ?? '', /no such table/)
})

test('a kind that there is none of is an error at its key', () => {
  const reported = newRun(engine).validateData('unmanaged_objects', { managed: { table: ['a'], tabel: ['b'] } })
  assert.deepEqual(reported.map(shown), [['error', 'managed.tabel: there is no such kind', 'managed.tabel']])
  assert.match(reported[0]?.detail ?? '', /^There are source, mssql_source, bigquery_source, table, /)
})

test('what a plan breaks is warned of once: what is planned after the preview was read by itself', async () => {
  await deploy(newRun(engine, { adopt_existing: true }), 'Table', null, table(1))
  const read = (role: string, columns: readonly string[]) => ({ ...table(1), role, columns, filter: '{}' })
  const roles = ['first', 'second', 'third']
  const both = ['id', 'before_id']
  const before = await Promise.all(
    roles.map((role) => deploy(newRun(engine), 'SelectPermission', null, read(role, both))),
  )
  const run = newRun(engine)
  const planned = async (i: number, columns: readonly string[]) =>
    (await plan(run, 'SelectPermission', before[i] ?? null, read(roles[i] ?? '', columns))).diagnostics
  assert.deepEqual(await planned(0, ['id']), [])
  const { state, diagnostics } = await run.readData('preview', {})
  assert.equal(diagnostics[0]?.severity, 'warning')
  assert.equal(diagnostics[0]?.summary, `${String(state?.breaking)} breaking changes of the API at ${engine.url}`)
  assert.equal(diagnostics[0]?.detail, state?.text)
  assert.match(String(state?.text), /^Role first\n[\s\S]*breaking: t1\.before_id was removed\./)
  assert.deepEqual(
    JSON.parse(String(state?.preview)).roles.map(({ role }: { role: string }) => role),
    ['first'],
  )
  assert.equal(state?.complete, true)
  assert.deepEqual((await run.readData('preview', {})).diagnostics, [])

  const [second, ...others] = await planned(1, ['id'])
  assert.deepEqual(others, [])
  assert.match(second?.summary ?? '', /^planned after the preview was read \(2\): \d+ breaking changes of the API/)
  assert.match(second?.detail ?? '', /^Role second\n/)
  assert.doesNotMatch(second?.detail ?? '', /first/)
  const [third] = await planned(2, ['before_id'])
  assert.match(third?.summary ?? '', /\(3\)/)
  // what breaks no client is in the preview only
  const safe = newRun(engine)
  assert.deepEqual((await plan(safe, 'SelectPermission', null, read('fourth', both))).diagnostics, [])
  const quiet = await safe.readData('preview', {})
  assert.deepEqual([quiet.diagnostics, quiet.state?.breaking], [[], 0])
  assert.match(String(quiet.state?.text), /select on public\.t1 in source default: permission granted/)
  const [any] = (await safe.readData('preview', { warn: 'any' })).diagnostics
  assert.equal(any?.summary, `changes of the API at ${engine.url}`)
})

test('without a plan that the engine tries there is no preview, and a warning says so', async () => {
  const { state, diagnostics } = await newRun(engine, { preview_checks: 'off' }).readData('preview', {})
  assert.equal(state?.complete, false)
  assert.deepEqual(diagnostics.map(shown), [['warning', 'there is no preview of this plan', '']])
})
