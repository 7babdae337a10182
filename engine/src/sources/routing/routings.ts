import type { Backend, RoutingSettings, SourceConnection } from '../../backends/index.ts'
import type { Observation } from '../../observe/index.ts'
import { SharedPools } from '../shared-pools.ts'
import { PrimaryPositions } from './primary-positions.ts'
import { openPool, Replica } from './replica.ts'
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

/**
 * The replicas and connection sets of all sources: pools are shared by equal settings, so that a change of metadata opens
 * and closes what it names, and nothing else.
 */
export class Routings {
  readonly #options: RoutingsOptions
  readonly #replicas = new SharedPools<Replica>()
  readonly #members = new SharedPools<SourceConnection>()
  readonly #monitors = new Map<Routing, ReplicaMonitor>()
  /** They outlive a change of what is configured. */
  readonly #positions = new WeakMap<SourceConnection, PrimaryPositions>()

  constructor(options: RoutingsOptions) {
    this.#options = options
  }

  /** Opens no connection. Throws SourceUnavailable where settings cannot be read. */
  prepare({ name, backend, settings, key, primary, serverVersion }: RoutedSource): Routing {
    const { report } = this.#options
    const replicas = settings.replicas.map((pool) =>
      this.#replicas.get(`${key} ${pool.key}`, () => new Replica(name, backend, pool, report)),
    )
    const members = new Map(
      [...settings.members].map(
        ([member, pool]) => [member, this.#members.get(pool.key, () => openPool(pool, backend, report))] as const,
      ),
    )
    for (const replica of replicas) this.#replicas.touch(replica)
    for (const member of members.values()) this.#members.touch(member)
    return new Routing({ source: name, backend, settings, primary, serverVersion, replicas, members, report })
  }

  /** Those of the metadata that is served from now on: their replicas are watched. */
  serve(routings: readonly Routing[]): void {
    for (const [routing, monitor] of this.#monitors) {
      if (routings.includes(routing)) continue
      monitor.close()
      this.#monitors.delete(routing)
    }
    for (const routing of routings)
      if (routing.parts.replicas.length > 0 && !this.#monitors.has(routing))
        this.#monitors.set(routing, this.#monitorOf(routing))
    this.#replicas.serve(new Set(routings.flatMap(({ parts }) => parts.replicas)))
    this.#members.serve(new Set(routings.flatMap(({ parts }) => [...parts.members.values()])))
  }

  async close(): Promise<void> {
    for (const monitor of this.#monitors.values()) monitor.close()
    this.#monitors.clear()
    await Promise.all([this.#replicas.close(), this.#members.close()])
  }

  #monitorOf({ parts }: Routing): ReplicaMonitor {
    const positions = this.#positions.get(parts.primary) ?? new PrimaryPositions()
    this.#positions.set(parts.primary, positions)
    return new ReplicaMonitor(parts, positions, this.#options.limits)
  }
}
