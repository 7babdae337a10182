import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { declareStack, startRow } from '../../test/pulumi/many-resources.ts'
import { createPulumiProject, type PulumiProject } from '../../test/pulumi/pulumi.ts'
import { nullPlugin } from './start.ts'

export interface Previews {
  /** Seconds, the best of all rounds. */
  readonly ours: number
  readonly nothing: number
  /** The median of what ours took, round by round, as a multiple of the other. */
  readonly ratio: number
  /** Most memory of our plugin in any of them. */
  readonly megabytes: number
}

type CleanUp = () => Promise<void> | void

/** No-change previews of as many resources in YAML by our plugin, in turns with one that does nothing. */
export async function measurePreviews(resources: number, rounds: number): Promise<Previews> {
  const cleanUps: CleanUp[] = []
  const t = { after: (cleanUp: CleanUp) => cleanUps.push(cleanUp) }
  try {
    const engine = await startRow(resources, t)
    const ours = await createPulumiProject(engine, t)
    const nothing = await createPulumiProject(engine, t)
    const folder = join(nothing.path, 'null')
    mkdirSync(folder)
    symlinkSync(nullPlugin, join(folder, 'pulumi-resource-svc'))
    const stack = { resources, references: 'outputs' } as const
    declareStack(ours, stack)
    declareStack(nothing, stack, { plugins: { providers: [{ name: 'svc', path: folder }] } })
    for (const project of [ours, nothing]) {
      project.environment.PULUMI_SKIP_CHECKPOINTS = 'true'
      await project.up('--parallel=64')
    }
    const pairs: { readonly ours: Timed; readonly nothing: Timed }[] = []
    for (let round = 0; round < rounds; round++) pairs.push({ nothing: await timed(nothing), ours: await timed(ours) })
    const ratios = pairs.map((pair) => pair.ours.seconds / pair.nothing.seconds).sort((a, b) => a - b)
    return {
      ours: Math.min(...pairs.map((pair) => pair.ours.seconds)),
      nothing: Math.min(...pairs.map((pair) => pair.nothing.seconds)),
      ratio: ratios[Math.floor(ratios.length / 2)] ?? Number.NaN,
      megabytes: Math.max(...pairs.map((pair) => pair.ours.megabytes)),
    }
  } finally {
    for (const cleanUp of cleanUps.reverse()) await cleanUp()
  }
}

interface Timed {
  readonly seconds: number
  readonly megabytes: number
}

const measure = fileURLToPath(new URL('../provider/measure.cjs', import.meta.url))

async function timed(project: PulumiProject): Promise<Timed> {
  const usage = join(project.path, 'usage.jsonl')
  rmSync(usage, { force: true })
  project.environment.SVC_BENCH_USAGE = usage
  project.environment.NODE_OPTIONS = `--require=${measure}`
  const begun = performance.now()
  if (await project.isChanged()) throw new Error('a preview found something to do')
  const seconds = (performance.now() - begun) / 1000
  const lines = existsSync(usage) ? readFileSync(usage, 'utf8').trim().split('\n') : []
  return { seconds, megabytes: Math.max(...lines.map((line) => Number(JSON.parse(line).megabytes))) }
}
