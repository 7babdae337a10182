import { randomUUID } from 'node:crypto'
import type { ServedState } from '../changes/index.ts'
import type { HttpClient } from '../http-client/index.ts'
import type { ScheduleBacklog, ScheduledEvent, ScheduledOutcome, ScheduleStore } from '../metadata/index.ts'
import { errorReport, type Observer } from '../observe/index.ts'
import { type Environment, QueueDelivery, Workers } from '../webhooks/index.ts'
import { deliverScheduled } from './deliver-scheduled.ts'
import { type LiveCronTrigger, liveCronTriggers } from './live-cron-trigger.ts'

export interface ScheduleDeliveryOptions {
  readonly store: ScheduleStore
  readonly client: HttpClient
  readonly environment: Environment
  readonly observer: Observer
  readonly current: () => ServedState
  /** While it says no, nothing is claimed. */
  readonly sends: () => boolean
}

/** Milliseconds between checks of due events, whose times are in the database. */
const INTERVAL = 1000
/** Milliseconds between checks of how many events of cron triggers are left (reference/scheduled-triggers#at-work). */
const PLAN_INTERVAL = 60_000
const BATCH_SIZE = 100
/** Deliveries at a time; slow webhooks delays no one until there are so many. */
const MOST_DELIVERIES = 100

/** Calls the webhooks of cron triggers and one-off events when they are due, and sees to it that events are planned ahead. */
export class ScheduleDelivery {
  readonly #options: ScheduleDeliveryOptions
  readonly #delivery: QueueDelivery<ScheduledEvent, ScheduledOutcome>
  readonly #timer: NodeJS.Timeout
  #triggers: ReadonlyMap<string, LiveCronTrigger> = new Map()
  #planning: Promise<void> | null = null
  /** Something has changed since the last planning. */
  #planAgain = false

  constructor(options: ScheduleDeliveryOptions) {
    this.#options = options
    const { store, client, environment, observer, sends } = options
    this.#read()
    const context = {
      client,
      environment,
      report: observer.report,
      trigger: (name: string) => this.#triggers.get(name),
    }
    this.#delivery = new QueueDelivery({
      source: null,
      queue: store,
      claim: async (instance, limit, except) => {
        if (!sends()) return []
        const triggers = [...this.#triggers.keys()].filter((name) => !except.has(cronReceiver(name)))
        const webhooks = [...except].flatMap((receiver) =>
          receiver.startsWith(ONE_OFF) ? receiver.slice(ONE_OFF.length) : [],
        )
        const events = await store.claim(instance, triggers, limit, webhooks)
        // after a long stop, or when the clock has jumped, all that was planned may be due at once: what is due within
        // the next minute must not have to wait for the next planning
        if (events.some(({ kind }) => kind === 'cron')) void this.#plan()
        return events
      },
      receiverOf: (event) => (event.kind === 'cron' ? cronReceiver(event.trigger) : `${ONE_OFF}${event.webhookText}`),
      isDelivered: ({ next }) => next === 'delivered',
      deliver: (event, signal) => deliverScheduled(event, context, signal),
      instance: randomUUID(),
      fetchInterval: INTERVAL,
      batchSize: BATCH_SIZE,
      workers: new Workers(MOST_DELIVERIES),
      observer,
    })
    void this.#plan()
    this.#timer = setInterval(() => void this.#plan(), PLAN_INTERVAL)
    this.#timer.unref()
  }

  /** Follows what is served now. */
  refresh(): void {
    this.#read()
    this.#delivery.wake()
  }

  /** How much is due; of several instances only one reports it. */
  async backlogs(): Promise<readonly ScheduleBacklog[]> {
    if (!this.#delivery.isFirst) return []
    const found = await this.#options.store.backlog().catch(() => [])
    const idle = (kind: 'cron' | 'one_off', trigger: string | null) =>
      found.some((one) => one.kind === kind && one.trigger === trigger)
        ? []
        : [{ kind, trigger, pending: 0, oldest: 0, dead: 0 }]
    return [...found, ...[...this.#triggers.keys()].flatMap((name) => idle('cron', name)), ...idle('one_off', null)]
  }

  async close(milliseconds: number): Promise<void> {
    clearInterval(this.#timer)
    await this.#planning
    await this.#delivery.stop(milliseconds)
  }

  #read(): void {
    const { document, model } = this.#options.current()
    const isServed = (address: string) => !model.inconsistencies.has(address)
    this.#triggers = liveCronTriggers(document, this.#options.environment, isServed)
  }

  async #plan(): Promise<void> {
    this.#planAgain = true
    this.#planning ??= this.#planUntilDone().finally(() => {
      this.#planning = null
    })
    await this.#planning
  }

  async #planUntilDone(): Promise<void> {
    const { store, observer } = this.#options
    while (this.#planAgain) {
      this.#planAgain = false
      await store
        .plan([...this.#triggers.values()].map(({ declared }) => declared))
        .catch((error: unknown) => observer.report({ kind: 'cron-planning-failed', error: errorReport(error) }))
    }
  }
}

const ONE_OFF = 'one-off '
const cronReceiver = (trigger: string) => `cron ${trigger}`
