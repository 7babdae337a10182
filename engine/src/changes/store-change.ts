import type { OpenTransaction } from '../backends/index.ts'
import type { Path } from '../errors.ts'
import type { PendingSourceChange, SourceTransaction, Warning } from '../metadata/index.ts'
import type { Draft } from './draft.ts'
import { planStorage, snapshotOf } from './early-effects.ts'
import { planCreations, type SourcePlan } from './effects/plan-effects.ts'
import { refuseTakenNames } from './effects/refuse-taken-names.ts'
import { executeAll, type OpenEffects, runEffects } from './effects/run-effects.ts'
import type { MetadataSnapshot } from './effects/transition.ts'
import { cleanUp, runAlone, sourcesOf, undoEffects } from './effects-alone.ts'
import { outcomeOnceOver } from './outcome-of.ts'
import type { Change, ServedMetadata } from './served-metadata.ts'

/** A change that is stored and not served yet. */
export interface StoredChange {
  readonly draft: Draft
  readonly resourceVersion: number
  /** What could not be cleaned up in databases of dropped sources. */
  readonly warnings: readonly Warning[]
  /** Whose effects are committed: to be taken back with the change. */
  readonly committed: readonly SourcePlan[]
  /** It stands or falls with the transaction that it was made in, which the caller commits, and forgets this then. */
  readonly pending: PendingSourceChange | null
}

/** A transaction on a source that the caller has opened, and commits after the change is stored. */
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
  // where other engines have considered this process dead, all effects run once more
  const early = change.early && (await change.early.hold.isHeld()) ? change.early.made : null
  const { required, cleanups, unreachable, names } = planStorage(served, draft, early)
  await refuseTakenNames(names, draft, path)
  const inner = within && required.find(({ source }) => source.name === within.source)
  if (within && inner) await executeAll([inner], within.transaction, path)
  const outer = required.filter((plan) => plan !== inner)
  let resourceVersion = null as number | null
  let pending = null as PendingSourceChange | null
  const committed: SourcePlan[] = []
  const { requestId } = change.author
  const store = async (open: readonly OpenEffects[]) => {
    if (draft.document !== served.current.document)
      pending = await pendingOf(served, requestId, [
        ...(within ? [within] : []),
        ...open.map(({ plan, transaction }) => ({ source: plan.source.name, transaction })),
      ])
    resourceVersion = await served.commit(change, pending)
    return resourceVersion !== null
  }
  try {
    await runEffects(outer, path, store, (plan) => committed.push(plan))
  } catch (error) {
    const left = outer.filter((plan) => !committed.includes(plan))
    const isDone = resourceVersion !== null && (await haveCommitted(served, left, pending, committed))
    if (!isDone) {
      if (resourceVersion !== null) await takeBack(served, { draft, resourceVersion, committed }, change)
      if (pending && resourceVersion !== null) await served.store.sourceChanges.forget(pending)
      throw error
    }
  }
  if (resourceVersion === null) return null
  // an entry that remains is finished later: no request waits for that
  if (pending && within === null) void served.store.sourceChanges.forget(pending).catch(() => {})
  const warnings = [...unreachable.map(leftBehind)]
  for (const plan of cleanups) if (!(await cleanUp(served, plan, draft))) warnings.push(leftBehind(plan.source.name))
  return { draft, resourceVersion, warnings, committed, pending }
}

/** What the next version stands or falls with, stored with it in case that this process is killed before that is known. */
async function pendingOf(
  served: ServedMetadata,
  requestId: string,
  open: readonly Within[],
): Promise<PendingSourceChange | null> {
  if (open.length === 0) return null
  const transactions: SourceTransaction[] = []
  for (const { source, transaction } of open) transactions.push({ source, transaction: await transaction.id() })
  return { requestId, resourceVersion: served.current.resourceVersion + 1, transactions }
}

/**
 * Whether all plans have committed although the answer was lost. Those of them that have are added to `committed`: they are
 * taken back where not all have.
 */
async function haveCommitted(
  served: ServedMetadata,
  plans: readonly SourcePlan[],
  pending: PendingSourceChange | null,
  committed: SourcePlan[],
): Promise<boolean> {
  let all = true
  for (const plan of plans) {
    const known = pending?.transactions.find(({ source }) => source === plan.source.name)
    if (known && (await outcomeOnceOver(served, known)) === 'committed') committed.push(plan)
    else all = false
  }
  return all
}

/** Reverts catalogue and sources after a change was stored that could not be completed. */
export async function takeBack(
  served: ServedMetadata,
  stored: Pick<StoredChange, 'draft' | 'resourceVersion' | 'committed'>,
  change: Pick<Change, 'type' | 'author'>,
): Promise<void> {
  await undoEffects(served, stored.draft, snapshotOf(served), sourcesOf(stored.committed))
  await served.takeBack(stored, change)
}

/**
 * Makes databases what metadata says of them, whatever has become of them meanwhile (reload_metadata's
 * recreate_event_triggers, a source that recovers). What fails is logged.
 */
export async function restoreEffects(
  served: ServedMetadata,
  snapshot: MetadataSnapshot,
  sources: readonly string[],
): Promise<void> {
  for (const name of sources) {
    const state = snapshot.states.get(name)
    const plan = state?.status === 'ready' ? planCreations(served.effects, snapshot, state) : null
    if (plan) await runAlone(served, [plan])
  }
}

const leftBehind = (source: string): Warning => ({
  code: 'source-cleanup-failed',
  type: 'source',
  name: `source ${source}`,
  message: 'what the engine has created in this database could not be removed',
})
