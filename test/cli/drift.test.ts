import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { writeMetadataTo } from '../../provider/src/directory/index.ts'
import { type Engine, startEngine } from '../engine.ts'
import { createTestDatabase } from '../postgres.ts'
import { album, artist, createMusicTables, musicMetadata } from './music-tables.ts'
import { createSvcFolder } from './svc.ts'

let engine: Engine
before(async () => {
  const database = await createTestDatabase()
  await createMusicTables(database.url)
  engine = await startEngine({ databaseUrl: database.url })
})
after(() => engine.stop())

async function appliedProject(t: Parameters<typeof createSvcFolder>[1]) {
  const folder = await createSvcFolder(engine, t)
  await writeMetadataTo(join(folder.path, 'metadata'), musicMetadata([artist, album]))
  const applied = await folder.svc('metadata', 'apply', '--state', 'state.json')
  assert.equal(applied.code, 0, applied.stderr)
  return folder
}

/** As another client would: with a name of its own and no svc. */
async function behindTheBack(actor: string, type: string, args: object): Promise<void> {
  const answer = await engine.post('/v1/metadata', { type, args }, { 'x-svc-actor': actor })
  assert.equal(answer.status, 200, answer.text)
}

const dropped = { table: 'album', role: 'user' }
const narrowed = {
  table: 'artist',
  role: 'user',
  permission: { columns: ['id'], filter: { owner: { _eq: 'X-Svc-User-Id' } } },
}

test('two changes by two callers are named with both objects, both callers, what differs and when', async (t) => {
  const folder = await appliedProject(t)
  assert.deepEqual(await folder.svc('drift'), { code: 0, stdout: 'no drift\n', stderr: '' })
  await behindTheBack('mia@laptop', 'pg_drop_select_permission', dropped)
  const start = Date.now() - 60_000
  await behindTheBack('nightly script', 'bulk_atomic', [
    { type: 'pg_drop_select_permission', args: { table: 'artist', role: 'user' } },
    { type: 'pg_create_select_permission', args: narrowed },
  ])
  for (const args of [['drift'], ['drift', '--state', 'state.json']]) {
    const { code, stdout } = await folder.svc(...args)
    assert.equal(code, 2)
    assert.match(stdout, /^2 objects drifted\n/)
    assert.match(
      stdout,
      / {2}- select_permission user in table album in source default\n {6}pg_drop_select_permission by mia@laptop at \d{4}-.*\n/,
    )
    assert.match(
      stdout,
      / {2}~ select_permission user in table artist in source default\n {6}permission\.columns: \["id","name"\] -> \["id"\]\n {6}\S+ by nightly script at \d{4}-.*\n/,
    )
    const report = JSON.parse((await folder.svc(...args, '--json')).stdout)
    assert.equal(report.drift, true)
    assert.deepEqual(
      report.objects.map((one: { log: { by: { actor: string } }[] }) => one.log.map(({ by }) => by.actor)).sort(),
      [['mia@laptop'], ['nightly script']],
    )
    for (const { log } of report.objects) assert.ok(Date.parse(log[0].at) > start)
  }
})

test('a check does not accept: a second one says the same, until the drift is accepted', async (t) => {
  const folder = await appliedProject(t)
  await behindTheBack('mia', 'pg_drop_select_permission', dropped)
  const first = await folder.svc('drift', '--state', 'state.json')
  assert.equal(first.code, 2)
  assert.deepEqual(await folder.svc('drift', '--state', 'state.json'), first)
  assert.equal((await folder.svc('drift', '--state', 'state.json', '--accept')).code, 0)
  assert.equal((await folder.svc('drift', '--state', 'state.json')).stdout, 'no drift\n')
  assert.equal((await folder.svc('drift')).code, 2) // the directory still declares it
})

test('what was changed and changed back is no drift', async (t) => {
  const folder = await appliedProject(t)
  await behindTheBack('mia', 'pg_set_table_customization', {
    table: 'artist',
    configuration: { custom_name: 'musician' },
  })
  await behindTheBack('mia', 'pg_set_table_customization', { table: 'artist', configuration: {} })
  assert.deepEqual(await folder.svc('drift', '--state', 'state.json'), { code: 0, stdout: 'no drift\n', stderr: '' })
})

test('a state that the engine cannot compare with is an error, not the absence of drift', async (t) => {
  const folder = await appliedProject(t)
  const state = JSON.parse(await readFile(join(folder.path, 'state.json'), 'utf8'))
  const cases: readonly (readonly [object, RegExp])[] = [
    [{ ...state, catalog_id: '6f5902ac-237b-4c54-8f5a-6a9f3b6f1f3a' }, /\(other-catalog\)/],
    [{ ...state, resource_version: 1_000_000 }, /\(unknown-version\)/],
    [{ version: 2 }, /other\.json is no state file of version 1/],
    [{ version: 1 }, /it needs endpoint, catalog_id and resource_version/],
  ]
  for (const [json, message] of cases) {
    await folder.write('other.json', JSON.stringify(json))
    const { code, stdout, stderr } = await folder.svc('drift', '--state', 'other.json')
    assert.equal(code, 1)
    assert.equal(stdout, '')
    assert.match(stderr, /^error: [^\n]+\n$/)
    assert.match(stderr, message)
  }
  assert.match(
    (await folder.svc('drift', '--state', 'none.json')).stderr,
    /^error: there is no none\.json: make it with/,
  )
})

test('what is declared and became inconsistent is drift, with the reason', async (t) => {
  const folder = await appliedProject(t)
  const sql = (text: string) =>
    engine.post('/v2/query', {
      type: 'run_sql',
      args: { source: 'default', sql: text, check_metadata_consistency: false },
    })
  const dropped = await sql('ALTER TABLE artist RENAME COLUMN owner TO proprietor')
  assert.equal(dropped.status, 200, dropped.text)
  t.after(async () => void (await sql('ALTER TABLE artist RENAME COLUMN proprietor TO owner')))
  const reloaded = await folder.svc('metadata', 'reload')
  assert.equal(reloaded.code, 0, reloaded.stderr)
  const inconsistent = await folder.svc('metadata', 'ic', 'status')
  assert.equal(inconsistent.code, 1, inconsistent.stdout)
  for (const args of [['drift'], ['drift', '--state', 'state.json']]) {
    const { code, stdout } = await folder.svc(...args)
    assert.equal(code, 2, stdout)
    assert.match(
      stdout,
      /! select_permission user in table artist in source default\n {6}inconsistent: .*column "owner"/,
    )
  }
  const { drift, inconsistent: list } = JSON.parse((await folder.svc('drift', '--json')).stdout)
  assert.equal(drift, true)
  assert.ok(list.some(({ reason }: { reason: string }) => /column "owner"/.test(reason)))
})
