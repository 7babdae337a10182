import type { Backend, OpenablePool, RoutingSettings, SourceConnection } from '../../backends/index.ts'
import type { Observation } from '../../observe/index.ts'
import { PrimaryPositions } from './primary-positions.ts'
import { Replica } from './replica.ts'
import { type ReplicaLimits, ReplicaMonitor } from './replica-monitor.ts'
import { Routing } from './routing.ts'

export interface RoutingsOptions {
  readonly limits: ReplicaLimits
  readonly report: (observation: Observation) => void
}

/** What a routing is made of. */
export interface RoutedSource {
  readonly name: string
  readonly backend: Backend
  readonly settings: RoutingSettings
  /** Of the source's own connection. */
  readonly key: string
  readonly primary: SourceConnection
  readonly serverVersion: number
}

/** Nothing that is served holds them any more. */
type Closing = Map<string, NodeJS.Timeout>

/**
 * The replicas and connection sets of all sources: pools are shared by equal settings, so that a change of metadata opens
 * and closes what it names, and nothing else.
 */
export class Routings {
  readonly #options: RoutingsOptions
  readonly #replicas = new Map<string, Replica>()
  readonly #members = new Map<string, SourceConnection>()
  readonly #monitors = new Map<Routing, ReplicaMonitor>()
  /** They outlive a change of what is configured. */
  readonly #positions = new WeakMap<SourceConnection, PrimaryPositions>()
  readonly #closing: Closing = new Map()
  #served: readonly Routing[] = []

  constructor(options: RoutingsOptions) {
    this.#options = options
  }

  /** Opens no connection. Throws SourceUnavailable where settings cannot be read. */
  prepare({ name, backend, settings, key, primary, serverVersion }: RoutedSource): Routing {
    const { report } = this.#options
    const replicas = settings.replicas.map((pool) => {
      const own = `${key} ${pool.key}`
      const replica = this.#replicas.get(own) ?? new Replica(name, pool, report)
      this.#replicas.set(own, replica)
      return replica
    })
    const members = new Map([...settings.members].map(([member, pool]) => [member, this.#memberOf(pool)] as const))
    this.#sweep()
    return new Routing({ source: name, backend, settings, primary, serverVersion, replicas, members, report })
  }

  /** Those of the metadata that is served from now on: their replicas are watched. */
  serve(routings: readonly Routing[]): void {
    this.#served = routings
    for (const [routing, monitor] of this.#monitors) {
      if (routings.includes(routing)) continue
      monitor.close()
      this.#monitors.delete(routing)
    }
    for (const routing of routings)
      if (routing.parts.replicas.length > 0 && !this.#monitors.has(routing))
        this.#monitors.set(routing, this.#monitorOf(routing))
    this.#sweep()
  }

  async close(): Promise<void> {
    for (const monitor of this.#monitors.values()) monitor.close()
    for (const timer of this.#closing.values()) clearTimeout(timer)
    this.#monitors.clear()
    this.#closing.clear()
    const all = [...this.#replicas.values(), ...this.#members.values()]
    this.#replicas.clear()
    this.#members.clear()
    await Promise.all(all.map((one) => one.close()))
  }

  #monitorOf({ parts }: Routing): ReplicaMonitor {
    const positions = this.#positions.get(parts.primary) ?? new PrimaryPositions()
    this.#positions.set(parts.primary, positions)
    return new ReplicaMonitor(parts, positions, this.#options.limits)
  }

  #memberOf(pool: OpenablePool): SourceConnection {
    const member = this.#members.get(pool.key) ?? pool.open(this.#options.report)
    this.#members.set(pool.key, member)
    return member
  }

  /** Requests that began before a change may still use what is not served any more, so nothing is closed at once. */
  #sweep(): void {
    const replicas = new Set(this.#served.flatMap(({ parts }) => parts.replicas))
    const members = new Set(this.#served.flatMap(({ parts }) => [...parts.members.values()]))
    for (const replica of this.#replicas.values()) if (!replicas.has(replica)) replica.forget()
    for (const [key, replica] of this.#replicas)
      this.#closeUnless(replicas.has(replica), key, () => this.#replicas.delete(key), replica)
    for (const [key, member] of this.#members)
      this.#closeUnless(members.has(member), key, () => this.#members.delete(key), member)
  }

  #closeUnless(isServed: boolean, key: string, remove: () => void, one: { close(): Promise<void> }): void {
    if (isServed) {
      clearTimeout(this.#closing.get(key))
      this.#closing.delete(key)
    } else if (!this.#closing.has(key)) {
      const timer = setTimeout(() => {
        this.#closing.delete(key)
        remove()
        void one.close()
      }, UNUSED_FOR)
      this.#closing.set(key, timer.unref())
    }
  }
}

/** Milliseconds that connections nobody serves from stay open. */
const UNUSED_FOR = 60_000
