import {
  type CreateScheduledEventArgs,
  type CronTrigger,
  type JsonObject,
  nextCronTimes,
  objectValue,
  parseCronSchedule,
  type ScheduleRetry,
} from '@svc/schema'
import { parseExactly } from '../../exact-json/index.ts'
import type { SharedQueue } from '../../webhooks/index.ts'
import type { CatalogueConnection, StatementValue, TextRow } from './connection.ts'
import type { Commit } from './metadata-store.ts'
import {
  aheadStatement,
  backlogStatement,
  beatStatement,
  buryStatement,
  byKind,
  claimCronStatement,
  claimOneOffStatement,
  countInvocationsStatement,
  countStatement,
  createOneOffStatement,
  dropFutureStatement,
  type EventKind,
  type EventOrder,
  invocationsStatement,
  leaveStatement,
  listStatement,
  seedStatement,
} from './schedule-statements.ts'

/**
 * Events of a cron trigger that are stored ahead, and below how many more are added
 * (reference/scheduled-triggers#at-work).
 */
const AHEAD = 100

export type ScheduledEvent = CronEvent | OneOffEvent

interface AnyScheduledEvent {
  readonly id: string
  /** With the zone UTC. */
  readonly scheduledTime: string
  /** Seconds since it was due. */
  readonly late: number
  /** Attempts so far. */
  readonly tries: number
}

interface CronEvent extends AnyScheduledEvent {
  readonly kind: 'cron'
  readonly trigger: string
}

export interface OneOffEvent extends AnyScheduledEvent {
  readonly kind: 'one_off'
  readonly createdAt: string
  readonly webhook: CreateScheduledEventArgs['webhook']
  /** The same as it is stored: JSON text. */
  readonly webhookText: string
  readonly retry: ScheduleRetry
  readonly headers: CreateScheduledEventArgs['headers']
  /** JSON text. */
  readonly payload: string
  readonly comment: string | null
  readonly requestTransform: CreateScheduledEventArgs['request_transform']
  readonly responseTransform: CreateScheduledEventArgs['response_transform']
}

/** What became of an attempt. */
export interface ScheduledOutcome {
  readonly id: string
  readonly kind: EventKind
  readonly next: 'delivered' | 'error' | 'dead' | 'scheduled'
  /** Until the next attempt; `scheduled` only. */
  readonly seconds: number | null
  /** Null: no attempt was made. JSON texts. */
  readonly invocation: { readonly status: number | null; readonly request: string; readonly response: string } | null
}

interface EventFilter {
  readonly trigger: string | null
  readonly statuses: readonly string[] | null
  readonly event: string | null
  /** A timestamp; null: any. */
  readonly since: string | null
}

type InvocationFilter = Omit<EventFilter, 'statuses'>

/**
 * How many events of a cron trigger, or one-off events (null), are due and how many have failed for good; seconds since
 * the oldest was due.
 */
export interface ScheduleBacklog {
  readonly kind: EventKind
  readonly trigger: string | null
  readonly pending: number
  readonly oldest: number
  readonly dead: number
}

interface EventPage {
  readonly limit?: number | undefined
  readonly offset?: number | undefined
}

/** Events of cron triggers and one-off events, as the metadata database stores them (reference/scheduled-triggers). */
export interface ScheduleStore extends SharedQueue<ScheduledOutcome> {
  /** Adds events of triggers of which few are left. */
  plan(triggers: readonly CronTrigger[]): Promise<void>
  claim(
    instance: string,
    triggers: readonly string[],
    limit: number,
    exceptWebhooks?: readonly string[],
  ): Promise<readonly ScheduledEvent[]>
  /** Returns its id; an existing one under the wanted id is unchanged. */
  create(event: CreateScheduledEventArgs): Promise<string>
  remove(kind: EventKind, id: string): Promise<void>
  events(
    kind: EventKind,
    filter: EventFilter,
    order: readonly EventOrder[],
    page: EventPage,
  ): Promise<readonly JsonObject[]>
  countEvents(kind: EventKind, filter: EventFilter): Promise<number>
  invocations(kind: EventKind, filter: InvocationFilter, page: EventPage): Promise<readonly JsonObject[]>
  countInvocations(kind: EventKind, filter: InvocationFilter): Promise<number>
  /** Of whatever has any. */
  backlog(): Promise<readonly ScheduleBacklog[]>
}

