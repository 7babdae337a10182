import { type JsonObject, ownKey } from '@svc/schema'
import {
  type Backend,
  type Environment,
  type Introspection,
  type SourceConnection,
  type SourceDefaults,
  SourceUnavailable,
} from '../backends/index.ts'
import type { QualifiedName } from '../ir/index.ts'
import { errorReport, type Observation } from '../observe/index.ts'
import { Retries } from '../retries.ts'
import { checkQueries, declaredIn, unchecked } from './check-queries.ts'
import { readEnums, unread } from './read-enums.ts'
import { readFunctions, unreadFunctions } from './read-functions.ts'
import type { ReplicaLimits } from './routing/replica-monitor.ts'
import { Routings } from './routing/routings.ts'
import { SharedConnection } from './shared-connection.ts'
import { SharedPools } from './shared-pools.ts'
import { notServed, type ServableFacts, stateOfFailure, unavailable } from './source-failure.ts'
import type {
  DeclaredQueries,
  NamedFunctions,
  ReadySource,
  SourceFunctions,
  SourceState,
  UnavailableSource,
} from './source-state.ts'

export interface SourcesOptions {
  /** By the kinds of source that they serve; sources of another kind are stored and not served. */
  readonly backends: readonly Backend[]
  readonly defaults: SourceDefaults
  /** Absent: replicas are read every second and may be 10 s behind. */
  readonly replicas?: ReplicaLimits
  readonly environment: Environment
  readonly report: (observation: Observation) => void
  /** A served source that was unavailable can be reached; its new state is to be put into the model and served. */
  readonly recovered: (state: ReadySource) => void
}

/** The live connections to sources. States are values; what they share is opened and closed here. */
export class Sources {
  readonly #options: SourcesOptions
  readonly #connections = new SharedPools<SharedConnection>()
  readonly #sharedBy = new WeakMap<SourceConnection, SharedConnection>()
  /** Those of them that no one has requested yet. */
  readonly #ahead = new Set<string>()
  readonly #retries: Retries<SourceState, UnavailableSource>
  readonly #routings: Routings
  #closed = false

