import { isRecord, type Json, type MetadataDocument, type RunSqlArgs, type Selection } from '@svc/schema'
import type { OpenTransaction } from '../backends/index.ts'
import {
  type Adapt,
  checksMetadata,
  type Draft,
  follow,
  judgeNoNew,
  outcomeOf,
  type RunSqlRequest,
  readySource,
  reload,
  restoreEffects,
  runCheckedSql,
  runEffectsEarly,
  runPlainSql,
  type ServedMetadata,
  type Situation,
  type StoredChange,
  settle,
  storeChange,
  takeBack,
  takeBackEarly,
} from '../changes/index.ts'
import { ApiError, errorBody, Path } from '../errors.ts'
import { type Author, type Reload, success, type Warning } from '../metadata/index.ts'
import { AwaitedRemotes, RemoteAwaited, type RemoteReader } from '../remote-schemas/index.ts'
import { runRowOperation } from '../row-api/index.ts'
import { adminRole, ownPrefix, type Session, userSettings, withPrefix } from '../session.ts'
import { traceJson } from '../tracing/index.ts'
import type { RequestFacts } from './answer.ts'
import type { AdminRequest, Command, RowCommand } from './command.ts'
import { detailedError, detailsAsked } from './error-details.ts'
import { evaluate, type Outcome, type Surroundings } from './evaluate.ts'
import { reloadMetadata } from './reload-metadata.ts'
import type { ChangedAfter } from './unless-changed.ts'

/** Who asks for what. */
export interface AuthorizedRequest {
  readonly request: AdminRequest
  readonly session: Session
  readonly facts: RequestFacts
  readonly showInternal: boolean
}

/**
 * A request that may change metadata (reference/metadata-requests#versions): tried on the newest document, stored if
 * nobody was faster, and only then served. One that was outrun is tried again on the newer document, unless it named
 * the version it is for.
 */
export async function writeRequest(served: ServedMetadata, asked: AuthorizedRequest): Promise<Json> {
  const done: RanAlready = new Map()
  const early: Early = { made: null }
  const remotes = new AwaitedRemotes(served.remoteSchemas)
  for (;;)
    try {
      return await served.exclusively(() => tryOrTakeBack(served, asked, { done, early }, remotes))
    } catch (error) {
      if (!(error instanceof RemoteAwaited)) throw error
      // other requests go on while a remote schema is read
      await remotes.ask()
    }
}

/** What a request has done to databases before it is stored, in all its tries. */
interface Made {
  readonly done: RanAlready
  readonly early: Early
}

/** Databases are made what a draft says where the request goes on with their tables; null: they are as served. */
interface Early {
  made: Situation | null
}

async function tryOrTakeBack(
  served: ServedMetadata,
  asked: AuthorizedRequest,
  made: Made,
  remotes: RemoteReader,
): Promise<Json> {
  try {
    return await tryUntilStored(served, asked, made, remotes)
  } catch (error) {
    if (made.early.made && !(error instanceof RemoteAwaited)) await takeBackEarly(served, made.early.made)
    throw error
  }
}

async function tryUntilStored(
  served: ServedMetadata,
  asked: AuthorizedRequest,
  made: Made,
  remotes: RemoteReader,
): Promise<Json> {
  for (let tries = 1; ; tries++) {
    const base = await served.catchUp()
    const answer = await tryOnce(served, asked, made, remotes)
    if (answer !== outrun) return answer.of
    if (asked.request.resourceVersion !== null || tries === mostTries) throw conflict(base.resourceVersion)
  }
}

/** An error with the details that the request asks for. `document`: as it was before what was refused. */
export const detailed = (
  { facts, showInternal }: AuthorizedRequest,
  error: ApiError,
  document: MetadataDocument,
): ApiError => detailedError(error, detailsAsked(facts.headers), document, showInternal)

/** Warnings of what was done in the databases join those of the operation. */
function withWarnings(answer: Json, warnings: readonly Warning[]): Json {
  if (warnings.length === 0 || !isRecord(answer)) return answer
  const own = Array.isArray(answer.warnings) ? (answer.warnings as readonly Json[]) : []
  return { ...answer, warnings: [...own, ...warnings.map((warning) => ({ ...warning }))] }
}

const mostTries = 50
const outrun = Symbol('another instance was faster')

async function tryOnce(
  served: ServedMetadata,
  asked: AuthorizedRequest,
  { done, early }: Made,
  remotes: RemoteReader,
): Promise<{ readonly of: Json } | typeof outrun> {
  const { command, resourceVersion } = asked.request
  const effects: Effects = { done, early, announced: [], restored: [] }
  try {
    if (command.kind === 'run-sql') {
      const answer = await storeSql(served, asked, command)
      await served.store.announceReload({ sources: [command.args.source] })
      return { of: answer }
    }
    const around: Surroundings = { ...surroundings(served, asked, effects), remoteSchemas: remotes }
    const { draft, answer, touched } = await evaluate(served.draft(), command, around)
    refuseStale(resourceVersion, served)
    const change = { draft, touched, type: command.type, author: authorOf(asked), early: early.made }
    const stored = await storeChange(served, change, command.path)
    if (stored === null) return outrun
    await restoreEffects(served, draft, effects.restored)
    served.serve(draft, stored.resourceVersion)
    for (const reload of effects.announced) await served.store.announceReload(reload)
    return { of: withWarnings(answer, stored.warnings) }
  } catch (error) {
    // its own error is what the caller has to know
    await showWhatSqlLeft(served, sourcesOfSql(command)).catch(() => {})
    throw error
  }
}

