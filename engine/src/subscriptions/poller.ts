import { ApiError, Path } from '../errors.ts'
import type { PreparedPoll } from '../execute/index.ts'
import { type LongWork, Stretches } from '../long-work.ts'
import type { Observer } from '../observe/index.ts'
import type { Route } from '../sources/index.ts'
import { type Cohort, cohortKey, hasSubscribers, newCohort } from './cohort.ts'
import { deliverBatch } from './deliver-batch.ts'
import { deliverLive } from './deliver-live.ts'
import type { Delivery } from './delivery.ts'
import type { Subscriber } from './subscriber.ts'

type Rows = readonly (readonly (Buffer | null)[])[]

export interface PollerSettings {
  /** Milliseconds from one poll to the next. */
  readonly interval: number
  /** Cohorts of one statement. */
  readonly batchSize: number
}

/** What a poller needs from the engine. */
export interface PollerContext {
  readonly settings: PollerSettings
  readonly observer: Observer
  /** Bytes of one answer. */
  readonly maxAnswerSize: number
  /** Queries the source on behalf of a poller. Throws ApiError. */
  ask(poller: Poller, parameters: readonly (string | null)[]): Promise<Rows>
  /** Plans again what metadata has changed meanwhile; subscribers may have gone or moved then. */
  refresh(): void
  /** A number that is larger with each call. */
  now(): number
  /** Notifies a subscriber that has left that it cannot be answered. */
  refuse(subscriber: Subscriber, error: ApiError): void
  /** No one is left. */
  emptied(poller: Poller): void
  /** An error that is no ApiError -> what is answered. */
  apiError(cause: unknown): ApiError
}

/** How often a failed statement is cut into halves to find the cohorts at fault, a time. */
const MOST_RETRIES = 24

/**
 * All subscribers of one statement: polls their cohorts at intervals, and for new ones at once
 * (reference/subscriptions#live-queries).
 */
export class Poller {
  readonly key: string
  readonly prepared: PreparedPoll
  /** Which of the source's connections is used. */
  readonly route: Route
  readonly #shared: readonly (string | null)[]
  readonly #context: PollerContext
  readonly #cohorts = new Map<string, Cohort>()
  /** To be requested before the next poll. */
  readonly #due = new Set<Cohort>()
  #dueScheduled = false
  #timer: NodeJS.Timeout | null = null
  /** Nothing succeeded when a failed statement was last cut into halves: that is not tried again meanwhile. */
  #broken = false
  #ended = false
  #statements = 0

  constructor(
    key: string,
    { prepared, route }: { readonly prepared: PreparedPoll; readonly route: Route },
    shared: readonly (string | null)[],
    context: PollerContext,
  ) {
    this.key = key
    this.prepared = prepared
    this.route = route
    this.#shared = shared
    this.#context = context
    // pollers that began together do not poll together
    this.#schedule(Math.random() * context.settings.interval)
  }

  get cohorts(): ReadonlyMap<string, Cohort> {
    return this.#cohorts
  }

  /** Sent so far. */
  get statements(): number {
    return this.#statements
  }

  join(subscriber: Subscriber, values: readonly (string | null)[]): void {
    const key = cohortKey(values)
    const cohort = this.#cohorts.get(key) ?? newCohort(key, values)
    this.#cohorts.set(key, cohort)
    cohort.subscribers.add(subscriber)
    subscriber.poller = this
    subscriber.cohort = cohort
    subscriber.joined = this.#context.now()
  }

