import type { Json } from '@svc/schema'
import { keepEarly, restoreEffects, type ServedMetadata, storeChange, takeBackEarly } from '../changes/index.ts'
import { AwaitedRemotes, RemoteAwaited, type RemoteReader } from '../remote-schemas/index.ts'
import { type AuthorizedRequest, authorOf } from './authorized-request.ts'
import { commandContext } from './command-context.ts'
import { type CommandContext, evaluate } from './evaluate.ts'
import { requireChangesGranted } from './granted-changes.ts'
import { noteEffects, noteRan, reportOverruled } from './note-effects.ts'
import { withWarnings } from './outcome.ts'
import { conflict, mostTries, refuseStale } from './refuse-stale.ts'
import type { EffectsBeforeStorage, RanAlready, RequestEffects } from './request-effects.ts'
import { showWhatSqlLeft, sourcesOfSql, storeSql } from './store-sql.ts'

/**
 * A request that may change metadata (reference/metadata-requests#versions): tried on the newest document, stored if
 * no one was faster, and only then served. One that was outrun is tried again on the newer document, unless it named
 * the version it is for.
 */
export async function writeRequest(served: ServedMetadata, asked: AuthorizedRequest): Promise<Json> {
  const done: RanAlready = new Map()
  const early: EffectsBeforeStorage = { made: null }
  const remotes = new AwaitedRemotes(served.remoteSchemas)
  for (;;)
    try {
      return await served.exclusively(() => tryUntilStored(served, asked, { done, early }, remotes))
    } catch (error) {
      if (!(error instanceof RemoteAwaited)) {
        noteRan(asked, done)
        throw error
      }
      // other requests go on while a remote schema is read
      await remotes.ask()
    }
}

/** What a request has done to databases before it is stored, in all its tries. */
interface Made {
  readonly done: RanAlready
  readonly early: EffectsBeforeStorage
}

async function tryUntilStored(
  served: ServedMetadata,
  asked: AuthorizedRequest,
  made: Made,
  remotes: RemoteReader,
): Promise<Json> {
  const { early } = made
  try {
    for (let tries = 1; ; tries++) {
      const base = await served.catchUp()
      const answer = await tryOnce(served, asked, made, remotes)
      if (answer !== outrun) {
        if (early.made) await keepEarly(served, early.made)
        return answer.of
      }
      if (asked.request.resourceVersion !== null || tries === mostTries) throw conflict(base.resourceVersion)
    }
  } catch (error) {
    if (early.made && !(error instanceof RemoteAwaited)) await takeBackEarly(served, early.made)
    throw error
  }
}

const outrun = Symbol('another instance was faster')

async function tryOnce(
  served: ServedMetadata,
  asked: AuthorizedRequest,
  { done, early }: Made,
  remotes: RemoteReader,
): Promise<{ readonly of: Json } | typeof outrun> {
  const { command, resourceVersion } = asked.request
  const effects: RequestEffects = { done, early, announced: [], restored: [], overruled: [], failed: [] }
  try {
    if (command.kind === 'run-sql') {
      const answer = await storeSql(served, asked, command)
      await served.store.announceReload({ sources: [command.args.source] })
      return { of: answer }
    }
    const around: CommandContext = { ...commandContext(served, asked, effects), remoteSchemas: remotes }
    const { draft, answer, touched } = await evaluate(served.draft(), command, around)
    refuseStale(resourceVersion, served)
    const { access } = asked.session
    if (access)
      requireChangesGranted(
        access,
        served.current.document,
        draft.document,
        asked.facts.owner ?? null,
        () => command.path,
      )
    const { audit } = asked.facts
    noteEffects(served, asked, effects)
    const change = { draft, touched, type: command.type, author: authorOf(asked), audit, early: early.made }
    const stored = await storeChange(served, change, command.path)
    if (stored === null) return outrun
    await restoreEffects(served, draft, effects.restored)
    served.serve(draft, stored.resourceVersion)
    reportOverruled(served, asked, effects)
    for (const reload of effects.announced) await served.store.announceReload(reload)
    return { of: withWarnings(answer, stored.warnings) }
  } catch (error) {
    // its own error is what the caller has to know
    await showWhatSqlLeft(served, sourcesOfSql(command)).catch(() => {})
    throw error
  }
}
