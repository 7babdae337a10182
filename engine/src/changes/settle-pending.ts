import type { Author, PendingSourceChange } from '../metadata/index.ts'
import { planEffects } from './effects/plan-effects.ts'
import { runEachAlone } from './effects-alone.ts'
import { type Outcome, outcomeOnceOver } from './outcome-of.ts'
import type { ServedMetadata } from './served-metadata.ts'
import { settleEarly } from './settle-early.ts'

/**
 * Settles versions that were stored before transactions on sources committed (run_sql, event triggers), where whoever was to
 * settle them was killed: where one was rolled back, the version is taken back, if nobody has gone on from it, and so is what
 * others of its transactions have committed. And what a request has made of databases that was never stored. A source that cannot be reached keeps its ones for later.
 */
export async function settlePending(served: ServedMetadata): Promise<void> {
  for (const pending of await served.store.pendingSourceChanges()) await settleOne(served, pending)
  for (const change of await served.store.abandonedEarlyChanges()) await settleEarly(served, change)
}

async function settleOne(served: ServedMetadata, pending: PendingSourceChange): Promise<void> {
  const outcomes = new Map<string, Outcome | null>()
  for (const one of pending.transactions) outcomes.set(one.source, await outcomeOnceOver(served, one))
  const found = [...outcomes.values()]
  if (found.includes(null) || found.includes('in progress')) return
  const committed = [...outcomes].flatMap(([source, outcome]) => (outcome === 'committed' ? source : []))
  if (found.includes('aborted')) await served.exclusively(() => undo(served, pending, new Set(committed)))
  await served.store.forgetSourceChange(pending.requestId)
}

async function undo(
  served: ServedMetadata,
  pending: PendingSourceChange,
  committed: ReadonlySet<string>,
): Promise<void> {
  const { resourceVersion } = await served.catchUp()
  if (resourceVersion !== pending.resourceVersion) return
  const draft = served.draft()
  const document = await served.store.withoutChange(draft.document, pending)
  if (!document) return
  const { required, cleanups } = planEffects(served.effects, draft, { ...draft, document })
  const undone = [...required, ...cleanups].filter(({ source }) => committed.has(source.name))
  await runEachAlone(served, undone)
  const author: Author = {
    role: 'admin',
    actor: `engine: a source rolled back what request ${pending.requestId} changed`,
    userAgent: null,
    requestId: pending.requestId,
    sessionVariables: {},
  }
  const stored = await served.commit({ draft: { ...draft, document }, touched: [], type: 'roll_back', author })
  if (stored !== null) served.serve({ ...draft, document }, stored)
}
