/** What goes wrong around Pulumi: whatever it is, the next preview is right and the next update heals. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { type Engine, startEngine } from '../engine.ts'
import { type MetadataProxy, startMetadataProxy } from '../terraform/metadata-proxy.ts'
import { assertMadeOnce, complaints, declareStack, startRow, updateUntilDone } from './many-resources.ts'
import { gone } from './processes.ts'
import { createPulumiProject, type PulumiProject } from './pulumi.ts'
import { withoutPulumi } from './requirements.ts'

const RESOURCES = 30
const skip = withoutPulumi

interface Scene {
  readonly engine: Engine
  readonly proxy: MetadataProxy
  readonly project: PulumiProject
}

const adopting = { 'svc:adoptExisting': { value: true } }

async function setUp(t: TestContext, config: object = adopting): Promise<Scene> {
  const engine = await startRow(RESOURCES, t)
  const proxy = await startMetadataProxy(engine, t)
  const project = await createPulumiProject(proxy, t)
  declareStack(project, { resources: RESOURCES, references: 'outputs' }, { config })
  return { engine, proxy, project }
}

/** The next update makes what is left. */
async function assertHealed(scene: Pick<Scene, 'engine' | 'project'>): Promise<void> {
  await updateUntilDone(scene.project, 10, 1, '--refresh')
  await assertDone(scene)
}

/** Everything is there, made once, and Pulumi knows it. */
async function assertDone({ engine, project }: Pick<Scene, 'engine' | 'project'>): Promise<void> {
  await assertMadeOnce(engine, RESOURCES)
  assert.equal(await project.isChanged('--refresh'), false)
}

/** Resolves at the write of this number. */
const writeNumber = (proxy: MetadataProxy, number: number): Promise<void> =>
  new Promise((resolve) => {
    proxy.beforeWrite = async () => {
      if (proxy.writes().length === number) resolve()
    }
  })

test('without its engine preview and update fail, unless checks are lenient, and work again when it is back', {
  skip,
}, async (t) => {
  const { engine, proxy, project } = await setUp(t)
  proxy.fault = () => 'reset'
  const unchecked = await project.preview()
  assert.deepEqual(new Set(complaints(unchecked.said).map(([severity]) => severity)), new Set(['error']))
  const { changes, said } = await project.preview('--config', 'svc:previewChecks=lenient')
  assert.equal(changes.create, RESOURCES + 1)
  assert.deepEqual(new Set(complaints(said).map(([severity]) => severity)), new Set(['warning']))
  const { code, stdout } = await project.run('up', '--yes', '--skip-preview')
  assert.equal(code, 1)
  assert.match(stdout, /error: .*engine/)
  proxy.fault = () => null
  await assertHealed({ engine, project })
})

test('an answer that is lost makes nothing twice', { skip }, async (t) => {
  const { engine, proxy, project } = await setUp(t)
  let lost = 0
  proxy.fault = ({ type, isDryRun }) => (/bulk/.test(type) && !isDryRun && lost++ % 2 === 0 ? 'reset-after' : null)
  await updateUntilDone(project, 10, 3)
  assert.ok(lost > 1)
  proxy.fault = () => null
  await assertDone({ engine, project })
})

test('an engine killed and started again in the middle of an update costs no object', { skip }, async (t) => {
  const { engine, proxy, project } = await setUp(t)
  let restarted: Promise<Engine> | undefined
  proxy.beforeWrite = async () => {
    if (proxy.writes().length !== 2) return
    engine.kill('SIGKILL')
    await engine.ended
    restarted = startEngine({ databaseUrl: engine.databaseUrl }, t)
    proxy.target = (await restarted).url
  }
  await updateUntilDone(project, 10, 3, '--refresh')
  assert.ok(restarted)
  await assertDone({ engine: await restarted, project })
})

test('while another client writes all the time everything is made, and nothing of theirs is lost', {
  skip,
}, async (t) => {
  const { engine, project } = await setUp(t)
  const comment = (text: string) =>
    engine.metadata('pg_set_table_customization', { table: 'z', configuration: { comment: text } })
  const sql = 'CREATE TABLE z (id integer)'
  assert.equal((await engine.post('/v2/query', { type: 'run_sql', args: { sql } })).status, 200)
  assert.equal((await engine.metadata('pg_track_table', { table: 'z' })).status, 200)
  let writes = 0
  let isOver = false
  const other = (async () => {
    while (!isOver) assert.equal((await comment(String(++writes))).status, 200)
  })()
  await updateUntilDone(project, 10, 1).finally(() => {
    isOver = true
  })
  await other
  assert.ok(writes > 1)
  assert.equal(await project.isChanged('--refresh'), false)
  const { body } = await engine.metadata('export_metadata', {})
  const tables: readonly { table: { name: string }; configuration?: { comment?: string } }[] = body.sources[0].tables
  assert.equal(tables.find(({ table }) => table.name === 'z')?.configuration?.comment, String(writes))
})

test('after Ctrl-C what was being made is in the state, and the rest is made by the next update', {
  skip,
}, async (t) => {
  const { engine, proxy, project } = await setUp(t, {})
  proxy.delay = 100
  const second = writeNumber(proxy, 2)
  const run = await project.start('up', '--yes', '--skip-preview')
  await second
  run.signal('SIGINT', 'group')
  const { code, stdout, stderr } = await run.ended
  assert.notEqual(code, 0)
  assert.match(stdout + stderr, /cancel/i)
  proxy.delay = 0
  await assertHealed({ engine, project })
})

for (const whom of ['pulumi', 'plugins'] as const)
  test(`after a SIGKILL of ${whom} no process is left, and the next update takes over what was made`, {
    skip,
  }, async (t) => {
    const { engine, proxy, project } = await setUp(t)
    proxy.delay = 100
    const second = writeNumber(proxy, 2)
    const run = await project.start('up', '--yes', '--skip-preview')
    await second
    const plugins = run.plugins()
    assert.equal(plugins.length, 1)
    run.signal('SIGKILL', whom)
    await run.ended
    // they notice on their own that Pulumi is gone
    for (const pid of plugins) await gone(pid)
    proxy.delay = 0
    // a Pulumi that was killed has left its lock behind
    if (whom === 'pulumi') await project.succeed('cancel', '--yes')
    await assertHealed({ engine, project })
  })
