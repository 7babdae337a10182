import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { TerraformFolder } from '../../test/terraform/terraform.ts'

/** Of one process of the provider: ms until it was ready, ms of CPU, its most memory. */
interface Usage {
  readonly ready: number
  readonly cpu: number
  readonly megabytes: number
}

export interface Timed {
  readonly seconds: number
  readonly usages: readonly Usage[]
}

/** Runs Terraform, which must succeed. The built-in provider is no process of its own and has no usages. */
export async function timed(folder: TerraformFolder, ...args: readonly string[]): Promise<Timed> {
  const file = join(folder.path, 'usage.jsonl')
  rmSync(file, { force: true })
  folder.environment.SVC_BENCH_USAGE = file
  folder.environment.NODE_OPTIONS = `--require=${fileURLToPath(new URL('measure.cjs', import.meta.url))}`
  const begun = performance.now()
  await folder.succeed(...args)
  const seconds = (performance.now() - begun) / 1000
  return { seconds, usages: linesOf(file).map((line) => JSON.parse(line)) }
}

function linesOf(file: string): readonly string[] {
  try {
    return readFileSync(file, 'utf8').trim().split('\n')
  } catch {
    return [] // the built-in provider is no process of its own
  }
}
