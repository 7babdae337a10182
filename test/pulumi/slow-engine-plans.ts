/** Previews of a correct stack on an engine that is slow by chance, with `previewChecks: strict`. */
import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { seededRandom } from '../admin/random.ts'
import { startProxy } from '../provider/proxy.ts'
import { parallelisms, type SlowEnginePlans } from '../terraform/slow-engine-plans.ts'
import { complaints, declareStack, startRow } from './many-resources.ts'
import { createPulumiProject } from './pulumi.ts'

type WithAfter = { after(cleanUp: () => Promise<void> | void): void }

/** Throws where a preview has an error. Returns how many previews there were. */
export async function previewOnSlowEngine(t: WithAfter, { runs, seed, longest }: SlowEnginePlans): Promise<number> {
  const random = seededRandom(seed)
  const resources = 30
  const proxy = await startProxy(await startRow(resources, t), t)
  proxy.before = async () => {
    await pause(random.next() * longest)
    return undefined
  }
  const project = await createPulumiProject(proxy, t)
  project.environment.SVC_GRAPHQL_PREVIEW_CHECKS = 'strict'
  declareStack(project, { resources, references: 'outputs' })
  let previews = 0
  for (let run = 0; run < runs; run++)
    for (const parallelism of parallelisms) {
      const { changes, said } = await project.preview(`--parallel=${parallelism}`)
      const errors = complaints(said).filter(([severity]) => severity === 'error')
      const where = `preview ${previews} at parallelism ${parallelism}, seed ${seed}`
      assert.deepEqual([changes, errors], [{ create: resources + 1 }, []], where)
      previews += 1
    }
  return previews
}
