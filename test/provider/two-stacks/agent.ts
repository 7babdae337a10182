import type { Engine } from '../../engine.ts'
import { type CuttableLine, cuttableLine } from './cuttable-line.ts'
import type { Program } from './declared.ts'
import { tablesOf } from './hand-act.ts'
import { SmallPulumi } from './small-pulumi.ts'
import { SmallTerraform } from './small-terraform.ts'
import type { Stack } from './stack.ts'

/** A stack with the program that is edited, and what its last runs left. */
export interface Agent {
  readonly stack: Stack
  readonly line: CuttableLine
  readonly prefix: string
  readonly pool: readonly string[]
  program: Program
  /** What the last run was to bring about. */
  before: Program
  tainted: Set<string>
  /** Tables that were declared with force_destroy when a run last knew them, by logical name: a delete that fails is tried again. */
  forced: ReadonlyMap<string, string>
}

export type WithAfter = { after(cleanUp: () => Promise<void>): void }

export async function agentsOf(engine: Engine, t: WithAfter): Promise<readonly Agent[]> {
  const [a, b] = [await cuttableLine(engine, t), await cuttableLine(engine, t)]
  const nothing: Program = new Map()
  const agent = (stack: Stack, line: CuttableLine, prefix: string): Agent => ({
    stack,
    line,
    prefix,
    pool: tablesOf(prefix, 5),
    program: nothing,
    before: nothing,
    tainted: new Set(),
    forced: new Map(),
  })
  return [agent(new SmallTerraform('terraform', a), a, 'a'), agent(new SmallPulumi('pulumi', b), b, 'b')]
}
