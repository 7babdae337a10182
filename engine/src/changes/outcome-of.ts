import { setTimeout } from 'node:timers/promises'
import { Path } from '../errors.ts'
import type { SourceTransaction } from '../metadata/index.ts'
import type { SourceState } from '../sources/index.ts'
import { openTransaction } from './effects/run-effects.ts'
import type { ServedMetadata } from './served-metadata.ts'

export type Outcome = 'committed' | 'aborted' | 'in progress' | 'unknown'

/** Returns how the transaction ended, or null where the source cannot be reached. `unknown`: it is too long ago. */
export async function outcomeOf(
  served: ServedMetadata,
  { source, transaction }: SourceTransaction,
  state: SourceState | undefined = served.current.model.input.sources.get(source),
): Promise<Outcome | null> {
  if (state?.status !== 'ready') return state ? null : 'unknown'
  let outcome: Outcome | null = null
  await openTransaction(state, Path.root, async (opened) => {
    outcome = await opened.outcomeOf(transaction)
  }).catch(() => {})
  return outcome
}

/** Milliseconds between two reads of a transaction that still runs, and how many reads there are. */
const pause = 200
const mostQuestions = 50

/** Returns how the transaction ended once it has, or 'in progress' after ten seconds. */
export async function outcomeOnceOver(
  served: ServedMetadata,
  one: SourceTransaction,
  state?: SourceState,
): Promise<Outcome | null> {
  for (let asked = 1; ; asked++) {
    const outcome = await outcomeOf(served, one, state)
    if (outcome !== 'in progress' || asked === mostQuestions) return outcome
    await setTimeout(pause)
  }
}