export function scheduleStore({ run }: CatalogueConnection): ScheduleStore {
  const rowsOf = async (...args: Parameters<CatalogueConnection['run']>): Promise<readonly JsonObject[]> =>
    (await run(...args)).map(([text]) => withoutZeros(parseExactly(text ?? '{}') as JsonObject))
  const numberOf = async (...args: Parameters<CatalogueConnection['run']>) => Number((await run(...args))[0]?.[0] ?? 0)
  const pageOf = ({ limit, offset }: EventPage): readonly StatementValue[] => [limit ?? null, offset ?? null]
  return {
    async plan(triggers) {
      if (triggers.length === 0) return
      const rows = await run(aheadStatement, [triggers.map(({ name }) => name)])
      const byName = new Map(triggers.map((trigger) => [trigger.name, trigger]))
      const seeds = rows.flatMap(([name, count, latest]) => {
        const trigger = byName.get(name ?? '')
        if (!trigger || Number(count) >= AHEAD) return []
        // a clock that was set back must not bring times back that have been dealt with
        return timesOf(trigger, Math.max(latest === null ? 0 : Number(latest), Number(count) > 0 ? 0 : Date.now()))
      })
      await seed(run, seeds)
    },
    async claim(instance, triggers, limit, exceptWebhooks = []) {
      const cron = triggers.length === 0 ? [] : await run(claimCronStatement, [instance, limit, triggers])
      const oneOff = await run(claimOneOffStatement, [instance, limit, exceptWebhooks])
      return [...cron.map(cronEvent), ...oneOff.map(oneOffEvent)]
    },
    async record(instance, outcomes) {
      for (const kind of ['cron', 'one_off'] as const) {
        const own = outcomes.filter((outcome) => outcome.kind === kind)
        if (own.length === 0) continue
        const list = (of: (outcome: ScheduledOutcome) => string | number | boolean | null) =>
          own.map((outcome) => {
            const value = of(outcome)
            return value === null ? null : String(value)
          })
        await run(byKind[kind].record, [
          instance,
          list(({ id }) => id),
          list(({ next }) => next),
          list(({ seconds }) => seconds),
          list(({ invocation }) => invocation !== null),
          list(({ invocation }) => invocation?.status ?? null),
          list(({ invocation }) => invocation?.request ?? null),
          list(({ invocation }) => invocation?.response ?? null),
        ])
      }
    },
    async release(instance, except) {
      for (const kind of ['cron', 'one_off'] as const) await run(byKind[kind].release, [instance, except])
    },
    async beat(instance) {
      const rows = await run(beatStatement, [instance])
      return rows.map(([id, beats, silent]) => ({ id: id ?? '', beats: beats ?? '', silent: Number(silent) }))
    },
    async freeDead(dead) {
      if (dead.length > 0) await run(buryStatement, [dead.map(({ id }) => id), dead.map(({ beats }) => beats)])
      return (await numberOf(byKind.cron.free)) + (await numberOf(byKind.one_off.free))
    },
    async leave(instance) {
      await run(leaveStatement, [instance])
    },
    async create(event) {
      const json = (value: unknown) => (value === undefined ? null : JSON.stringify(value))
      const [row] = await run(createOneOffStatement, [
        json(event.webhook),
        event.schedule_at,
        json(event.retry_conf),
        json(event.payload),
        json(event.headers),
        event.comment ?? null,
        json(event.request_transform),
        json(event.response_transform),
        event.event_id ?? null,
      ])
      return row?.[0] ?? event.event_id ?? ''
    },
    async remove(kind, id) {
      await run(byKind[kind].remove, [id])
    },
    events: (kind, { trigger, statuses, event, since }, order, page) =>
      rowsOf(listStatement(kind, order), [trigger, statuses, ...pageOf(page), event, since]),
    countEvents: (kind, { trigger, statuses, event, since }) =>
      numberOf(countStatement(kind), [trigger, statuses, event, since]),
    invocations: (kind, { event, trigger, since }, page) =>
      rowsOf(invocationsStatement(kind), [event, trigger, ...pageOf(page), since]),
    countInvocations: (kind, { event, trigger, since }) =>
      numberOf(countInvocationsStatement(kind), [event, trigger, since]),
    backlog: async () => {
      const of = async (kind: EventKind) =>
        (await run(backlogStatement(kind), [])).map(([trigger = null, pending, oldest, dead]) => ({
          kind,
          trigger,
          pending: Number(pending),
          oldest: Number(oldest),
          dead: Number(dead),
        }))
      return [...(await of('cron')), ...(await of('one_off'))]
    },
  }
}

