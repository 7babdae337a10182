import { randomUUID } from 'node:crypto'
import type { Backlog, ClaimedEvent, EventOutcome, EventStore } from '../backends/index.ts'
import type { HttpClient } from '../http-client/index.ts'
import type { Observer } from '../observe/index.ts'
import { QueueDelivery, type Workers } from '../webhooks/index.ts'
import { deliverEvent } from './deliver-event.ts'
import type { LiveTrigger } from './live-trigger.ts'

export interface DeliveryOptions {
  /** Milliseconds between checks of events where nothing wakes it. */
  readonly fetchInterval: number
  /** Events claimed at a time. */
  readonly batchSize: number
  readonly workers: Workers
  /** While it says no, nothing is claimed. */
  readonly sends: () => boolean
  readonly client: HttpClient
  readonly observer: Observer
}

/** Seconds that events of a trigger wait which metadata does not know (yet). */
const UNKNOWN_TRIGGER = 60

/** Delivers the events of one source: of those triggers that metadata has at the moment. */
export class SourceDelivery {
  readonly source: string
  readonly #store: EventStore
  readonly #delivery: QueueDelivery<ClaimedEvent, EventOutcome>
  #triggers: ReadonlyMap<string, LiveTrigger>

  constructor(
    source: string,
    store: EventStore,
    triggers: ReadonlyMap<string, LiveTrigger>,
    { client, sends, ...options }: DeliveryOptions,
  ) {
    this.source = source
    this.#store = store
    this.#triggers = triggers
    const receiver = (trigger: string) => `${source}/${trigger}`
    const deliver = async (event: ClaimedEvent, signal: AbortSignal): Promise<EventOutcome | null> => {
      const trigger = this.#triggers.get(event.trigger)
      if (trigger) return deliverEvent(client, { source, event, trigger }, options.observer.report, signal)
      const next = { kind: 'postponed', seconds: UNKNOWN_TRIGGER } as const
      return { id: event.id, trigger: event.trigger, next, invocation: null }
    }
    // a name in locks of its own: another source may be the same database, and must not release what this one has locked
    this.#delivery = new QueueDelivery({
      ...options,
      source,
      queue: store,
      claim: async (own, limit, except) => {
        const triggers = [...this.#triggers.keys()].filter((name) => !except.has(receiver(name)))
        return triggers.length === 0 || !sends() ? [] : store.claim(own, triggers, limit)
      },
      watch: (wake) => store.watch(wake),
      receiverOf: ({ trigger }) => receiver(trigger),
      isDelivered: ({ next }) => next.kind === 'delivered',
      deliver,
      instance: randomUUID(),
    })
  }

  isOf(store: EventStore): boolean {
    return store === this.#store
  }

  setTriggers(triggers: ReadonlyMap<string, LiveTrigger>): void {
    this.#triggers = triggers
    this.#delivery.wake()
  }

  /** How much waits; of several instances only one reports it. */
  async backlog(): Promise<readonly Backlog[]> {
    return this.#delivery.isFirst ? this.#store.backlog([...this.#triggers.keys()]) : []
  }

  stop(milliseconds: number): Promise<void> {
    return this.#delivery.stop(milliseconds)
  }
}
