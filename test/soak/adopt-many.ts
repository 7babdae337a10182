/**
 * `npm run soak -- adopt-many [TABLES]`: a generated schema of 200 tables, taken over by Terraform and by Pulumi in both
 * languages; with 1,000 resources it takes some minutes. Then odd names, templates and secrets in both.
 */

import { startOddEngine } from '../adopt/odd-metadata.ts'
import {
  adoptByPulumi,
  adoptByTerraform,
  assertTakenByPulumi,
  assertTakenByTerraform,
  takeOddOver,
} from '../adopt/take-over.ts'
import { startWide } from '../adopt/wide-schema.ts'

const tables = Number(process.argv[2] ?? 200)

const cleanUps: (() => Promise<void> | void)[] = []
const t = { after: (cleanUp: () => Promise<void> | void) => void cleanUps.push(cleanUp) }

async function timed(what: string, work: () => Promise<void>): Promise<void> {
  const started = performance.now()
  await work()
  console.log(`${what}: taken over in ${((performance.now() - started) / 1000).toFixed(1)} s`)
}

try {
  const { engine, resources } = await startWide(t, tables)
  await timed(`Terraform, ${resources} resources`, async () =>
    assertTakenByTerraform(await adoptByTerraform(t, engine), engine, resources),
  )
  for (const language of ['yaml', 'typescript'] as const)
    await timed(`Pulumi in ${language}, ${resources} resources`, async () =>
      assertTakenByPulumi(await adoptByPulumi(t, engine, language), engine, resources),
    )
  const odd = await startOddEngine(t)
  for (const language of ['yaml', 'typescript'] as const)
    await timed(`Pulumi in ${language}, odd names and secrets`, async () => {
      await takeOddOver(t, odd, language)
    })
} finally {
  for (const cleanUp of cleanUps) await cleanUp()
}
