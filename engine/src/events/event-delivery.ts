import type { Backlog } from '../backends/index.ts'
import type { ServedState } from '../changes/index.ts'
import { type Environment, Workers } from '../webhooks/index.ts'
import { CleanupRunner } from './cleanup-runner.ts'
import { liveTriggers } from './live-trigger.ts'
import { type DeliveryOptions, SourceDelivery } from './source-delivery.ts'

export interface EventDeliveryOptions extends Omit<DeliveryOptions, 'workers'> {
  readonly environment: Environment
  /** Deliveries at a time, over all sources. */
  readonly httpPoolSize: number
  readonly current: () => ServedState
}

/** Delivers the events of all sources that have event triggers, as metadata is served. */
export class EventDelivery {
  readonly #options: EventDeliveryOptions
  readonly #delivery: DeliveryOptions
  readonly #sources = new Map<string, SourceDelivery>()
  readonly #leaving = new Set<Promise<void>>()
  readonly #cleanups: CleanupRunner
  #closed = false

  constructor(options: EventDeliveryOptions) {
    this.#options = options
    this.#delivery = { ...options, workers: new Workers(options.httpPoolSize) }
    this.#cleanups = new CleanupRunner(options)
  }

  /**
   * Follows what is served now. Nothing is delivered where interval or batch size is 0
   * (reference/event-triggers#settings).
   */
  refresh(): void {
    if (this.#closed) return
    const { document, model } = this.#options.current()
    this.#cleanups.refresh()
    if (this.#options.fetchInterval === 0 || this.#options.batchSize === 0) return
    const wanted = new Set<string>()
    for (const state of model.input.sources.values()) {
      if (state.status !== 'ready') continue
      const { name, connection } = state
      const isServed = (address: string) => !model.inconsistencies.has(address)
      if (!connection.events) continue
      const triggers = liveTriggers(document, name, this.#options.environment, isServed)
      if (triggers.size === 0) continue
      wanted.add(name)
      const known = this.#sources.get(name)
      if (known?.isOf(connection.events)) {
        known.setTriggers(triggers)
        continue
      }
      if (known) this.#leave(known)
      this.#sources.set(name, new SourceDelivery(name, connection.events, triggers, this.#delivery))
    }
    for (const [name, delivery] of this.#sources) if (!wanted.has(name)) this.#leave(delivery)
  }

  /** What waits at each source; nothing of those that do not answer. */
  async backlogs(): Promise<readonly (Backlog & { readonly source: string })[]> {
    const found = await Promise.all(
      [...this.#sources.values()].map(async (delivery) =>
        (await delivery.backlog().catch(() => [])).map((one) => ({ ...one, source: delivery.source })),
      ),
    )
    return found.flat()
  }

  /** Delivers what has begun, at most so long, and returns the rest. */
  async close(milliseconds: number): Promise<void> {
    this.#closed = true
    this.#cleanups.close()
    await Promise.all([...this.#sources.values()].map((delivery) => delivery.stop(milliseconds)))
    await Promise.all(this.#leaving)
  }

  #leave(delivery: SourceDelivery): void {
    if (this.#sources.get(delivery.source) === delivery) this.#sources.delete(delivery.source)
    const left = delivery.stop(LEAVE_WITHIN).finally(() => this.#leaving.delete(left))
    this.#leaving.add(left)
  }
}

/** Milliseconds for deliveries of a dropped source: its connection ends after a minute. */
const LEAVE_WITHIN = 30_000
