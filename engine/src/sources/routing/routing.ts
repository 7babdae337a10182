import type { Backend, RoutingSettings, SourceConnection, Statement } from '../../backends/index.ts'
import { ApiError, Path } from '../../errors.ts'
import type { Observation } from '../../observe/index.ts'
import { adminRole } from '../../session.ts'
import { type AskReplica, type Replica, reasonOf } from './replica.ts'
import { type Route, type RoutedRequest, routeOf } from './route.ts'

/** What is read of a source without effects, wherever. */
export type ReadConnection = Pick<SourceConnection, 'query' | 'queryRows' | 'explain' | 'dryRun'>

export interface RoutingParts {
  readonly source: string
  readonly backend: Backend
  readonly settings: RoutingSettings
  readonly primary: SourceConnection
  readonly serverVersion: number
  readonly replicas: readonly Replica[]
  readonly members: ReadonlyMap<string, SourceConnection>
  readonly report: (observation: Observation) => void
}

/** Where the requests of a source go that has replicas or a connection set (docs/routing.md). */
export class Routing {
  readonly parts: RoutingParts
  /**
   * By what reads: a request or a poll of subscribers keeps its replica, so that what it reads never goes back in time.
   */
  readonly #kept = new WeakMap<object, Replica>()
  readonly #routes = new WeakMap<object, Route>()
  /** Of two that are equally busy, the one that was not used last. */
  #turn = 0

  constructor(parts: RoutingParts) {
    this.parts = parts
  }

  /** Throws ApiError where the connection template chooses none. `by`: it is evaluated once for each. */
  route(role: string, by: object, request: () => RoutedRequest): Route {
    const { template, members } = this.parts.settings
    if (template === null) return defaultRoute
    // the schema is that of the primary, and so is what the admin sees
    if (role === adminRole) return primary
    const known = this.#routes.get(by)
    if (known) return known
    const route = routeOf(template, request(), members.keys())
    this.#routes.set(by, route)
    return route
  }

  /** `by`: the request, or whatever else reads again and again. */
  reads(route: Route, by: object): ReadConnection {
    switch (route.to) {
      case 'primary':
        return this.parts.primary
      case 'connection_set':
        return this.#member(route.member)
      case 'default':
      case 'read_replicas':
        return this.parts.replicas.length === 0 ? this.parts.primary : this.#spread(by)
    }
  }

  /** Throws not-supported for a route to read replicas. */
  writes(route: Route): SourceConnection {
    switch (route.to) {
      case 'default':
      case 'primary':
        return this.parts.primary
      case 'connection_set':
        return this.#member(route.member)
      case 'read_replicas':
        throw new ApiError('not-supported', Path.root, 'the connection template sends a mutation to read replicas')
    }
  }

  #member(name: string): SourceConnection {
    const member = this.parts.members.get(name)
    if (member) return member
    throw new ApiError('unexpected', Path.root, 'the connection set of the source has no such member', {
      status: 500,
      internal: { member: name },
    })
  }

  #spread(by: object): ReadConnection {
    const { primary: own } = this.parts
    return {
      query: (plan, parameters, signal, most) =>
        mayGoTo(plan)
          ? this.#read(by, plan.text, (at, until) => at.query(plan, parameters, until, most), signal)
          : own.query(plan, parameters, signal, most),
      queryRows: (plan, parameters, signal) =>
        mayGoTo(plan)
          ? this.#read(by, plan.text, (at, until) => at.queryRows(plan, parameters, until), signal)
          : own.queryRows(plan, parameters, signal),
      explain: (sql) => this.#read(by, sql, (at) => at.explain(sql), undefined),
    }
  }

  /** Of a replica, another one where that is lost, and the primary where there is none. */
  async #read<Result>(
    by: object,
    text: string,
    ask: (connection: SourceConnection, signal: AbortSignal | undefined) => Promise<Result>,
    signal: AbortSignal | undefined,
  ): Promise<Result> {
    const { primary: own, backend, source, report } = this.parts
    const replica = this.#choose(by)
    if (!replica) return ask(own, signal)
    try {
      return await replica.run(ask as AskReplica<Result>, signal)
    } catch (error) {
      signal?.throwIfAborted()
      const failure = backend.failures.ofRead(error)
      if (failure === null) throw error
      report({ kind: 'replica-read-moved', source, replica: replica.pool.address, reason: failure })
      switch (failure) {
        case 'unreachable':
          if (replica.state.kind === 'serving') replica.leaveOut('unreachable', reasonOf(error))
          return this.#read(by, text, ask, signal)
        case 'elsewhere':
          return ask(own, signal)
        case 'differs': {
          // what the primary refuses too is no difference
          const result = await ask(own, signal)
          if (replica.state.kind === 'serving')
            replica.leaveOut('differs', reasonOf(error), { statement: text, pause: DIFFERS_FOR })
          return result
        }
      }
    }
  }

  #choose(by: object): Replica | null {
    const kept = this.#kept.get(by)
    if (kept?.state.kind === 'serving') return kept
    const { replicas } = this.parts
    let least: Replica | null = null
    for (let i = 0; i < replicas.length; i++) {
      const replica = replicas[(this.#turn + i) % replicas.length]
      if (replica?.state.kind === 'serving' && (least === null || replica.load < least.load)) least = replica
    }
    if (!least) return null
    this.#turn = (replicas.indexOf(least) + 1) % replicas.length
    this.#kept.set(by, least)
    return least
  }
}

/** Milliseconds: what was changed on the primary is on its way. */
const DIFFERS_FOR = 100

const defaultRoute: Route = { to: 'default' }
const primary: Route = { to: 'primary' }

/** A statement that may do more than read cannot run on a replica. */
const mayGoTo = ({ effects }: Statement): boolean => effects === 'none'
