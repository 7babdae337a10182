import type { OpenTransaction } from '../backends/index.ts'
import { Path } from '../errors.ts'
import type { PendingSourceChange, Warning } from '../metadata/index.ts'
import { errorReport } from '../observe/index.ts'
import type { Draft } from './draft.ts'
import { planCreations, planEffects, type SourcePlan } from './effects/plan-effects.ts'
import { executeAll, runEffects } from './effects/run-effects.ts'
import type { Situation } from './effects/transition.ts'
import type { Change, ServedMetadata } from './served-metadata.ts'

/** A change that is stored and not served yet. */
export interface StoredChange {
  readonly draft: Draft
  readonly resourceVersion: number
  /** What could not be cleaned up in databases that metadata gave up. */
  readonly warnings: readonly Warning[]
  /** Whose effects are committed: to be taken back with the change. */
  readonly committed: readonly SourcePlan[]
  /** It stands or falls with the transaction that it was made in: `settleStored` says how that ended. */
  readonly pending: PendingSourceChange | null
}

/** A transaction on a source that somebody else has opened, and commits after the change is stored. */
export interface Within {
  readonly source: string
  readonly transaction: OpenTransaction
}

/**
 * Stores a change with its effects on sources: their transactions are opened and the effects run, the catalogue is
 * compared and set, then the sources commit. Null, and nothing has happened, when another instance was faster. Throws
 * what an effect refuses the change with. When a source refuses to commit, the catalogue is set back, and so are the
 * sources that had committed. Only inside `exclusively`.
 */
export async function storeChange(
  served: ServedMetadata,
  change: Change,
  path: Path,
  within: Within | null = null,
): Promise<StoredChange | null> {
  const { draft } = change
  const { required, cleanups, unreachable } = planEffects(served.effects, situationOf(served), draft)
  const inner = within && required.find(({ source }) => source.name === within.source)
  if (within && inner) await executeAll(inner, within.transaction, path)
  const outer = required.filter((plan) => plan !== inner)
  let resourceVersion: number | null = null
  const committed: SourcePlan[] = []
  const { requestId } = change.author
  const pending =
    within && draft.document !== served.current.document
      ? {
          requestId,
          resourceVersion: served.current.resourceVersion + 1,
          source: within.source,
          transaction: await within.transaction.id(),
        }
      : null
  const store = async () => {
    if (pending) await served.store.expectSourceChange(pending)
    resourceVersion = await served.commit(change)
    return resourceVersion !== null
  }
  try {
    await runEffects(outer, path, store, (plan) => committed.push(plan))
  } catch (error) {
    if (resourceVersion !== null) await takeBack(served, { draft, resourceVersion, committed }, change)
    throw error
  }
  if (resourceVersion === null) {
    if (pending) await served.store.forgetSourceChange(requestId)
    return null
  }
  const warnings = [...unreachable.map(leftBehind)]
  for (const plan of cleanups) if (!(await runAlone(served, plan))) warnings.push(leftBehind(plan.source.name))
  return { draft, resourceVersion, warnings, committed, pending }
}

/** Sets catalogue and sources back after a change was stored that cannot be kept. */
export async function takeBack(
  served: ServedMetadata,
  stored: Pick<StoredChange, 'draft' | 'resourceVersion' | 'committed'>,
  change: Pick<Change, 'type' | 'author'>,
): Promise<void> {
  const names = new Set(stored.committed.map(({ source }) => source.name))
  const { required, cleanups } = planEffects(served.effects, stored.draft, situationOf(served))
  for (const plan of [...required, ...cleanups]) if (names.has(plan.source.name)) await runAlone(served, plan)
  await served.takeBack(stored, change)
}

/**
 * Makes databases what metadata says of them, whatever has become of them meanwhile (reload_metadata's
 * recreate_event_triggers, a source that comes back). What fails is logged.
 */
export async function restoreEffects(
  served: ServedMetadata,
  situation: Situation,
  sources: readonly string[],
): Promise<void> {
  for (const name of sources) {
    const state = situation.states.get(name)
    const plan = state?.status === 'ready' ? planCreations(served.effects, situation, state) : null
    if (plan) await runAlone(served, plan)
  }
}

/** Runs effects that nothing else waits for. False, and logged, where they fail. */
async function runAlone(served: ServedMetadata, plan: SourcePlan): Promise<boolean> {
  try {
    return await runEffects([plan], Path.root, async () => true)
  } catch (error) {
    const effects = plan.effects.map(({ kind }) => kind)
    served.observer.tell({
      kind: 'source-effects-failed',
      source: plan.source.name,
      effects,
      error: errorReport(error),
    })
    return false
  }
}

const situationOf = ({ current }: ServedMetadata): Situation => ({
  document: current.document,
  states: current.model.input.sources,
})

const leftBehind = (source: string): Warning => ({
  code: 'source-cleanup-failed',
  type: 'source',
  name: `source ${source}`,
  message: 'what the engine has created in this database could not be removed',
})
