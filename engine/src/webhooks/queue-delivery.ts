import { errorReport, type Observer } from '../observe/index.ts'
import { BEAT_INTERVAL, type InstanceHeartbeat, Liveness } from './liveness.ts'
import { OutcomeQueue } from './outcome-queue.ts'
import type { Workers } from './workers.ts'

interface Identified {
  readonly id: string
}

/** A queue in a database that several instances empty together. A lock names its instance. */
export interface SharedQueue<Outcome> {
  /** Stores outcomes of events that the instance has locked, each at most once: other events are unchanged. */
  record(instance: string, outcomes: readonly Outcome[]): Promise<void>
  /** Releases the events that the instance has claimed, except those that it still works on. */
  release(instance: string, except: readonly string[]): Promise<unknown>
  /** Records that the instance is alive; returns the other instances. */
  beat(instance: string): Promise<readonly InstanceHeartbeat[]>
  /**
   * Releases the events that these other instances had claimed, unless they reported again, and those without an
   * instance; returns how many events. A lock without an instance is valid for 30 minutes.
   */
  freeDead(dead: readonly InstanceHeartbeat[]): Promise<number>
  /** The instance is no more. */
  leave(instance: string): Promise<void>
}

export interface QueueDeliveryOptions<Event extends Identified, Outcome extends Identified> {
  /** The source; null: the metadata database. */
  readonly source: string | null
  readonly queue: SharedQueue<Outcome>
  /**
   * Hands out due events, each to one instance only, but for those that go to receivers of `except`. An instance that never
   * reported gets nothing.
   */
  readonly claim: (instance: string, limit: number, except: ReadonlySet<string>) => Promise<readonly Event[]>
  /** Calls back when there may be new events; absent: nothing does. */
  readonly watch?: (wake: () => void) => { close(): Promise<void> }
  /** Whom an event goes to: they share the workers. */
  readonly receiverOf: (event: Event) => string
  readonly isDelivered: (outcome: Outcome) => boolean
  /** Never rejects. Null: it was cut off. */
  readonly deliver: (event: Event, signal: AbortSignal) => Promise<Outcome | null>
  /** Names this process in locks. */
  readonly instance: string
  /** Milliseconds between checks of events where nothing wakes it. */
  readonly fetchInterval: number
  /** Events claimed at a time. */
  readonly batchSize: number
  readonly workers: Workers
  readonly observer: Observer
}

/** Milliseconds after the database did not answer. */
const PAUSE = 1000
/** Full batches in a row, each a sign that more waits. */
const MANY_BATCHES = 10

/**
 * Empties a queue (reference/event-triggers#delivery): claims a batch while the one before is being delivered, and
 * stores the outcomes. The events of a process that ended are released within 15 s, since it reports no
 * more; those of a living one never are, however long it takes.
 */
export class QueueDelivery<Event extends Identified, Outcome extends Identified> {
  readonly #options: QueueDeliveryOptions<Event, Outcome>
  readonly #outcomes: OutcomeQueue<Outcome>
  readonly #liveness = new Liveness()
  readonly #watch: { close(): Promise<void> } | undefined
  /** Events that this process has claimed and not released. */
  readonly #held = new Set<string>()
  /** By receivers, of events that have not begun. */
  readonly #waiting = new Map<string, number>()
  readonly #deliveries = new Set<Promise<void>>()
  readonly #cutOff = new AbortController()
  #wake: (() => void) | null = null
  #woken = false
  /** A claim may have succeeded though its answer was lost. */
  #mayHoldMore = true
  #stopped = false
  #available = true
  #fullBatches = 0
  #isFirst = false
  readonly #running: Promise<unknown>

