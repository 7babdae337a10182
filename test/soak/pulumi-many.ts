/**
 * `npm run soak -- pulumi-many [ROUNDS]`: 300 resources by the real Pulumi, previewed 20 times at each of three
 * parallelisms and made 10 times at each; takes about an hour on two cores.
 */
import assert from 'node:assert/strict'
import { assertMadeOnce, complaints, declareStack, startRow, updateUntilDone } from '../pulumi/many-resources.ts'
import { createPulumiProject } from '../pulumi/pulumi.ts'
import type { References } from '../terraform/many-resources.ts'
import { startMetadataProxy } from '../terraform/metadata-proxy.ts'

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
  const project = await createPulumiProject(proxy, t)
  for (const wrong of [undefined, 70]) {
    declareStack(project, { resources: RESOURCES, references: 'half', ...(wrong !== undefined && { wrong }) })
    for (const parallelism of parallelisms) {
      let clean = 0
      for (let round = 0; round < rounds; round++) {
        proxy.forget()
        const { said } = await project.preview(`--parallel=${parallelism}`)
        assert.deepEqual(
          complaints(said).map(([, name]) => name),
          wrong === undefined ? [] : [`p${wrong}`],
        )
        assert.equal(proxy.exports().length, 1)
        assert.equal(proxy.writes().length, 0)
        clean++
      }
      console.log(
        `preview, ${wrong === undefined ? 'all right' : 'one wrong column'}, parallelism ${parallelism}: ${clean} of ${rounds} as expected`,
      )
    }
  }
})

for (const references of ['outputs', 'half'] as const satisfies readonly References[])
  for (const parallelism of parallelisms) {
    const most = references === 'outputs' ? 1 : 3
    const updates: number[] = []
    for (let round = 0; round < Math.ceil(rounds / 2); round++)
      await withCleanUp(async (t) => {
        const engine = await startRow(RESOURCES, t)
        const project = await createPulumiProject(engine, t)
        declareStack(project, { resources: RESOURCES, references })
        updates.push(await updateUntilDone(project, parallelism, most))
        await assertMadeOnce(engine, RESOURCES)
      })
    console.log(`up, references by ${references}, parallelism ${parallelism}: after ${updates.join(' ')} updates`)
  }