/**
 * What a change of metadata does to events of cron triggers (reference/scheduled-triggers#cron-triggers): those to come
 * of a trigger that was changed or removed go, and the next ones of a new or changed trigger are there when the change
 * is.
 */
export async function followCronTriggers({ run }: CatalogueConnection, changes: Commit['changes']): Promise<void> {
  const cron = changes.filter(({ address }) => address.type === 'cron_trigger')
  if (cron.length === 0) return
  const gone = cron.flatMap(({ old }) => (old ? [String(old.value.name)] : []))
  if (gone.length > 0) await run(dropFutureStatement, [gone])
  const now = Date.now()
  const triggers = cron.flatMap((change) => (change.new ? [objectValue(change.new, 'cron_trigger')] : []))
  await seed(
    run,
    triggers.flatMap((trigger) => timesOf(trigger, now)),
  )
}

interface Seed {
  readonly trigger: string
  readonly time: number
}

function timesOf({ name, schedule }: CronTrigger, after: number): readonly Seed[] {
  const parsed = parseCronSchedule(schedule)
  return parsed ? nextCronTimes(parsed, after, AHEAD).map((time) => ({ trigger: name, time })) : []
}

async function seed(run: CatalogueConnection['run'], seeds: readonly Seed[]): Promise<void> {
  if (seeds.length === 0) return
  await run(seedStatement, [seeds.map(({ trigger }) => trigger), seeds.map(({ time }) => String(time))])
}

function anyEvent([id, scheduledTime, late, tries]: TextRow): AnyScheduledEvent {
  return { id: id ?? '', scheduledTime: utc(scheduledTime), late: Number(late), tries: Number(tries) }
}

const cronEvent = (row: TextRow): CronEvent => ({ ...anyEvent(row), kind: 'cron', trigger: row[4] ?? '' })

function oneOffEvent(row: TextRow): OneOffEvent {
  const [createdAt, webhook, retry, headers, payload, comment, request, response] = row.slice(4)
  const json = (text: string | null | undefined) => (text == null ? undefined : JSON.parse(text))
  return {
    ...anyEvent(row),
    kind: 'one_off',
    createdAt: utc(createdAt),
    webhook: json(webhook),
    webhookText: webhook ?? 'null',
    retry: json(retry),
    headers: json(headers) ?? [],
    payload: payload ?? 'null',
    comment: comment ?? null,
    requestTransform: json(request),
    responseTransform: json(response),
  }
}

const utc = (time: string | null | undefined): string => `${cut(time ?? '')}Z`

/** No fraction where it is zero, else three digits or six (reference/actions#webhooks). */
const cut = (time: string): string => time.replace(/\.000000(Z?)$/, '$1').replace(/(\.\d{3})000(Z?)$/, '$1$2')

const timeKeys = new Set(['scheduled_time', 'created_at', 'next_retry_at'])

const withoutZeros = (row: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(row).map(([key, value]) =>
      timeKeys.has(key) && typeof value === 'string' ? [key, cut(value)] : [key, value],
    ),
  )