  leave(subscriber: Subscriber): void {
    this.#leave(subscriber)
    if (this.#cohorts.size === 0) this.end()
  }

  /** Has a subscriber's answer searched for now. */
  askSoon({ cohort }: Subscriber): void {
    if (!cohort || this.#ended) return
    this.#due.add(cohort)
    if (this.#dueScheduled) return
    this.#dueScheduled = true
    setImmediate(() => {
      this.#dueScheduled = false
      const due = [...this.#due].filter((one) => !one.asked)
      for (const one of due) this.#due.delete(one)
      if (!this.#ended) void this.#askAll(due)
    })
  }

  end(): void {
    if (this.#ended) return
    this.#ended = true
    if (this.#timer) clearTimeout(this.#timer)
    this.#due.clear()
    this.#context.emptied(this)
  }

  #leave(subscriber: Subscriber): void {
    const { cohort } = subscriber
    if (!cohort) return
    subscriber.poller = null
    subscriber.cohort = null
    cohort.subscribers.delete(subscriber)
    if (cohort.subscribers.size > 0) return
    this.#cohorts.delete(cohort.key)
    this.#due.delete(cohort)
  }

  #schedule(milliseconds: number): void {
    this.#timer = setTimeout(() => void this.#poll(), milliseconds)
  }

  async #poll(): Promise<void> {
    const began = performance.now()
    this.#context.refresh()
    await this.#askAll([...this.#cohorts.values()].filter((cohort) => !cohort.asked && hasSubscribers(cohort)))
    if (!this.#ended) this.#schedule(Math.max(0, began + this.#context.settings.interval - performance.now()))
  }

  /** In statements of so many cohorts, those that made one fail by themselves. */
  async #askAll(cohorts: readonly Cohort[]): Promise<void> {
    this.#context.refresh()
    const asked = cohorts.filter((cohort) => this.#cohorts.get(cohort.key) === cohort)
    for (const cohort of asked) cohort.asked = true
    const chunks = asked.filter(({ alone }) => alone).map((cohort) => [cohort])
    const together = asked.filter(({ alone }) => !alone)
    const { batchSize } = this.#context.settings
    for (let from = 0; from < together.length; from += batchSize) chunks.push(together.slice(from, from + batchSize))
    await Promise.all(chunks.map((chunk) => this.#askChunk(chunk)))
  }

  async #askChunk(chunk: readonly Cohort[]): Promise<void> {
    const retries = { left: this.#broken ? 0 : MOST_RETRIES }
    const succeeded = await this.#ask(chunk, retries)
    if (succeeded) this.#broken = false
    else if (retries.left < MOST_RETRIES) this.#broken = true
    for (const cohort of chunk) {
      cohort.asked = false
      // it was due meanwhile
      const [subscriber] = this.#due.has(cohort) ? cohort.subscribers : []
      if (subscriber) this.askSoon(subscriber)
    }
  }

  /**
   * Whether any cohort was answered. One value that cannot be read must not leave all other subscribers without an
   * answer.
   */
  async #ask(chunk: readonly Cohort[], retries: { left: number }): Promise<boolean> {
    const { observer } = this.#context
    const since = this.#context.now()
    const began = performance.now()
    const members = chunk.map(({ values }) => values)
    this.#statements += 1
    try {
      const rows = await this.#context.ask(this, this.prepared.multiplexed.parameters(members, this.#shared))
      this.#context.refresh()
      const sent = await new Stretches().run(this.#deliver(chunk, rows, since))
      observer.report({ ...this.#facts(chunk, began), sent, error: null })
      return true
    } catch (cause) {
      const error = this.#context.apiError(cause)
      // what was dropped is not requested again
      this.#context.refresh()
      observer.report({ ...this.#facts(chunk, began), sent: 0, error: error.message })
      if (chunk.length === 1 || retries.left <= 0 || this.prepared.isUnreachable(error)) {
        this.#fail(chunk, error, since)
        return false
      }
      retries.left -= 2
      const half = chunk.length >> 1
      const first = await this.#ask(chunk.slice(0, half), retries)
      const second = await this.#ask(chunk.slice(half), retries)
      return first || second
    }
  }

  #facts(chunk: readonly Cohort[], began: number) {
    return {
      kind: 'subscriptions-polled',
      of: this.prepared.cursor ? 'stream' : 'live',
      source: this.prepared.source,
      cohorts: chunk.length,
      milliseconds: performance.now() - began,
    } as const
  }

  *#deliver(chunk: readonly Cohort[], rows: Rows, since: number): LongWork<number> {
    const { prepared } = this
    const delivery: Delivery = {
      prepared,
      since,
      wait: (subscriber) => this.#wait(subscriber),
      move: (subscriber, values) => {
        this.#leave(subscriber)
        this.join(subscriber, values)
      },
    }
    let sent = 0
    for (const [id, ...columns] of rows) {
      const cohort = chunk[Number(id)]
      // metadata may have changed since it was requested
      if (!cohort || this.#cohorts.get(cohort.key) !== cohort) continue
      cohort.alone = false
      const size = columns.reduce((sum, column) => sum + (column?.length ?? 0), 0)
      if (size > this.#context.maxAnswerSize) this.#fail([cohort], tooLarge(this.#context.maxAnswerSize), since)
      else
        sent += prepared.cursor
          ? yield* deliverBatch(cohort, columns, prepared.cursor, delivery)
          : yield* deliverLive(cohort, columns, delivery)
    }
    return sent
  }

  #wait(subscriber: Subscriber): void {
    if (subscriber.waiting) return
    subscriber.waiting = true
    subscriber.events.caughtUp(() => {
      subscriber.waiting = false
      this.askSoon(subscriber)
    })
  }

  /**
   * Subscribers that have not been answered yet are refused; the rest remain (reference/subscriptions#live-queries).
   */
  #fail(chunk: readonly Cohort[], error: ApiError, since: number): void {
    for (const cohort of chunk) {
      if (this.#cohorts.get(cohort.key) !== cohort) continue
      cohort.alone = chunk.length === 1 && !this.prepared.isUnreachable(error)
      for (const subscriber of [...cohort.subscribers]) {
        if (subscriber.joined >= since) continue
        subscriber.hash = null
        if (subscriber.served) {
          if (subscriber.events.canReceive()) subscriber.events.failed(error)
        } else {
          this.leave(subscriber)
          this.#context.refuse(subscriber, error)
        }
      }
    }
  }
}

const tooLarge = (bytes: number) =>
  new ApiError('bad-request', Path.root, `the answer is larger than ${bytes} bytes (--max-response-size)`)
