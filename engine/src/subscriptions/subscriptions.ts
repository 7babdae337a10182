import { equalJson } from '@svc/schema'
import { ApiError, invalid, Path } from '../errors.ts'
import {
  bindSubscription,
  findSubscription,
  type GraphqlCaches,
  type LogQuery,
  loggedStatement,
  type PreparedPoll,
  type PreparedSubscription,
  routedConnection,
  routedSubscription,
  routeOf,
  type SubscriptionRequest,
  type SubscriptionValues,
  servesStill,
  type TallyOf,
} from '../execute/index.ts'
import type { GraphqlSettings } from '../graphql/index.ts'
import type { Model } from '../model/index.ts'
import { errorReport, type Observer } from '../observe/index.ts'
import { ConcurrencyLimit } from './concurrency-limit.ts'
import { dumpPollers, type SubscriptionDump } from './dump-pollers.ts'
import { kindOf } from './kind-of.ts'
import { Poller, type PollerContext, type PollerSettings } from './poller.ts'
import { type RepeatedAnswer, repeat } from './repetition.ts'
import type { Subscriber, SubscriberEvents } from './subscriber.ts'

export interface SubscriptionsOptions {
  /** What is served now: another one once metadata has changed. */
  readonly current: () => Model
  readonly caches: Pick<GraphqlCaches, 'subscriptions'>
  readonly graphql: GraphqlSettings
  /** Absent: they are not counted. */
  readonly tallyOf?: TallyOf | undefined
  readonly live: PollerSettings
  readonly streams: PollerSettings
  readonly maxAnswerSize: number
  /** Executes a subscription that no statement can share, like a query. Throws ApiError. */
  execute(request: SubscriptionRequest, signal: AbortSignal): Promise<RepeatedAnswer>
  readonly observer: Observer
}

/** How many statements run on one source at a time: queries need connections too. */
const MOST_STATEMENTS = 16

/**
 * All subscribers (reference/subscriptions#live-queries): live queries and streams, by the statements that
 * they share.
 */
export class Subscriptions {
  readonly #options: SubscriptionsOptions
  readonly #pollers = new Map<string, Poller>()
  readonly #limits = new Map<string, ConcurrencyLimit>()
  readonly #stop = new AbortController()
  readonly #contexts: Readonly<Record<'live' | 'streams', PollerContext>>
  #model: Model
  #clock = 0
  readonly #repetitions = new Set<() => void>()

  constructor(options: SubscriptionsOptions) {
    this.#options = options
    this.#model = options.current()
    this.#contexts = { live: this.#contextOf(options.live), streams: this.#contextOf(options.streams) }
  }