  constructor(options: SourcesOptions) {
    this.#options = options
    const { replicas: limits = { checkInterval: 1000, maxLag: 10_000 }, report, recovered } = options
    this.#retries = new Retries({
      isUnavailable: (state): state is UnavailableSource => state.status === 'unavailable' && state.backend !== null,
      subjectOf: ({ configuration }) => configuration,
      refresh: (state) => this.refresh(state),
      report({ name: source, message, reason }, attempt, retryInMilliseconds) {
        const error = errorReport(new Error(typeof message === 'string' ? message : reason))
        report({ kind: 'source-unavailable', source, attempt, retryInMilliseconds, error })
      },
      recovered: (state) => state.status === 'ready' && recovered(state),
    })
    this.#routings = new Routings({ limits, report })
  }

  /**
   * Connects (or finds the connection of equal settings) and introspects. Never throws: what cannot be reached is a state
   * too. `configuration` is that of the source's canonical form, `marked` the own keys of its enum tables,
   * `named` the functions it names, `declared` its native queries.
   */
  async prepare(
    name: string,
    kind: string,
    configuration: JsonObject,
    marked: Iterable<string> = [],
    named: SourceFunctions = new Map(),
    declared: DeclaredQueries = nothingDeclared,
  ): Promise<SourceState> {
    const backend = this.#backendOf(kind)
    const queries = unchecked(declared)
    const facts = { name, configuration, enums: unread(marked), functions: unreadFunctions(named), queries }
    if (!backend) return unavailable({ ...facts, backend }, notServed(kind))
    return this.#prepare({ ...facts, backend })
  }

  /** Begins to connect and to introspect, for a source that will be prepared shortly. What fails is found out then. */
  readAhead(name: string, kind: string, configuration: JsonObject): void {
    const { environment, defaults, report } = this.#options
    try {
      const backend = this.#backendOf(kind)
      const openable = backend?.source(name, configuration, { environment, defaults })
      if (!backend || !openable || this.#closed || this.#connections.has(openable.key)) return
      this.#connections
        .get(openable.key, () => new SharedConnection(openable, { source: name, backend, report }))
        .readAhead()
      this.#ahead.add(openable.key)
    } catch {
      // so is what is wrong with its configuration
    }
  }

  #backendOf(kind: string): Backend | null {
    const { backends } = this.#options
    const isOf = ({ kinds }: Backend) => kinds.some((one) => one.kind === kind || one.prefixes.includes(kind))
    return backends.find(isOf) ?? null
  }

  async #prepare(facts: ServableFacts): Promise<SourceState> {
    try {
      return await this.#open(facts)
    } catch (error) {
      return stateOfFailure(facts, error)
    }
  }

  /**
   * The state as the database is now; `only` reads nothing but those tables. Values of enum tables are read again, and
   * without `only` functions and native queries. The same reference when nothing changed.
   * A state that was unavailable is prepared again; one that became unavailable is.
   */
  async refresh(state: SourceState, only?: readonly QualifiedName[]): Promise<SourceState> {
    const { name, backend, configuration } = state
    if (!backend) return state
    const held = state.status === 'ready' ? this.#heldFor(state) : null
    if (state.status === 'unavailable' || !held) {
      const functions = unreadFunctions(state.functions)
      const queries = unchecked(declaredIn(state.queries))
      return this.#prepare({ name, backend, configuration, enums: unread(state.enums.keys()), functions, queries })
    }
    this.#connections.touch(held)
    const started = performance.now()
    try {
      const introspection = await state.connection.introspect(state.introspection, only)
      const keys = only ? only.map(ownKeyOf).filter((key) => state.enums.has(key)) : state.enums.keys()
      const enums = await readEnums(state.enums, keys, introspection, state.connection)
      // nothing of the catalogue was written since
      const isAsWas = only !== undefined || introspection === state.introspection
      const functions = isAsWas
        ? state.functions
        : await readFunctions(state.functions, state.functions.keys(), state.connection)
      const queries = isAsWas
        ? state.queries
        : await checkQueries(state.queries, declaredIn(state.queries), true, state)
      const isSame = enums === state.enums && functions === state.functions && queries === state.queries
      if (introspection === state.introspection && isSame) return state
      if (!only && introspection !== state.introspection)
        this.#reportIntrospected(name, state.introspection, introspection, started)
      return { ...state, introspection, enums, functions, queries }
    } catch (error) {
      return stateOfFailure(state, error)
    }
  }

  /** The state with these tables (by own key) as its enums and no others; those it did not know are read. */
  async mark(state: SourceState, marked: ReadonlySet<string>): Promise<SourceState> {
    const kept = [...state.enums].filter(([key]) => marked.has(key))
    const added = [...marked].filter((key) => !state.enums.has(key))
    if (added.length === 0 && kept.length === state.enums.size) return state
    const known = { ...state, enums: new Map(kept) }
    if (known.status === 'unavailable') return { ...known, enums: unread(marked) }
    try {
      return { ...known, enums: await readEnums(known.enums, added, known.introspection, known.connection) }
    } catch (error) {
      return stateOfFailure({ ...known, enums: unread(marked) }, error)
    }
  }

  /** The state with these functions and no others; those it did not know are read. */
  async name(state: SourceState, named: SourceFunctions): Promise<SourceState> {
    const added = [...named.keys()].filter((key) => !state.functions.has(key))
    if (added.length === 0 && named.size === state.functions.size) return state
    if (state.status === 'unavailable') return { ...state, functions: unreadFunctions(named) }
    const functions = new Map([...named].map(([key, { name }]) => [key, state.functions.get(key) ?? unreadOf(name)]))
    try {
      return { ...state, functions: await readFunctions(functions, added, state.connection) }
    } catch (error) {
      return stateOfFailure({ ...state, functions }, error)
    }
  }

  /** The state with these native queries and no others; those it did not know are checked. */
  async declare(state: SourceState, declared: DeclaredQueries): Promise<SourceState> {
    if (state.status === 'unavailable') return { ...state, queries: unchecked(declared) }
    try {
      const queries = await checkQueries(state.queries, declared, false, state)
      return queries === state.queries ? state : { ...state, queries }
    } catch (error) {
      return stateOfFailure({ ...state, queries: unchecked(declared) }, error)
    }
  }

  /** The states of the metadata that is served from now on: unavailable ones are tried again until they are reached. */
  serve(states: ReadonlyMap<string, SourceState>): void {
    if (this.#closed) return
    this.#retries.follow(states)
    const ready = [...states.values()].filter((state) => state.status === 'ready')
    this.#connections.serve(new Set(ready.flatMap(({ connection }) => this.#sharedBy.get(connection) ?? [])))
    this.#routings.serve(ready.flatMap(({ routing }) => routing ?? []))
  }

  /** Ends all connections when what runs on them is done. */
  async close(): Promise<void> {
    this.#closed = true
    this.#retries.close()
    await Promise.all([this.#routings.close(), this.#connections.close()])
  }

  async #open(facts: ServableFacts): Promise<ReadySource> {
    const { name, backend, configuration, enums: marked, functions: named, queries: declared } = facts
    const { environment, defaults, report } = this.#options
    if (this.#closed) throw new SourceUnavailable('the engine is shutting down')
    const openable = backend.source(name, configuration, { environment, defaults })
    const { key } = openable
    const started = performance.now()
    const isKnown = this.#connections.has(key)
    const shared = this.#connections.get(key, () => new SharedConnection(openable, { source: name, backend, report }))
    try {
      const connection = await shared.opened
      this.#sharedBy.set(connection, shared)
      const introspection = await shared.introspect()
      const { serverVersion } = introspection
      const settings = openable.routing
      const routing =
        settings && this.#routings.prepare({ name, backend, settings, key, primary: connection, serverVersion })
      this.#connections.touch(shared)
      const enums = await readEnums(marked, marked.keys(), introspection, connection)
      const functions = await readFunctions(named, named.keys(), connection)
      const queries = await checkQueries(declared, declaredIn(declared), true, { backend, connection })
      const milliseconds = Math.round(performance.now() - started)
      if (this.#ahead.delete(key) || !isKnown)
        report({
          kind: 'source-connected',
          source: name,
          of: backend.kind,
          url: openable.shown,
          tables: introspection.tables.size,
          milliseconds,
        })
      const read = { introspection, enums, functions, queries, connection }
      return { status: 'ready', name, backend, configuration, ...read, ...(routing && { routing }) }
    } catch (error) {
      void this.#connections.drop(shared)
      throw error
    }
  }

  #heldFor({ connection }: ReadySource): SharedConnection | null {
    const shared = this.#sharedBy.get(connection)
    return shared && this.#connections.holds(shared) ? shared : null
  }

  #reportIntrospected(source: string, before: Introspection, after: Introspection, started: number): void {
    const read = [...after.tables].filter(([key, table]) => before.tables.get(key) !== table).length
    const milliseconds = Math.round(performance.now() - started)
    this.#options.report({ kind: 'source-introspected', source, tables: after.tables.size, read, milliseconds })
  }
}

const nothingDeclared: DeclaredQueries = { queries: new Map(), types: new Set() }

const unreadOf = (name: QualifiedName): NamedFunctions => ({ name, overloads: [] })

const ownKeyOf = ({ schema, name }: QualifiedName): string => ownKey('table', { table: { schema, name } })
