import type { Json } from '@svc/schema'
import type { OpenTransaction } from '../backends/index.ts'
import {
  checksMetadata,
  follow,
  outcomeOf,
  readySource,
  reload,
  runCheckedSql,
  type ServedMetadata,
  type StoredChange,
  storeChange,
  takeBack,
  type UpdateDraft,
  withCurrentModel,
} from '../changes/index.ts'
import type { Warning } from '../metadata/index.ts'
import type { Overruled } from './answer.ts'
import { type AuthorizedRequest, authorOf, traced } from './authorized-request.ts'
import type { Command, RowCommand } from './command.ts'
import { noteEffects, reportOverruled } from './note-effects.ts'
import { withWarnings } from './outcome.ts'
import { checkSteps } from './owned-objects.ts'
import { conflict, mostTries, refuseStale } from './refuse-stale.ts'

/**
 * run_sql by itself (architecture, two walks): the catalogue is compared and set inside the source's transaction. When
 * the source then refuses to commit, the catalogue is set back.
 */
export async function storeSql(
  served: ServedMetadata,
  asked: AuthorizedRequest,
  command: RowCommand & { readonly kind: 'run-sql' },
): Promise<Json> {
  const { args, path, type, sourceKind } = command
  const author = authorOf(asked)
  const start = served.draft()
  readySource(start, args.source, path, sourceKind)
  const states = await reload(served.sources, start.states, [args.source])
  let draft = withCurrentModel({ ...start, states })
  const before = served.current
  let stored = null as StoredChange | null
  const overruled: Overruled[] = []
  let warnings: readonly Warning[] = []
  const store = async (adapt: UpdateDraft, transaction: OpenTransaction) => {
    for (let tries = 1; ; tries++) {
      const adapted = adapt(draft)
      overruled.length = 0
      warnings = checkSteps(served, asked, overruled)?.(draft.document, adapted.document, () => path) ?? []
      noteEffects(served, asked, { overruled, failed: [] })
      refuseStale(asked.request.resourceVersion, served)
      const change = { draft: adapted, touched: [], type, author, audit: asked.facts.audit }
      stored = await storeChange(served, change, path, { source: args.source, transaction })
      if (stored) return
      const base = await served.catchUp()
      if (tries === mostTries) throw conflict(base.resourceVersion)
      const followed = await follow(served.sources, draft.states, draft.document, base.document)
      draft = withCurrentModel({ ...draft, document: base.document, states: followed })
    }
  }
  try {
    const answer = await runCheckedSql(draft, traced(args, asked), path, store)
    const { draft: adapted, resourceVersion } = stored ?? { draft, resourceVersion: before.resourceVersion }
    served.serve(adapted, resourceVersion)
    if (stored?.pending) await served.store.sourceChanges.forget(stored.pending).catch(() => {})
    reportOverruled(served, asked, { overruled })
    return withWarnings({ ...answer }, warnings)
  } catch (error) {
    // the SQL was rolled back after its metadata had been stored
    if (stored && !(await hasCommitted(served, stored))) await takeBack(served, stored, { type, author })
    if (stored?.pending) await served.store.sourceChanges.forget(stored.pending)
    throw error
  }
}

/** Whether the source committed although its answer was lost; metadata then remains, and is served from now on. */
async function hasCommitted(
  served: ServedMetadata,
  { pending, draft, resourceVersion }: StoredChange,
): Promise<boolean> {
  const [own] = pending?.transactions ?? []
  if (!own || (await outcomeOf(served, own)) !== 'committed') return false
  served.serve(draft, resourceVersion)
  return true
}

/**
 * A request with SQL failed, and some of it may be committed (of a bulk, without a transaction, after a COMMIT of its
 * own): the databases are read again, so that what is served is what is there.
 */
export async function showWhatSqlLeft(served: ServedMetadata, sources: ReadonlySet<string>): Promise<void> {
  const known = [...sources].filter((source) => served.draft().states.has(source))
  if (known.length === 0) return
  const { model } = served.current
  await served.reload(known)
  if (served.current.model !== model) await served.store.announceReload({ sources: known })
}

/** The sources whose tables a command's SQL may change. */
export function sourcesOfSql(command: Command): ReadonlySet<string> {
  if (command.kind === 'bulk') return new Set(command.members.flatMap((member) => [...sourcesOfSql(member)]))
  return new Set(command.kind === 'run-sql' && checksMetadata(command.args) ? [command.args.source] : [])
}