/**
 * The version is compared last, so an operation's own errors win, and also when nothing would change
 * (reference/metadata-requests#versions).
 */
export function refuseStale(referenced: number | null, served: ServedMetadata): void {
  if (referenced !== null && referenced !== served.current.resourceVersion) throw conflict(referenced)
}

const conflict = (referenced: number) =>
  new ApiError(
    'conflict',
    Path.root,
    `metadata resource version referenced (${referenced}) did not match current version`,
  )

const authorOf = ({ session, facts }: AuthorizedRequest): Author => ({
  role: session.role,
  actor: facts.actor,
  userAgent: facts.userAgent,
  requestId: facts.requestId,
  sessionVariables: Object.fromEntries(session.variables),
})

/** What ran and cannot be taken back: a second try takes answer and effect from here instead of running it again. */
type RanAlready = Map<Command, { readonly answer: Json; readonly adapt: Adapt | null }>

/** What a request did that its draft does not show. */
export interface Effects {
  readonly done: RanAlready
  /** Null: nothing is made of databases before the outcome is stored, since it may never be. */
  readonly early: Early | null
  /** What to announce once it is stored. */
  readonly announced: Reload[]
  /** Sources whose databases are made anew what metadata says of them. */
  readonly restored: string[]
}

export const noEffects = (): Effects => ({ done: new Map(), early: null, announced: [], restored: [] })

/** What evaluation finds around it when its outcome may be stored. */
export function surroundings(
  served: ServedMetadata,
  asked: AuthorizedRequest,
  { done, early, announced, restored }: Effects,
): Surroundings {
  // a trigger that an earlier member has made captures what a later one writes
  const makeEarly = async ({ document, states }: Draft, path: Path) => {
    if (early) early.made = await runEffectsEarly(served, { document, states }, early.made, path)
  }
  return {
    sources: served.sources,
    remoteSchemas: served.remoteSchemas,
    bodyOf: (error, document) => errorBody(detailed(asked, error, document), asked.showInternal) as Json,
    async read(command, draft) {
      const { operation, version, path } = command
      const ran = done.get(command)
      if (ran) return ran.answer
      const { session, facts } = asked
      if (operation.effects === 'lasting') await makeEarly(draft, path)
      const answer = await operation.answer({ draft, served, session, facts, version, path })
      // what only reads is to show the document that is stored in the end
      if (operation.effects === 'lasting') done.set(command, { answer, adapt: null })
      return answer
    },
    async rows(command, draft) {
      if (!done.has(command)) await makeEarly(draft, command.path)
      const outcome = await runRows(command, draft, asked, served, done)
      // metadata alone does not show what became of the tables
      if (command.kind === 'run-sql' && done.get(command)?.adapt) announced.push({ sources: [command.args.source] })
      return outcome
    },
    async reload(command, draft) {
      const isOne = command.type === 'reload_remote_schema'
      if (isOne) requireRemotes(draft, command.args.reload_remote_schemas, command.path)
      const reloaded = await reloadMetadata(draft, command.args, command.path, served.sources, this.remoteSchemas)
      if (isOne) judgeNoNew(draft.model, reloaded.draft.model, command.path)
      const { sources, remoteSchemas } = reloaded
      if (sources.length > 0 || remoteSchemas.length > 0) announced.push({ sources, remoteSchemas })
      restored.push(...reloaded.restored)
      return { draft: reloaded.draft, answer: isOne ? success : reloaded.answer, touched: [] }
    },
    changedAfter: once((version) => served.changedAfter(version)),
  }
}

function requireRemotes({ remotes }: Draft, names: Selection, path: Path): void {
  const missing = Array.isArray(names) ? names.find((name) => !remotes.has(name)) : undefined
  if (missing !== undefined)
    throw new ApiError('not-exists', path, `remote schema with name "${missing}" does not exist`)
}

/** Members of a bulk mostly go out from the same version. */
function once(changedAfter: ChangedAfter): ChangedAfter {
  const asked = new Map<number, ReturnType<ChangedAfter>>()
  return (version) => {
    const answer = asked.get(version) ?? changedAfter(version)
    asked.set(version, answer)
    return answer
  }
}

/** Characters of values, and bytes of an answer, of one operation on rows. */
const most = 1_073_741_824

