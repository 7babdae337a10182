/** A proxy in front of the engine whose next run can be killed, or one request of it lost. */
import type { Engine } from '../../engine.ts'
import { startProxy } from '../proxy.ts'
import type { Line } from './stack.ts'

export type Fate =
  | { readonly kind: 'whole' }
  /** The `at`th write is cut off, before it arrives or after it was done; `kill`: nothing arrives any more. */
  | { readonly kind: 'kill' | 'lose'; readonly at: number; readonly arrives: boolean }

export interface CuttableLine extends Line {
  /** For the next run. */
  suffer(fate: Fate): void
}

export async function cuttableLine(
  engine: Engine,
  t: { after(cleanUp: () => Promise<void>): void },
): Promise<CuttableLine> {
  const proxy = await startProxy(engine, t)
  let killed = false
  return {
    url: proxy.url,
    secret: proxy.secret,
    isKilled: () => killed,
    suffer(fate) {
      killed = false
      let writes = 0
      proxy.before = async ({ type, dryRun }) => {
        if (killed) return 'refuse'
        if (fate.kind === 'whole' || dryRun || !type.startsWith('bulk') || ++writes !== fate.at) return undefined
        killed = fate.kind === 'kill'
        return fate.arrives ? 'cut' : 'refuse'
      }
    },
  }
}