  /**
   * Begins; the result ends it, silently. Throws ApiError for what cannot be subscribed to
   * (reference/websockets#rules-of-operations). What the database refuses at the first poll is reported as `refused`.
   */
  subscribe(request: SubscriptionRequest, events: SubscriberEvents, logQuery?: LogQuery): () => void {
    this.#refresh()
    const prepared = this.#find(request)
    if (prepared.kind === 'repetition') {
      prepared.tally?.add()
      return this.#repeat(request, events)
    }
    const bound = bindSubscription(prepared, request, this.#options.graphql)
    const route = routeOf(routedSubscription(prepared, request, this.#model, {}), prepared.source)
    logQuery?.(loggedPoll(prepared, bound))
    const subscriber: Subscriber = {
      // its text is stored once for all clients that sent it
      request: { ...request.request, query: prepared.query },
      session: request.session,
      api: request.api,
      ...(request.clientHeaders && { clientHeaders: request.clientHeaders }),
      events,
      prepared,
      route,
      poller: null,
      cohort: null,
      joined: 0,
      served: false,
      hash: null,
      waiting: false,
    }
    this.#join(subscriber, prepared, bound)
    prepared.tally?.add()
    this.#options.observer.report({ kind: 'subscription-begun', of: kindOf(prepared) })
    return () => {
      if (!subscriber.poller) return
      subscriber.poller.leave(subscriber)
      this.#options.observer.report({ kind: 'subscription-ended', of: kindOf(subscriber.prepared) })
    }
  }

  #repeat(request: SubscriptionRequest, events: SubscriberEvents): () => void {
    const { observer, live, execute } = this.#options
    const reported = () => observer.report({ kind: 'subscription-ended', of: 'live' })
    const end = repeat(request, events, {
      interval: live.interval,
      execute,
      apiError: (cause) => this.#apiError(cause),
      refuse: (error) => {
        this.#repetitions.delete(stop)
        reported()
        events.refused(error)
      },
      complete: () => {
        this.#repetitions.delete(stop)
        reported()
        events.completed()
      },
    })
    const stop = () => {
      end()
      if (this.#repetitions.delete(stop)) reported()
    }
    this.#repetitions.add(stop)
    observer.report({ kind: 'subscription-begun', of: 'live' })
    return stop
  }

  close(): void {
    for (const stop of [...this.#repetitions]) stop()
    this.#stop.abort(new Error('the server stops'))
    for (const poller of [...this.#pollers.values()]) poller.end()
  }

  /** What is polled now, for /dev/subscriptions (reference/http#endpoints). */
  dump(extended: boolean): SubscriptionDump {
    const { live, streams } = this.#options
    return dumpPollers([...this.#pollers.values()], { live, streams }, extended)
  }

  #find(request: SubscriptionRequest): PreparedSubscription {
    const { caches, graphql, tallyOf } = this.#options
    return findSubscription(request, this.#model, caches.subscriptions, graphql, tallyOf)
  }

  #join(subscriber: Subscriber, prepared: PreparedPoll, { values, shared }: SubscriptionValues): void {
    subscriber.prepared = prepared
    const key = pollerKey(subscriber, prepared, shared)
    let poller = this.#pollers.get(key)
    if (!poller) {
      poller = new Poller(key, subscriber, shared, prepared.cursor ? this.#contexts.streams : this.#contexts.live)
      this.#pollers.set(key, poller)
    }
    poller.join(subscriber, values)
    poller.askSoon(subscriber)
  }

  /**
   * When metadata has changed, whatever rests on what changed is planned again before anything is sent
   * (reference/websockets#ends).
   */
  #refresh(): void {
    const model = this.#options.current()
    if (model === this.#model) return
    const before = this.#model
    this.#model = model
    const verdicts = new Map<PreparedPoll, boolean>()
    const isRight = (subscriber: Subscriber) => {
      const { prepared } = subscriber
      const known = verdicts.get(prepared) ?? servesStill(prepared, subscriber, model, this.#options.graphql)
      verdicts.set(prepared, known)
      return known && this.#isRouted(subscriber, before)
    }
    for (const poller of [...this.#pollers.values()])
      for (const cohort of [...poller.cohorts.values()])
        for (const subscriber of [...cohort.subscribers])
          if (!isRight(subscriber)) this.#planAgain(subscriber, poller, cohort.values)
  }

  /** Whether the source's connection template says what it said. One that fails is found when it is planned again. */
  #isRouted(subscriber: Subscriber, before: Model): boolean {
    const { prepared, route } = subscriber
    const source = this.#model.input.sources.get(prepared.source)
    const known = before.input.sources.get(prepared.source)
    if (source?.status !== 'ready') return true
    if (known?.status === 'ready' && known.routing === source.routing) return true
    try {
      const now = routeOf(routedSubscription(prepared, subscriber, this.#model, {}), prepared.source)
      return equalJson(now, route)
    } catch {
      return false
    }
  }

  #planAgain(subscriber: Subscriber, poller: Poller, values: readonly (string | null)[]): void {
    const before = subscriber.prepared
    poller.leave(subscriber)
    try {
      const prepared = this.#find(subscriber)
      if (prepared.kind === 'repetition') throw invalid(Path.root, 'the field is an action now')
      const bound = bindSubscription(prepared, subscriber, this.#options.graphql)
      subscriber.route = routeOf(routedSubscription(prepared, subscriber, this.#model, {}), prepared.source)
      this.#join(subscriber, prepared, { ...bound, values: movedCursor(before, values, prepared, bound.values) })
    } catch (cause) {
      this.#refuse(subscriber, this.#apiError(cause))
    }
  }

  /** Of one that belongs to no poller any more. */
  #refuse({ prepared, events }: Subscriber, error: ApiError): void {
    this.#options.observer.report({ kind: 'subscription-ended', of: kindOf(prepared) })
    events.refused(error)
  }

  #contextOf(settings: PollerSettings): PollerContext {
    const { observer, maxAnswerSize } = this.#options
    return {
      settings,
      observer,
      maxAnswerSize,
      ask: (poller, parameters) => {
        const { prepared, route } = poller
        const limit = this.#limits.get(prepared.source) ?? new ConcurrencyLimit(MOST_STATEMENTS)
        this.#limits.set(prepared.source, limit)
        const asked = limit.run(async () =>
          routedConnection(this.#model, prepared.source, route, poller).queryRows(
            prepared.statement,
            parameters,
            this.#stop.signal,
          ),
        )
        // sources come and go
        return asked.finally(() => limit.isIdle && this.#limits.delete(prepared.source))
      },
      refresh: () => this.#refresh(),
      now: () => ++this.#clock,
      emptied: (poller) => {
        if (this.#pollers.get(poller.key) === poller) this.#pollers.delete(poller.key)
      },
      refuse: (subscriber, error) => this.#refuse(subscriber, error),
      apiError: (cause) => this.#apiError(cause),
    }
  }

  #apiError(cause: unknown): ApiError {
    if (cause instanceof ApiError) return cause
    if (!this.#stop.signal.aborted)
      this.#options.observer.report({ kind: 'request-crashed', requestId: 'subscription', error: errorReport(cause) })
    return new ApiError('unexpected', Path.root, 'internal error', { status: 500, cause })
  }
}

/** The statement that is shared, and the values of this subscriber. */
const loggedPoll = ({ root, statement, multiplexed: { slots, shared } }: PreparedPoll, bound: SubscriptionValues) => {
  const plan = { ...statement, slots: [...shared, ...slots] }
  return {
    of: 'database',
    sql: { [root]: loggedStatement({ plan, parameters: [...bound.shared, ...bound.values] }) },
  } as const
}

/** A stream that goes on by the same column goes on where it was. */
function movedCursor(
  before: PreparedPoll,
  values: readonly (string | null)[],
  { cursor }: PreparedPoll,
  fresh: readonly (string | null)[],
): readonly (string | null)[] {
  const old = before.cursor
  if (!old || !cursor || old.column !== cursor.column || old.direction !== cursor.direction) return fresh
  return fresh.with(cursor.slot, values[old.slot] ?? null)
}

/** Subscriptions with the same text, over the same connection and with the same role, can be polled together. */
function pollerKey(
  { session: { role }, api, route }: Subscriber,
  { source, statement, pieces }: PreparedPoll,
  shared: readonly (string | null)[],
): string {
  return JSON.stringify([source, role, api, statement.text, pieces.map(String), shared, route])
}
