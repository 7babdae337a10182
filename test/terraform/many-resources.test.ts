/** Short forms of `npm run soak -- terraform-many`. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  applyUntilDone,
  assertMadeOnce,
  declareStack,
  destroyUntilDone,
  planStack,
  startRow,
} from './many-resources.ts'
import { startMetadataProxy } from './metadata-proxy.ts'
import { createTerraformFolder, withoutTerraform } from './terraform.ts'

const RESOURCES = 300
/** Where it is not the number that decides. */
const FEWER = 120
const skip = withoutTerraform

test('300 new resources, half of them named by plain texts, plan clean at any parallelism with one export', {
  skip,
}, async (t) => {
  const engine = await startRow(RESOURCES, t)
  const proxy = await startMetadataProxy(engine, t)
  const folder = await createTerraformFolder(proxy, t)
  await declareStack(folder, { resources: RESOURCES, references: 'half' })
  for (const parallelism of [1, 10, 64]) {
    proxy.forget()
    const { changes, complaints } = await planStack(folder, parallelism)
    assert.equal(changes, RESOURCES)
    // one at a time, nothing shows that what a plain text names still comes: for the first that needs it, a warning
    const most = parallelism > 1 ? 0 : 1
    const warnings = complaints.filter(({ severity }) => severity === 'warning')
    assert.ok(complaints.length <= most && warnings.length === complaints.length, JSON.stringify(complaints))
    assert.equal(proxy.exports().length, 1)
    assert.equal(proxy.writes().length, 0)
  }
  await declareStack(folder, { resources: RESOURCES, references: 'half', wrong: 40 })
  const { complaints } = await planStack(folder, 10)
  assert.deepEqual(
    complaints.map(({ severity, address }) => [severity, address]),
    [['error', 'svc_select_permission.p40']],
  )
  assert.match(complaints[0]?.summary ?? '', /ownr/)
})

for (const [parallelism, most] of [
  [10, 75],
  [50, 45],
] as const)
  test(`at parallelism ${parallelism} 300 resources are written in at most ${most} requests, in one apply`, {
    skip,
  }, async (t) => {
    const engine = await startRow(RESOURCES, t)
    const proxy = await startMetadataProxy(engine, t)
    proxy.delay = 100
    const folder = await createTerraformFolder(proxy, t)
    await declareStack(folder, { resources: RESOURCES, references: 'outputs' })
    assert.equal(await applyUntilDone(folder, parallelism, 1), 1)
    const { length } = proxy.writes()
    t.diagnostic(`${length} requests`)
    assert.ok(length <= most, `${length} requests`)
    await assertMadeOnce(engine, RESOURCES)
    assert.equal(await folder.isChanged(), false)
  })

test('half by plain texts, 120 resources are made in at most three applies, nothing twice, and go again', {
  skip,
}, async (t) => {
  const engine = await startRow(FEWER, t)
  const folder = await createTerraformFolder(engine, t)
  await declareStack(folder, { resources: FEWER, references: 'half' })
  const applies = await applyUntilDone(folder, 10, 3)
  await assertMadeOnce(engine, FEWER)
  assert.equal(await folder.isChanged(), false)
  const destroys = await destroyUntilDone(folder, 10, 3)
  t.diagnostic(`${applies} applies, ${destroys} destroys`)
})
