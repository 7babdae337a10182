import type { ClaimedEvent, EventStore } from '../backends/index.ts'
import type { HttpClient } from '../http-client/index.ts'
import { errorReport, type Observer } from '../observe/index.ts'
import { BEAT_INTERVAL, Liveness } from '../webhooks/index.ts'
import { deliverEvent } from './deliver-event.ts'
import type { LiveTrigger } from './live-trigger.ts'
import { OutcomeQueue } from './outcome-queue.ts'
import type { Workers } from './workers.ts'

export interface DeliveryOptions {
  /** Names this process in locks. */
  readonly instance: string
  /** Milliseconds between looks for events where nothing wakes it. */
  readonly fetchInterval: number
  /** Events claimed at a time. */
  readonly batchSize: number
  readonly workers: Workers
  readonly client: HttpClient
  readonly observer: Observer
}

/** Seconds that events of a trigger wait which metadata does not know (yet). */
const UNKNOWN_TRIGGER = 60
/** Milliseconds after the database did not answer. */
const PAUSE = 1000
/** Full batches in a row, each a sign that more waits. */
const MANY_BATCHES = 10

/**
 * Delivers the events of one source (spec 03 §3.3): claims a batch while the one before is being delivered, calls webhooks,
 * stores what became of it. Several instances share the work; a lock names the instance that holds it.
 */
export class SourceDelivery {
  readonly source: string
  readonly #store: EventStore
  readonly #options: DeliveryOptions
  readonly #outcomes: OutcomeQueue
  readonly #liveness = new Liveness()
  readonly #watch: ReturnType<EventStore['watch']>
  /** Events that this process holds and has not given back. */
  readonly #held = new Set<string>()
  readonly #cutOff = new AbortController()
  #triggers: ReadonlyMap<string, LiveTrigger>
  #wake: (() => void) | null = null
  #woken = false
  /** A claim may have succeeded though its answer was lost. */
  #mayHoldMore = true
  #stopped = false
  #available = true
  #fullBatches = 0
  readonly #running: Promise<unknown>