  constructor(options: QueueDeliveryOptions<Event, Outcome>) {
    this.#options = options
    const { queue, instance, watch } = options
    this.#outcomes = new OutcomeQueue<Outcome>(
      (outcomes) => queue.record(instance, outcomes),
      (events) => {
        for (const event of events) this.#held.delete(event)
      },
      (error) => this.#unavailable(error),
    )
    this.#watch = watch?.(() => this.wake())
    // nothing is handed out to an instance that never reported
    this.#running = this.#beatOnce().then(() => Promise.all([this.#run(), this.#beat()]))
  }

  /** Of the instances that empty the queue, one is: what need not be done twice is done by it. */
  get isFirst(): boolean {
    return this.#isFirst
  }

  /** There may be something to do. */
  wake(): void {
    this.#woken = true
    this.#wake?.()
  }

  /** Claims nothing any more, waits for what is being delivered, at most so long, and returns the rest. */
  async stop(milliseconds: number): Promise<void> {
    const { queue, instance } = this.#options
    this.#stopped = true
    this.wake()
    this.#options.workers.leave(this)
    const timer = setTimeout(() => {
      this.#cutOff.abort()
      this.#outcomes.end()
    }, milliseconds)
    await this.#running.catch(() => {})
    await this.#outcomes.drained()
    clearTimeout(timer)
    await this.#watch?.close()
    try {
      await queue.release(instance, [])
      await queue.leave(instance)
    } catch {
      // other instances find out that this one has ended
    }
  }

  async #run(): Promise<void> {
    const { workers, fetchInterval } = this.#options
    while (!this.#stopped) {
      this.#woken = false
      const claimed = await this.#claim()
      for (const event of claimed) {
        const delivery = this.#begin(event).finally(() => this.#deliveries.delete(delivery))
        this.#deliveries.add(delivery)
      }
      if (claimed.length === 0) await this.#sleep(this.#available ? fetchInterval : PAUSE)
      // while all workers are busy nothing more than the next batch is claimed, except for the few that are reserved
      // for other receivers
      if (!this.#stopped && this.#waiting.size > 0) await this.#anyWorker()
    }
    workers.leave(this)
    await Promise.all(this.#deliveries)
    // what was claimed and has not begun; it is returned in the end otherwise
    await this.#options.queue.release(this.#options.instance, [...this.#held]).catch(() => {})
  }

  async #anyWorker(): Promise<void> {
    const { workers, fetchInterval } = this.#options
    const timer = setTimeout(() => workers.wake(this), fetchInterval)
    await workers.any(this)
    clearTimeout(timer)
  }

  /** Waits for a worker: receivers that have too many already keep only their own events waiting. */
  async #begin(event: Event): Promise<void> {
    const { workers, receiverOf, isDelivered } = this.#options
    const receiver = receiverOf(event)
    this.#waiting.set(receiver, (this.#waiting.get(receiver) ?? 0) + 1)
    const may = await workers.take(receiver, this)
    this.#begun(receiver)
    if (!may || this.#stopped) {
      this.#held.delete(event.id)
      if (may) workers.done(receiver, 0, false)
      return
    }
    const started = performance.now()
    const outcome = await this.#options.deliver(event, this.#cutOff.signal)
    workers.done(receiver, performance.now() - started, outcome !== null && isDelivered(outcome))
    if (outcome) this.#outcomes.add(outcome)
  }

  #begun(receiver: string): void {
    const left = (this.#waiting.get(receiver) ?? 0) - 1
    if (left > 0) this.#waiting.set(receiver, left)
    else {
      this.#waiting.delete(receiver)
      // more of them may be claimed
      this.wake()
      if (this.#waiting.size === 0) this.#options.workers.wake(this)
    }
  }

  async #claim(): Promise<readonly Event[]> {
    const { queue, claim, source, instance, batchSize, observer } = this.#options
    if (this.#outcomes.size > 10 * batchSize) await this.#outcomes.drained()
    try {
      if (this.#mayHoldMore) {
        await queue.release(instance, [...this.#held])
        this.#mayHoldMore = false
      }
      const events = await claim(instance, batchSize, new Set(this.#waiting.keys()))
      for (const { id } of events) this.#held.add(id)
      this.#fullBatches = events.length >= batchSize ? this.#fullBatches + 1 : 0
      if (this.#fullBatches > 0 && this.#fullBatches % MANY_BATCHES === 0)
        observer.report({ kind: 'events-falling-behind', source, batches: this.#fullBatches })
      this.#recovered()
      return events
    } catch (error) {
      this.#mayHoldMore = true
      this.#unavailable(error)
      return []
    }
  }

  async #beat(): Promise<void> {
    while (!this.#stopped) {
      await this.#pause(BEAT_INTERVAL)
      if (!this.#stopped) await this.#beatOnce()
    }
  }

  /** Records that this instance is alive, and releases the events of dead ones. */
  async #beatOnce(): Promise<void> {
    const { queue, source, instance, observer } = this.#options
    try {
      const others = await queue.beat(instance)
      this.#isFirst = others.every(({ id }) => instance < id)
      const freed = await queue.freeDead(this.#liveness.findDead(others, performance.now()))
      if (freed === 0) return
      observer.report({ kind: 'events-freed', source, events: freed })
      this.wake()
    } catch {
      // claiming reports it
      this.#isFirst = false
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
    for (let left = milliseconds; !this.#stopped && left > 0; left = until - performance.now())
      await new Promise((resolve) => setTimeout(resolve, Math.min(100, left)))
  }

  #unavailable(error: unknown): void {
    const { source, observer } = this.#options
    if (this.#available) observer.report({ kind: 'events-unavailable', source, error: errorReport(error) })
    this.#available = false
  }

  #recovered(): void {
    const { source, observer } = this.#options
    if (!this.#available) observer.report({ kind: 'events-available', source })
    this.#available = true
  }
}
