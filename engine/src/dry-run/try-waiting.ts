import type { Draft } from '../changes/index.ts'
import type { Surroundings } from '../requests/index.ts'
import { tryInPlan } from './try-command.ts'
import { isConcerned, type Waiting } from './waiting.ts'

/**
 * Members that waited, tried once more when something they wait for has come or gone: a plan may have thousands of them,
 * and most requests concern none.
 */
export async function tryWaiting(
  start: Draft,
  waiting: readonly Waiting[],
  around: Surroundings,
): Promise<{ readonly draft: Draft; readonly waiting: readonly Waiting[] }> {
  let draft = start
  let left = waiting
  for (;;) {
    const still: Waiting[] = []
    let moved = false
    for (const one of left) {
      if (!isConcerned(one, draft)) {
        still.push(one)
        continue
      }
      moved = true
      const tried = await tryInPlan(draft, one.command, around)
      draft = tried.draft
      still.push(...tried.waiting)
    }
    if (!moved) return { draft, waiting: still }
    left = still
  }
}
