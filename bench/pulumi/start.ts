import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { cachedPulumiPlugin } from '../../tools/bundle-pulumi.ts'

export interface Starts {
  /** Milliseconds to the port, the best of all rounds. */
  readonly ours: number
  readonly nothing: number
  /** The median of what ours took, round by round, as a multiple of the other. */
  readonly ratio: number
  /** Of ours, once ready. */
  readonly megabytes: number
}

export const nullPlugin = fileURLToPath(new URL('null-plugin.cjs', import.meta.url))

/** Starts both plugins in turns, as Pulumi does. */
export async function measureStarts(rounds: number): Promise<Starts> {
  const plugin = join(await cachedPulumiPlugin(), 'pulumi-resource-svc')
  const pairs: { readonly ours: number; readonly nothing: number; readonly megabytes: number }[] = []
  for (let round = 0; round < rounds; round++) {
    const nothing = await startOnce(nullPlugin)
    const ours = await startOnce(plugin)
    pairs.push({ ours: ours.milliseconds, nothing: nothing.milliseconds, megabytes: ours.megabytes })
  }
  const ratios = pairs.map(({ ours, nothing }) => ours / nothing).sort((a, b) => a - b)
  return {
    ours: Math.min(...pairs.map(({ ours }) => ours)),
    nothing: Math.min(...pairs.map(({ nothing }) => nothing)),
    ratio: ratios[Math.floor(ratios.length / 2)] ?? Number.NaN,
    megabytes: Math.max(...pairs.map(({ megabytes }) => megabytes)),
  }
}

async function startOnce(file: string): Promise<{ readonly milliseconds: number; readonly megabytes: number }> {
  // the Node that runs this, in front of whatever else there is
  const PATH = `${dirname(process.execPath)}:${process.env.PATH}`
  const begun = performance.now()
  const child = spawn(file, ['127.0.0.1:9'], { stdio: ['ignore', 'pipe', 'ignore'], env: { PATH } })
  await once(child.stdout, 'data')
  const milliseconds = performance.now() - begun
  const megabytes = residentMegabytes(child)
  child.kill('SIGKILL')
  await once(child, 'exit')
  return { milliseconds, megabytes }
}

/** Not a number where the system does not say. */
function residentMegabytes({ pid }: ChildProcess): number {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
  } catch {
    return Number.NaN
  }
}
