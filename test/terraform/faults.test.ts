/** What goes wrong around Terraform: whatever it is, the next plan is right and the next apply heals. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { cachedTerraformProvider } from '../../tools/bundle-terraform.ts'
import { type Engine, startEngine } from '../engine.ts'
import { gone, startOrphan } from '../pulumi/processes.ts'
import { applyUntilDone, assertMadeOnce, declareStack, planStack, startRow } from './many-resources.ts'
import { type MetadataProxy, startMetadataProxy } from './metadata-proxy.ts'
import { createTerraformFolder, type TerraformFolder, withoutTerraform } from './terraform.ts'

const RESOURCES = 30
const skip = withoutTerraform

interface Scene {
  readonly engine: Engine
  readonly proxy: MetadataProxy
  readonly folder: TerraformFolder
}

async function setUp(t: TestContext, provider: object = { adopt_existing: true }): Promise<Scene> {
  const engine = await startRow(RESOURCES, t)
  const proxy = await startMetadataProxy(engine, t)
  const folder = await createTerraformFolder(proxy, t)
  await declareStack(folder, { resources: RESOURCES, references: 'outputs' })
  await folder.write('provider.tf.json', JSON.stringify({ provider: { svc: provider } }))
  return { engine, proxy, folder }
}

/** The next apply makes what is left. */
async function assertHealed(scene: Pick<Scene, 'engine' | 'folder'>): Promise<void> {
  await applyUntilDone(scene.folder, 10, 1)
  await assertDone(scene)
}

/** Everything is there, made once, and Terraform knows it. */
async function assertDone({ engine, folder }: Pick<Scene, 'engine' | 'folder'>): Promise<void> {
  await assertMadeOnce(engine, RESOURCES)
  assert.equal(await folder.isChanged(), false)
}

/** Resolves at the write of this number. */
const writeNumber = (proxy: MetadataProxy, number: number): Promise<void> =>
  new Promise((resolve) => {
    proxy.beforeWrite = async () => {
      if (proxy.writes().length === number) resolve()
    }
  })

test('without its engine a plan of new resources is an error, or one warning where checks are lenient', {
  skip,
}, async (t) => {
  const { engine, proxy, folder } = await setUp(t)
  proxy.fault = () => 'reset'
  folder.environment.SVC_GRAPHQL_PREVIEW_CHECKS = 'lenient'
  const { changes, complaints } = await planStack(folder, 10)
  assert.equal(changes, RESOURCES)
  assert.deepEqual(
    complaints.map(({ severity }) => severity),
    ['warning'],
  )
  folder.environment.SVC_GRAPHQL_PREVIEW_CHECKS = undefined
  const { code, stderr } = await folder.run('apply', '-no-color', '-auto-approve')
  assert.equal(code, 1)
  assert.match(stderr, /Error: .*engine/)
  proxy.fault = () => null
  await assertHealed({ engine, folder })
})

test('an engine that answers later than anybody waits makes nothing twice', { skip }, async (t) => {
  const { engine, proxy, folder } = await setUp(t, { adopt_existing: true, request_timeout: 1 })
  proxy.beforeWrite = async () => {
    proxy.delay = proxy.writes().length % 3 === 1 ? 1500 : 0
  }
  await applyUntilDone(folder, 10, 2)
  proxy.beforeWrite = async () => {}
  proxy.delay = 0
  await assertDone({ engine, folder })
})

test('an answer that is lost makes nothing twice', { skip }, async (t) => {
  const { engine, proxy, folder } = await setUp(t)
  let lost = 0
  proxy.fault = ({ type, isDryRun }) => (/bulk/.test(type) && !isDryRun && lost++ % 2 === 0 ? 'reset-after' : null)
  await applyUntilDone(folder, 10, 3)
  proxy.fault = () => null
  await assertDone({ engine, folder })
})

test('an engine killed and started again in the middle of an apply costs no object', { skip }, async (t) => {
  const { engine, proxy, folder } = await setUp(t)
  let restarted: Promise<Engine> | undefined
  proxy.beforeWrite = async () => {
    if (proxy.writes().length !== 2) return
    engine.kill('SIGKILL')
    await engine.ended
    restarted = startEngine({ databaseUrl: engine.databaseUrl }, t)
    proxy.target = (await restarted).url
  }
  await applyUntilDone(folder, 10, 3)
  assert.ok(restarted)
  await assertDone({ engine: await restarted, folder })
})

test('while another client writes all the time everything is made, and nothing of theirs is lost', {
  skip,
}, async (t) => {
  const { engine, folder } = await setUp(t)
  const comment = (text: string) =>
    engine.metadata('pg_set_table_customization', { table: 'z', configuration: { comment: text } })
  assert.equal(
    (await engine.post('/v2/query', { type: 'run_sql', args: { sql: 'CREATE TABLE z (id integer)' } })).status,
    200,
  )
  assert.equal((await engine.metadata('pg_track_table', { table: 'z' })).status, 200)
  let writes = 0
  let isOver = false
  const other = (async () => {
    while (!isOver) assert.equal((await comment(String(++writes))).status, 200)
  })()
  await applyUntilDone(folder, 10, 1).finally(() => {
    isOver = true
  })
  await other
  assert.ok(writes > 1)
  assert.equal(await folder.isChanged(), false)
  const { body } = await engine.metadata('export_metadata', {})
  const tables: readonly { table: { name: string }; configuration?: { comment?: string } }[] = body.sources[0].tables
  assert.equal(tables.find(({ table }) => table.name === 'z')?.configuration?.comment, String(writes))
})

test('after Ctrl-C what was being made is in the state, and the rest is made by the next apply', {
  skip,
}, async (t) => {
  const { engine, proxy, folder } = await setUp(t, {})
  proxy.delay = 100
  const second = writeNumber(proxy, 2)
  const run = await folder.start('apply', '-no-color', '-auto-approve')
  await second
  run.signal('SIGINT', 'group')
  const { code, stdout, stderr } = await run.ended
  assert.equal(code, 1)
  assert.match(stdout + stderr, /Interrupt received/)
  assert.doesNotMatch(stderr, /Plugin did not respond|panic/)
  await assertHealed({ engine, folder })
})

for (const whom of ['terraform', 'providers'] as const)
  test(`after a SIGKILL of ${whom} no process is left, and the next apply takes over what was made`, {
    skip,
  }, async (t) => {
    const { engine, proxy, folder } = await setUp(t)
    proxy.delay = 100
    const second = writeNumber(proxy, 2)
    const run = await folder.start('apply', '-no-color', '-auto-approve')
    await second
    const providers = run.providers()
    assert.ok(providers.length > 0)
    run.signal('SIGKILL', whom)
    await run.ended
    // they notice on their own that Terraform is gone
    for (const pid of providers) await gone(pid)
    proxy.delay = 0
    await assertHealed({ engine, folder })
  })

for (const ends of ['asked', 'at once'] as const)
  test(`a provider is gone soon after the process that started it, which ${ends === 'asked' ? 'knew where it is' : 'never knew where it is'}`, async (t) => {
    const env = { TF_PLUGIN_MAGIC_COOKIE: 'd602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2' }
    await gone(await startOrphan(t, await cachedTerraformProvider(), { env, ends }))
  })
