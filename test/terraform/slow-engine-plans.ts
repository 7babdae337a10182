/** Plans of a correct stack on an engine that is slow by chance, with `preview_checks = "strict"`. */
import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { seededRandom } from '../admin/random.ts'
import { startProxy } from '../provider/proxy.ts'
import { declareStack, startRow } from './many-resources.ts'
import { createTerraformFolder, events } from './terraform.ts'

type WithAfter = { after(cleanUp: () => Promise<void>): void }

export interface SlowEnginePlans {
  /** Of each parallelism. */
  readonly runs: number
  readonly seed: number
  /** The longest delay of a request, in milliseconds. */
  readonly longest: number
}

export const parallelisms = [1, 10, 30] as const

/** Throws where a plan has an error. Returns how many plans there were. */
export async function planOnSlowEngine(t: WithAfter, { runs, seed, longest }: SlowEnginePlans): Promise<number> {
  const random = seededRandom(seed)
  const resources = 30
  const proxy = await startProxy(await startRow(resources, t), t)
  proxy.before = async () => {
    await pause(random.next() * longest)
    return undefined
  }
  const folder = await createTerraformFolder(proxy, t)
  folder.environment.SVC_GRAPHQL_PREVIEW_CHECKS = 'strict'
  await declareStack(folder, { resources, references: 'outputs' })
  let plans = 0
  for (let run = 0; run < runs; run++)
    for (const parallelism of parallelisms) {
      const { code, stdout } = await folder.run('plan', '-json', `-parallelism=${parallelism}`)
      const errors = events(stdout).flatMap(({ diagnostic }) =>
        diagnostic?.severity === 'error' ? [`${diagnostic.address}: ${diagnostic.summary} ${diagnostic.detail}`] : [],
      )
      assert.deepEqual([code, errors], [0, []], `plan ${plans} at parallelism ${parallelism}, seed ${seed}`)
      plans += 1
    }
  return plans
}
