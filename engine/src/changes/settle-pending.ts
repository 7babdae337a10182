import { setTimeout } from 'node:timers/promises'
import { Path } from '../errors.ts'
import type { Author, PendingSourceChange } from '../metadata/index.ts'
import type { ServedMetadata } from './served-metadata.ts'

/** Milliseconds between two questions about a transaction that still runs, and how many are asked. */
const pause = 200
const mostQuestions = 50

/**
 * Settles versions that were stored before a transaction on a source committed (run_sql), where whoever was to settle
 * them was killed: one whose transaction was rolled back is taken back, if nobody has gone on from it. A source that
 * cannot be reached keeps its ones for later.
 */
export async function settlePending(served: ServedMetadata): Promise<void> {
  for (const pending of await served.store.pendingSourceChanges()) await settleOne(served, pending)
}

async function settleOne(served: ServedMetadata, pending: PendingSourceChange): Promise<void> {
  for (let asked = 0; asked < mostQuestions; asked++) {
    const outcome = await outcomeOf(served, pending)
    if (outcome === null) return
    if (outcome === 'in progress') {
      await setTimeout(pause)
      continue
    }
    if (outcome === 'aborted') await served.exclusively(() => undo(served, pending))
    await served.store.forgetSourceChange(pending.requestId)
    return
  }
}

/** What became of the transaction; null where the source cannot be asked. `unknown`: it is too long ago. */
export async function outcomeOf(
  served: ServedMetadata,
  { source, transaction }: Pick<PendingSourceChange, 'source' | 'transaction'>,
): Promise<'committed' | 'aborted' | 'in progress' | 'unknown' | null> {
  const state = served.current.model.input.sources.get(source)
  if (state?.status !== 'ready') return state ? null : 'unknown'
  let outcome: 'committed' | 'aborted' | 'in progress' | 'unknown' | null = null
  const script = { sql: '', readOnly: false, noTransaction: false }
  await state.connection
    .runSql(script, Path.root, async (opened) => {
      outcome = await opened.outcomeOf(transaction)
    })
    .catch(() => {})
  return outcome
}

async function undo(served: ServedMetadata, pending: PendingSourceChange): Promise<void> {
  const { resourceVersion } = await served.catchUp()
  if (resourceVersion !== pending.resourceVersion) return
  const draft = served.draft()
  const document = await served.store.withoutChange(draft.document, pending)
  if (!document) return
  const author: Author = {
    role: 'admin',
    actor: `engine: run_sql of request ${pending.requestId} was rolled back`,
    userAgent: null,
    requestId: pending.requestId,
    sessionVariables: {},
  }
  const stored = await served.commit({ draft: { ...draft, document }, touched: [], type: 'run_sql', author })
  if (stored !== null) served.serve({ ...draft, document }, stored)
}