function traced(args: RunSqlArgs, { facts, session: { prefix } }: AuthorizedRequest): RunSqlRequest {
  const context = facts.trace?.() ?? null
  // whatever role variables the request has, events of SQL say that the admin caused them
  // (reference/event-triggers#in-the-database)
  const admin = { role: adminRole, variables: new Map([[`${prefix ?? ownPrefix}role`, adminRole]]), backendOnly: false }
  const user = userSettings({ ...admin, ...withPrefix(prefix) })
  return { ...args, trace: context && traceJson(context), user }
}

/** SQL or rows as a member of a bulk: they are there at once; what they mean for metadata is stored with the bulk. */
async function runRows(
  command: RowCommand,
  draft: Draft,
  asked: AuthorizedRequest,
  served: ServedMetadata,
  done: RanAlready,
): Promise<Outcome> {
  const ran = done.get(command)
  if (ran) return { draft: ran.adapt ? ran.adapt(draft) : draft, answer: ran.answer, touched: [] }
  const { path } = command
  if (command.kind === 'rows') {
    const { session, facts } = asked
    const more = { ...(facts.trace && { trace: facts.trace }), ...(facts.validate && { validate: facts.validate }) }
    const answer = await runRowOperation(command.operation, { model: draft.model, session, ...more, path, most })
    done.set(command, { answer, adapt: null })
    return { draft, answer, touched: [] }
  }
  const { args, sourceKind } = command
  const { source } = args
  readySource(draft, source, path, sourceKind)
  if (!checksMetadata(args)) {
    const answer: Json = { ...(await runPlainSql(draft, traced(args, asked), path)) }
    done.set(command, { answer, adapt: null })
    return { draft: { ...draft, looked: new Set() }, answer, touched: [] }
  }
  const before = settle({ ...draft, states: await reload(served.sources, draft.states, [source]), looked: new Set() })
  let after = before
  let adaptation: Adapt = (other) => other
  const answer: Json = {
    ...(await runCheckedSql(before, traced(args, asked), path, async (adapt) => {
      adaptation = adapt
      after = adapt(before)
    })),
  }
  done.set(command, { answer, adapt: adaptation })
  return { draft: after, answer, touched: [] }
}

/**
 * run_sql by itself (architecture, two walks): the catalogue is compared and set inside the source's transaction. When
 * the source then refuses to commit, the catalogue is set back.
 */
async function storeSql(
  served: ServedMetadata,
  asked: AuthorizedRequest,
  command: RowCommand & { readonly kind: 'run-sql' },
): Promise<Json> {
  const { args, path, type, sourceKind } = command
  const author = authorOf(asked)
  const start = served.draft()
  readySource(start, args.source, path, sourceKind)
  const states = await reload(served.sources, start.states, [args.source])
  let draft = settle({ ...start, states })
  const before = served.current
  let stored = null as StoredChange | null
  const store = async (adapt: Adapt, transaction: OpenTransaction) => {
    for (let tries = 1; ; tries++) {
      const adapted = adapt(draft)
      refuseStale(asked.request.resourceVersion, served)
      const change = { draft: adapted, touched: [], type, author }
      stored = await storeChange(served, change, path, { source: args.source, transaction })
      if (stored) return
      const base = await served.catchUp()
      if (tries === mostTries) throw conflict(base.resourceVersion)
      const followed = await follow(served.sources, draft.states, draft.document, base.document)
      draft = settle({ ...draft, document: base.document, states: followed })
    }
  }
  try {
    const answer = await runCheckedSql(draft, traced(args, asked), path, store)
    const { draft: adapted, resourceVersion } = stored ?? { draft, resourceVersion: before.resourceVersion }
    served.serve(adapted, resourceVersion)
    if (stored?.pending) await served.store.forgetSourceChange(stored.pending.requestId).catch(() => {})
    return { ...answer }
  } catch (error) {
    // the SQL was rolled back after its metadata had been stored
    if (stored && !(await hasCommitted(served, stored))) await takeBack(served, stored, { type, author })
    if (stored?.pending) await served.store.forgetSourceChange(stored.pending.requestId)
    throw error
  }
}

/** Whether the source committed although its answer was lost; metadata then stays, and is served from now on. */
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
 * A request with SQL failed, and some of it may have stayed (of a bulk, without a transaction, after a COMMIT of its
 * own): the databases are read again, so that what is served is what is there.
 */
async function showWhatSqlLeft(served: ServedMetadata, sources: ReadonlySet<string>): Promise<void> {
  const known = [...sources].filter((source) => served.draft().states.has(source))
  if (known.length === 0) return
  const { model } = served.current
  await served.reload(known)
  if (served.current.model !== model) await served.store.announceReload({ sources: known })
}

/** The sources whose tables a command's SQL may change. */
function sourcesOfSql(command: Command): ReadonlySet<string> {
  if (command.kind === 'bulk') return new Set(command.members.flatMap((member) => [...sourcesOfSql(member)]))
  return new Set(command.kind === 'run-sql' && checksMetadata(command.args) ? [command.args.source] : [])
}
