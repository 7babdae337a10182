/**
 * `npm run soak -- terraform-many [ROUNDS]`: 300 resources by the real Terraform, planned 20 times at each of three
 * parallelisms, applied and destroyed 10 times at each; takes about an hour on two cores.
 */
import assert from 'node:assert/strict'
import {
  applyUntilDone,
  assertMadeOnce,
  declareStack,
  destroyUntilDone,
  planStack,
  type References,
  startRow,
} from '../terraform/many-resources.ts'
import { startMetadataProxy } from '../terraform/metadata-proxy.ts'
import { createTerraformFolder } from '../terraform/terraform.ts'

const RESOURCES = 300
const rounds = Number(process.argv[2] ?? 20)
const parallelisms = [1, 10, 64]

type CleanUp = () => Promise<void> | void

async function withCleanUp(work: (t: { after(cleanUp: CleanUp): void }) => Promise<void>): Promise<void> {
  const cleanUps: CleanUp[] = []
  try {
    await work({ after: (cleanUp) => cleanUps.push(cleanUp) })
  } finally {
    for (const cleanUp of cleanUps.reverse()) await cleanUp()
  }
}

await withCleanUp(async (t) => {
  const engine = await startRow(RESOURCES, t)
  const proxy = await startMetadataProxy(engine, t)
  const folder = await createTerraformFolder(proxy, t)
  for (const wrong of [undefined, 70]) {
    await declareStack(folder, { resources: RESOURCES, references: 'half', ...(wrong !== undefined && { wrong }) })
    for (const parallelism of parallelisms) {
      let clean = 0
      for (let round = 0; round < rounds; round++) {
        proxy.forget()
        const { complaints } = await planStack(folder, parallelism)
        const expected = wrong === undefined ? [] : [`svc_select_permission.p${wrong}`]
        assert.deepEqual(
          complaints.map(({ address }) => address),
          expected,
        )
        assert.equal(proxy.exports().length, 1)
        clean++
      }
      console.log(
        `plan, ${wrong === undefined ? 'all right' : 'one wrong column'}, parallelism ${parallelism}: ${clean} of ${rounds} as expected`,
      )
    }
  }
})

for (const references of ['outputs', 'half'] as const satisfies readonly References[])
  for (const parallelism of parallelisms) {
    const most = references === 'outputs' ? 1 : 3
    const applies: number[] = []
    const destroys: number[] = []
    for (let round = 0; round < Math.ceil(rounds / 2); round++)
      await withCleanUp(async (t) => {
        const engine = await startRow(RESOURCES, t)
        const folder = await createTerraformFolder(engine, t)
        await declareStack(folder, { resources: RESOURCES, references })
        applies.push(await applyUntilDone(folder, parallelism, most))
        await assertMadeOnce(engine, RESOURCES)
        destroys.push(await destroyUntilDone(folder, parallelism, most))
      })
    console.log(`apply, references by ${references}, parallelism ${parallelism}: after ${applies.join(' ')} applies`)
    console.log(`destroy, references by ${references}, parallelism ${parallelism}: after ${destroys.join(' ')} runs`)
  }