  constructor(source: string, store: EventStore, triggers: ReadonlyMap<string, LiveTrigger>, options: DeliveryOptions) {
    this.source = source
    this.#store = store
    this.#triggers = triggers
    this.#options = options
    this.#outcomes = new OutcomeQueue(
      (outcomes) => store.record(options.instance, outcomes),
      (events) => {
        for (const event of events) this.#held.delete(event)
      },
      (error) => this.#unavailable(error),
    )
    this.#watch = store.watch(() => this.wake())
    // nothing is handed out to an instance that was never heard of
    this.#running = this.#beatOnce().then(() => Promise.all([this.#run(), this.#beat()]))
  }

  isOf(store: EventStore): boolean {
    return store === this.#store
  }

  setTriggers(triggers: ReadonlyMap<string, LiveTrigger>): void {
    this.#triggers = triggers
    this.wake()
  }

  /** There may be something to do. */
  wake(): void {
    this.#woken = true
    this.#wake?.()
  }

  /** Claims nothing any more, waits for what is being delivered, at most so long, and gives back the rest. */
  async stop(milliseconds: number): Promise<void> {
    this.#stopped = true
    this.wake()
    const timer = setTimeout(() => {
      this.#cutOff.abort()
      this.#outcomes.end()
    }, milliseconds)
    await this.#running.catch(() => {})
    await this.#outcomes.drained()
    clearTimeout(timer)
    await this.#watch.close()
    try {
      await this.#store.release(this.#options.instance, [])
      await this.#store.leave(this.#options.instance)
    } catch {
      // others find out that this instance is no more
    }
  }

  async #run(): Promise<void> {
    const deliveries = new Set<Promise<void>>()
    while (!this.#stopped) {
      this.#woken = false
      const claimed = await this.#claim()
      for (const event of claimed) {
        // while all workers are busy nothing more than the next batch is claimed
        await this.#options.workers.take()
        if (this.#stopped) {
          this.#options.workers.done()
          await this.#giveBack(claimed.slice(claimed.indexOf(event)))
          break
        }
        const delivery = this.#deliver(event).finally(() => {
          this.#options.workers.done()
          deliveries.delete(delivery)
        })
        deliveries.add(delivery)
      }
      if (claimed.length === 0) await this.#sleep(this.#available ? this.#options.fetchInterval : PAUSE)
    }
    await Promise.all(deliveries)
  }

  async #claim(): Promise<readonly ClaimedEvent[]> {
    const { instance, batchSize, observer } = this.#options
    if (this.#outcomes.size > 10 * batchSize) await this.#outcomes.drained()
    if (this.#triggers.size === 0) return []
    try {
      if (this.#mayHoldMore) {
        await this.#store.release(instance, [...this.#held])
        this.#mayHoldMore = false
      }
      const events = await this.#store.claim(instance, [...this.#triggers.keys()], batchSize)
      for (const { id } of events) this.#held.add(id)
      this.#fullBatches = events.length === batchSize ? this.#fullBatches + 1 : 0
      if (this.#fullBatches > 0 && this.#fullBatches % MANY_BATCHES === 0)
        observer.tell({ kind: 'events-falling-behind', source: this.source, batches: this.#fullBatches })
      this.#recovered()
      return events
    } catch (error) {
      this.#mayHoldMore = true
      this.#unavailable(error)
      return []
    }
  }

  /** What was claimed and has not begun. */
  async #giveBack(events: readonly ClaimedEvent[]): Promise<void> {
    for (const { id } of events) this.#held.delete(id)
    // it is given back in the end otherwise
    await this.#store.release(this.#options.instance, [...this.#held]).catch(() => {})
  }

  async #deliver(event: ClaimedEvent): Promise<void> {
    const { client, observer } = this.#options
    const trigger = this.#triggers.get(event.trigger)
    if (!trigger) {
      const next = { kind: 'postponed', seconds: UNKNOWN_TRIGGER } as const
      this.#outcomes.add({ id: event.id, trigger: event.trigger, next, invocation: null })
      return
    }
    const delivery = { source: this.source, event, trigger }
    const outcome = await deliverEvent(client, delivery, observer.tell, this.#cutOff.signal)
    if (outcome) this.#outcomes.add(outcome)
  }

  async #beat(): Promise<void> {
    while (!this.#stopped) {
      await this.#pause(BEAT_INTERVAL)
      if (!this.#stopped) await this.#beatOnce()
    }
  }

  /** Says that this instance is alive, and frees what dead ones held. */
  async #beatOnce(): Promise<void> {
    const { instance, observer } = this.#options
    try {
      const others = await this.#store.beat(instance)
      const freed = await this.#store.freeDead(this.#liveness.look(others, performance.now()))
      if (freed === 0) return
      observer.tell({ kind: 'events-freed', source: this.source, events: freed })
      this.wake()
    } catch {
      // claiming tells of it
      this.#liveness.forget()
    }
  }

  async #sleep(milliseconds: number): Promise<void> {
    if (this.#woken || this.#stopped) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, milliseconds)
      this.#wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
    this.#wake = null
  }

  /** Ends early when the delivery stops. */
  async #pause(milliseconds: number): Promise<void> {
    const until = performance.now() + milliseconds
    while (!this.#stopped && performance.now() < until)
      await new Promise((resolve) => setTimeout(resolve, Math.min(100, until - performance.now())))
  }

  #unavailable(error: unknown): void {
    if (this.#available)
      this.#options.observer.tell({ kind: 'events-unavailable', source: this.source, error: errorReport(error) })
    this.#available = false
  }

  #recovered(): void {
    if (!this.#available) this.#options.observer.tell({ kind: 'events-available', source: this.source })
    this.#available = true
  }
}
