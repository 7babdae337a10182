import type { MetadataDocument } from '@svc/schema'
import { Stretches } from '../long-work.ts'
import type { AuditRecord, Author, ChangedObjects, MetadataStore, PendingSourceChange } from '../metadata/index.ts'
import { type Model, type ModelSettings, updateModelInPieces } from '../model/index.ts'
import { errorReport, type Observer } from '../observe/index.ts'
import { type ReadyRemote, RemoteSchemas, type RemoteSchemasOptions } from '../remote-schemas/index.ts'
import { type ReadySource, Sources, type SourcesOptions } from '../sources/index.ts'
import { attributedChanges, type ChangedBy } from './attribute-changes.ts'
import { type Draft, withCurrentModel, withCurrentModelInStretches } from './draft.ts'
import type { EarlyEffects } from './early-effects.ts'
import type { SourceEffects } from './effects/effect-handler.ts'
import { finishPending } from './finish-pending.ts'
import { Mutex } from './lock.ts'
import { followRemotes } from './remote-states.ts'
import { serveAnswering, serveRecovered, serveReloadedRemotes } from './serve-returned.ts'
import { follow, loadBesideSources, reload, rereadChangedTables } from './source-states.ts'

/**
 * Milliseconds that a start, and a change that another instance made, wait for remote schemas: what hangs is served as
 * inconsistent, and tried again meanwhile.
 */
const remoteTimeouts = { start: 500, change: 2_000 } as const

/** Milliseconds that a start holds the event loop at a stretch: no one is served yet, but a signal has to be handled. */
const startingStretch = 50

/** Milliseconds between checks of what other instances have left when they were killed. */
const finishPause = 60_000

export interface ServedOptions {
  readonly store: MetadataStore
  readonly sources: Omit<SourcesOptions, 'recovered'>
  readonly remoteSchemas: Omit<RemoteSchemasOptions, 'recovered'>
  readonly settings: ModelSettings
  readonly observer: Observer
  /** What changes of metadata do to sources: one handler a kind of effect. */
  readonly effects: readonly SourceEffects[]
  /** Whether a change of what another stack or directory owns is refused (docs/ownership.md). */
  readonly protectsOwned: boolean
}

/** What is served at a moment; replaced by one assignment. */
export interface ServedState {
  readonly document: MetadataDocument
  readonly resourceVersion: number
  readonly model: Model
}

/** What a request made and wants stored. */
export interface Change {
  readonly draft: Draft
  readonly touched: readonly ChangedBy[]
  /** Of the request: what no operation of its own speaks for. */
  readonly type: string
  readonly author: Author
  /** The audit log's entry of the request. */
  readonly audit?: AuditRecord | undefined
  /** What the request has made of databases already, if anything: `runEffectsEarly`. */
  readonly early?: EarlyEffects | null
  /** It undoes the version before. */
  readonly takesBack?: true
}

/**
 * The served state and whatever replaces it: this process's writes, those of other instances, sources that are lost and
 * recover. Replacing it is one assignment, which is done under the lock.
 */
export class ServedMetadata {
  readonly #options: ServedOptions
  readonly store: MetadataStore
  readonly observer: Observer
  readonly sources: Sources
  readonly remoteSchemas: RemoteSchemas
  readonly #lock = new Mutex()
  #state: ServedState
  #synchronising = false
  #finishing: NodeJS.Timeout | undefined
  #isFinishing = false
  #finishesAgain = false

  private constructor(options: ServedOptions, sources: Sources, remoteSchemas: RemoteSchemas, state: ServedState) {
    this.#options = options
    this.store = options.store
    this.observer = options.observer
    this.sources = sources
    this.remoteSchemas = remoteSchemas
    this.#state = state
  }

