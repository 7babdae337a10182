import assert from 'node:assert/strict'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { createSvcFolder } from '../cli/svc.ts'
import type { Engine } from '../engine.ts'
import type { PulumiProject } from '../pulumi/pulumi.ts'
import { withoutPulumi } from '../pulumi/requirements.ts'
import { startOddEngine } from './odd-metadata.ts'
import { takeOddOver } from './take-over.ts'

/** Secrets in the export are encrypted: they are not compared, everything else is. */
async function assertComparedWithExport(project: PulumiProject, engine: Engine, t: TestContext): Promise<void> {
  await project.succeed('stack', 'export', '--file', 'stack.json')
  const folder = await createSvcFolder(engine, t)
  const check = () => folder.svc('drift', '--state', join(project.path, 'stack.json'))
  const reported = `note: 2 secrets in ${join(project.path, 'stack.json')}: encrypted, not compared\n`
  assert.deepEqual(await check(), { code: 0, stdout: 'no drift\n', stderr: reported })
  const gone = { source: 'parts', table: { schema: 'public', name: 'order' } }
  assert.equal((await engine.metadata('pg_untrack_table', gone)).status, 200)
  const { code, stdout } = await check()
  assert.equal(code, 2)
  assert.match(stdout, /^1 object drifted\n {2}- table order in source parts\n {6}declared as partsOrderTable\n/)
}

// YAML and large stacks are in the soak
test('odd names, templates and secrets are taken over by a program', { skip: withoutPulumi }, async (t) => {
  const odd = await startOddEngine(t)
  const project = await takeOddOver(t, odd, 'typescript')
  await assertComparedWithExport(project, odd.engine, t)
})
