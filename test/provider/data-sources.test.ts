import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Engine, startEngine } from '../engine.ts'
import { createTestDatabase } from '../postgres.ts'
import { deploy, newRun, shown } from './deploy.ts'
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

test('all metadata, what has changed since a version, and what nobody manages', async () => {
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
