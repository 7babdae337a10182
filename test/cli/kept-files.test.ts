/** Files of the user's that no command may lose, and what the commands say of them. */
import assert from 'node:assert/strict'
import { access, readFile } from 'node:fs/promises'
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

const byHand = 'metadata/databases/default/tables/public_track.yaml'
const isThere = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  )

test('every command names a table file that databases.yaml does not list, and none removes it unasked', async (t) => {
  const folder = await createSvcFolder(engine, t)
  await writeMetadataTo(join(folder.path, 'metadata'), musicMetadata([artist, album]))
  assert.equal((await folder.svc('metadata', 'apply')).code, 0)
  await folder.write(byHand, 'table: {name: track, schema: public}\n')
  const commands = [
    ['metadata', 'apply'],
    ['metadata', 'apply', '--dry-run'],
    ['metadata', 'diff'],
    ['metadata', 'export'],
    ['plan'],
    ['drift'],
  ]
  for (const command of commands) {
    const { code, stderr } = await folder.svc(...command)
    assert.equal(code, 0, stderr)
    assert.match(
      stderr,
      new RegExp(`warning: ${byHand} is not read: metadata/databases/databases.yaml does not list it`),
    )
  }
  assert.equal(await isThere(join(folder.path, byHand)), true)
  const imported = await folder.svc('metadata', 'import-from', 'metadata')
  assert.match(imported.stderr, new RegExp(`${byHand} is not read`))
  const pruned = await folder.svc('metadata', 'export', '--prune')
  assert.match(pruned.stderr, new RegExp(`^removed ${byHand}$`, 'm'))
  assert.equal(await isThere(join(folder.path, byHand)), false)
})

test('an export does not replace a table file that was written and not listed yet', async (t) => {
  const folder = await createSvcFolder(engine, t)
  await writeMetadataTo(join(folder.path, 'metadata'), musicMetadata([artist]))
  const file = 'metadata/databases/default/tables/public_album.yaml'
  await folder.write(file, 'table: {name: album, schema: public}\ncomment: mine\n')
  await writeMetadataTo(join(folder.path, 'other'), musicMetadata([artist, album]))
  for (const command of [
    ['metadata', 'export'],
    ['metadata', 'import-from', 'other'],
  ]) {
    const { code, stderr } = await folder.svc(...command)
    assert.equal(code, 1, stderr)
    assert.match(stderr, /error: .*public_album.yaml is not listed in databases.yaml, and what the engine has would/)
  }
  assert.match(await readFile(join(folder.path, file), 'utf8'), /mine/)
})

test('no command takes a file for its state that is something else', async (t) => {
  const folder = await createSvcFolder(engine, t)
  await writeMetadataTo(join(folder.path, 'metadata'), musicMetadata([artist, album]))
  await folder.write('terraform.tfstate', '{"version": 4, "resources": []}')
  for (const [file, ...command] of [
    ['terraform.tfstate', 'metadata', 'apply'],
    ['metadata/version.yaml', 'drift', '--accept'],
  ] as const) {
    const text = await readFile(join(folder.path, file), 'utf8')
    const { code, stderr } = await folder.svc(...command, '--state', file)
    assert.equal(code, 1, stderr)
    assert.match(stderr, /is no state file of svc, and would be overwritten/)
    assert.equal(await readFile(join(folder.path, file), 'utf8'), text)
  }
})

test('a plan and a diff say by their exit codes whether there is something to do', async (t) => {
  const folder = await createSvcFolder(engine, t)
  await writeMetadataTo(join(folder.path, 'metadata'), musicMetadata([artist, album]))
  assert.equal((await folder.svc('metadata', 'apply')).code, 0)
  const codes = async (...commands: readonly (readonly string[])[]) => {
    const found: (number | null)[] = []
    for (const command of commands) found.push((await folder.svc(...command)).code)
    return found
  }
  const commands = [['plan'], ['plan', '--detailed-exitcode'], ['md', 'diff'], ['md', 'diff', '--exit-code']]
  assert.deepEqual(await codes(...commands), [0, 0, 0, 0])
  await folder.write('metadata/api_limits.yaml', 'depth_limit: {global: 9}\n')
  assert.deepEqual(await codes(...commands), [0, 2, 0, 2])
  const { stdout } = await folder.svc('plan')
  assert.equal(stdout, 'Plan: 1 to create, 0 to update, 0 to delete\n  + api_limits api_limits\n')
  await folder.write('metadata/inherited_roles.yaml', '[{role_name: both, role_set: [nobody]}]\n')
  const refused = await folder.svc('plan', '--detailed-exitcode')
  assert.equal(refused.code, 1, refused.stdout)
  assert.match(refused.stdout, /refused {2}inherited_role inherited role both: .*nobody/)
  assert.deepEqual(await codes(['md', 'diff', '--exit-code']), [2])
})