  /** Loads the catalogue, connects the sources and builds the model; sources that are down are reported, never fatal. */
  static async start(options: ServedOptions): Promise<ServedMetadata> {
    const { store, settings, observer } = options
    let recovered: (state: ReadySource) => void = () => {}
    const sources = new Sources({ ...options.sources, recovered: (state) => recovered(state) })
    const { document, resourceVersion } = await loadBesideSources(store, sources)
    let answering: (state: ReadyRemote) => void = () => {}
    const remoteSchemas = new RemoteSchemas({ ...options.remoteSchemas, recovered: (state) => answering(state) })
    const [states, remotes] = await Promise.all([
      follow(sources, new Map(), document, document),
      followRemotes(remoteSchemas, new Map(), document, remoteTimeouts.start),
    ])
    const started = performance.now()
    const stretches = new Stretches(startingStretch)
    const model = await stretches.run(updateModelInPieces(null, { document, sources: states, remotes, settings }))
    const served = new ServedMetadata(options, sources, remoteSchemas, { document, resourceVersion, model })
    recovered = (state) => void serveRecovered(served, state).then(() => served.#finishPending())
    answering = (state) => void serveAnswering(served, state)
    sources.serve(states)
    remoteSchemas.serve(remotes)
    reportModel(observer, model, started)
    store.subscribe((change) => void served.#receive(change))
    void served.#finishPending()
    served.#finishing = setInterval(() => void served.#finishPending(), finishPause).unref()
    return served
  }

  async close(): Promise<void> {
    clearInterval(this.#finishing)
    this.remoteSchemas.close()
    await this.sources.close()
  }

  get current(): ServedState {
    return this.#state
  }

  get protectsOwned(): boolean {
    return this.#options.protectsOwned
  }

  get effects(): readonly SourceEffects[] {
    return this.#options.effects
  }

  /** The served state as the beginning of a request. */
  draft(): Draft {
    const { document, model } = this.#state
    const { sources: states, remotes = new Map() } = model.input
    return { document, model, states, remotes, settings: this.#options.settings, reread: new Set() }
  }

  exclusively<T>(work: () => Promise<T>): Promise<T> {
    return this.#lock.run(work)
  }

  /** What was stored after a version; null where the log does not reach back so far, or the version is none yet. */
  async changedAfter(version: number): Promise<ChangedObjects | null> {
    if (version === this.#state.resourceVersion) return new Map()
    return this.store.history.changedAfter(version)
  }

  /** The state as of now: another instance's write is read here (architecture, decision 8). */
  async fresh(): Promise<ServedState> {
    const version = await this.store.readVersion()
    return version === this.#state.resourceVersion ? this.#state : this.exclusively(() => this.catchUp())
  }

  /** Resolves once what other instances have stored and announced before the call is served. */
  async follow(): Promise<void> {
    await this.store.checkVersion()
    // what was found waits for the lock already
    await this.exclusively(async () => {})
  }

  /** Serves what other instances have stored. Only inside `exclusively`. */
  async catchUp(): Promise<ServedState> {
    const { store, observer } = this
    const before = this.#state
    if ((await store.readVersion()) === before.resourceVersion) return before
    const started = performance.now()
    const { document, resourceVersion } = await store.catchUp(before)
    const draft = this.draft()
    const followed = await follow(this.sources, draft.states, draft.document, document)
    const states = await rereadChangedTables(this.sources, followed, draft.states, draft.document, document)
    const remotes = await followRemotes(this.remoteSchemas, draft.remotes, document, remoteTimeouts.change)
    this.serve(await withCurrentModelInStretches({ ...draft, document, states, remotes }), resourceVersion)
    observer.report({ kind: 'metadata-synchronised', resourceVersion, milliseconds: performance.now() - started })
    return this.#state
  }

  /**
   * Stores what a request made if the catalogue still is at the served version; says whether it did. Nothing is
   * stored when nothing changed. The caller serves it: SQL may have to be committed in between, and `pending` is stored with
   * it then.
   */
  async commit(change: Change, pending: PendingSourceChange | null = null): Promise<number | null> {
    const { store, observer } = this
    const { document: before, resourceVersion: base } = this.#state
    const { draft, touched, type, author, audit = null, takesBack } = change
    const changes = await new Stretches().run(attributedChanges(before, draft.document, touched, type))
    if (changes.length === 0) return base
    const started = performance.now()
    const clearsActionLogs = touched.flatMap(({ clearsActionLog: action }) => action ?? [])
    const outcome = await store.commit({
      base,
      changes,
      before,
      after: draft.document,
      author,
      clearsActionLogs,
      pending,
      audit,
      ...(takesBack && { takesBack }),
    })
    if (!outcome.committed) {
      observer.report({ kind: 'metadata-outrun', requestId: author.requestId, base })
      return null
    }
    observer.report({
      kind: 'metadata-committed',
      requestId: author.requestId,
      resourceVersion: outcome.resourceVersion,
      changed: changes.length,
      milliseconds: performance.now() - started,
    })
    return outcome.resourceVersion
  }

  /** Assigns objects to another owner or to none. Only inside `exclusively`. */
  async setOwners(addresses: readonly string[], owner: string | null): Promise<void> {
    const { resourceVersion: base } = this.#state
    const isNext = await this.store.setOwners(addresses, owner, base)
    // where another instance was faster, the next change reads both
    if (isNext) this.#state = { ...this.#state, resourceVersion: base + 1 }
  }

  /** Takes back a version that was stored and never served, unless another instance has gone on from it. */
  async takeBack(
    { draft, resourceVersion: base }: { readonly draft: Draft; readonly resourceVersion: number },
    { type, author }: Pick<Change, 'type' | 'author'>,
  ): Promise<void> {
    const { document: after } = this.#state
    const changes = await new Stretches().run(attributedChanges(draft.document, after, [], type))
    if (changes.length === 0) return
    await this.store.commit({ base, changes, before: draft.document, after, author, takesBack: true })
    await this.catchUp()
  }

  /** Serves a draft from now on. Only inside `exclusively`. */
  serve(draft: Draft, resourceVersion: number): void {
    const started = performance.now()
    const { document, model, states, remotes } = withCurrentModel(draft)
    const unchanged = model === this.#state.model
    this.#state = { document, resourceVersion, model }
    if (unchanged) return
    this.sources.serve(states)
    this.remoteSchemas.serve(remotes)
    reportModel(this.observer, model, started)
  }

  async #finishPending(): Promise<void> {
    this.#finishesAgain = true
    if (this.#isFinishing) return
    this.#isFinishing = true
    while (this.#finishesAgain) {
      this.#finishesAgain = false
      await this.#quietly(() => finishPending(this))
    }
    this.#isFinishing = false
  }

  async #receive(change: CatalogueChange): Promise<void> {
    if (change.kind === 'reload') {
      if (change.remoteSchemas.length > 0) void this.#quietly(() => serveReloadedRemotes(this, change.remoteSchemas))
      if (change.sources.length === 0) return
      return this.#quietly(() => this.exclusively(() => this.reload(change.sources)))
    }
    // one catch-up reads everything there is, so a second one in waiting would find nothing
    if (this.#synchronising) return
    this.#synchronising = true
    await this.#quietly(async () => {
      await this.exclusively(() => {
        this.#synchronising = false
        return this.catchUp()
      })
    })
    this.#synchronising = false
  }

  /** Reads databases again. Only inside `exclusively`. */
  async reload(sources: readonly string[] | 'all'): Promise<void> {
    const started = performance.now()
    const draft = this.draft()
    const names = sources === 'all' ? [...draft.states.keys()] : sources
    const states = await reload(this.sources, draft.states, names)
    this.serve(await withCurrentModelInStretches({ ...draft, states }), this.#state.resourceVersion)
    const milliseconds = performance.now() - started
    this.observer.report({ kind: 'sources-reloaded', sources, milliseconds })
  }

  async #quietly(work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      this.observer.report({ kind: 'metadata-synchronisation-failed', error: errorReport(error) })
    }
  }
}

function reportModel(observer: Observer, { rebuilt, inconsistencies }: Model, started: number): void {
  observer.report({ kind: 'model-updated', rebuilt, milliseconds: performance.now() - started })
  if (!inconsistencies.isEmpty())
    observer.report({ kind: 'metadata-inconsistent', objects: [...inconsistencies.values()] })
}

type CatalogueChange = Parameters<Parameters<MetadataStore['subscribe']>[0]>[0]
