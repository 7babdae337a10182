/**
 * Short forms of `npm run soak -- pulumi-many`. Updates without checkpoints: around each step Pulumi writes the whole
 * state, so that on a slow disk steps come one by one and nothing could be gathered.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startMetadataProxy } from '../terraform/metadata-proxy.ts'
import { assertMadeOnce, complaints, declareStack, startRow, updateUntilDone } from './many-resources.ts'
import { createPulumiProject } from './pulumi.ts'
import { withoutPulumi } from './requirements.ts'

const RESOURCES = 300
/** Where it is not the number that decides. */
const FEWER = 120
const skip = withoutPulumi

test('300 new resources, half of them named by plain texts, preview clean at any parallelism with one export', {
  skip,
}, async (t) => {
  const engine = await startRow(RESOURCES, t)
  const proxy = await startMetadataProxy(engine, t)
  const project = await createPulumiProject(proxy, t)
  declareStack(project, { resources: RESOURCES, references: 'half' })
  for (const parallelism of [1, 10, 64]) {
    proxy.forget()
    const { changes, said } = await project.preview(`--parallel=${parallelism}`)
    // one at a time, nothing shows that what a plain text names still comes: for the first that needs it, a warning
    const most = parallelism > 1 ? 0 : 1
    const reported = complaints(said)
    assert.ok(
      reported.length <= most && reported.every(([severity]) => severity === 'warning'),
      JSON.stringify(reported),
    )
    assert.deepEqual(changes, { create: RESOURCES + 1 })
    assert.equal(proxy.exports().length, 1)
    assert.equal(proxy.writes().length, 0)
  }
  declareStack(project, { resources: RESOURCES, references: 'half', wrong: 40 })
  const { said } = await project.preview('--parallel=10')
  const reported = complaints(said)
  assert.deepEqual(
    reported.map(([severity, name]) => [severity, name]),
    [['error', 'p40']],
  )
  assert.match(reported[0]?.[2] ?? '', /columns.*ownr/)
})

for (const [parallelism, most] of [
  [10, 75],
  [50, 45],
] as const)
  test(`at parallelism ${parallelism} 300 resources are written in at most ${most} requests, in one update`, {
    skip,
  }, async (t) => {
    const engine = await startRow(RESOURCES, t)
    const proxy = await startMetadataProxy(engine, t)
    proxy.delay = 100
    const project = await createPulumiProject(proxy, t)
    project.environment.PULUMI_SKIP_CHECKPOINTS = 'true'
    declareStack(project, { resources: RESOURCES, references: 'outputs' })
    assert.equal(await updateUntilDone(project, parallelism, 1), 1)
    const { length } = proxy.writes()
    t.diagnostic(`${length} requests`)
    assert.ok(length <= most, `${length} requests`)
    await assertMadeOnce(engine, RESOURCES)
    assert.equal(await project.isChanged(), false)
  })

test('half by plain texts, 120 resources are made in at most three updates, nothing twice', { skip }, async (t) => {
  const engine = await startRow(FEWER, t)
  const project = await createPulumiProject(engine, t)
  project.environment.PULUMI_SKIP_CHECKPOINTS = 'true'
  declareStack(project, { resources: FEWER, references: 'half' })
  t.diagnostic(`${await updateUntilDone(project, 10, 3)} updates`)
  await assertMadeOnce(engine, FEWER)
  assert.equal(await project.isChanged(), false)
})
