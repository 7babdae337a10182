import type { JsonObject } from '@svc/schema'
import { parseExactly } from '../../../exact-json/index.ts'
import type { InstanceHeartbeat } from '../../../webhooks/index.ts'
import type { Statement } from '../../backend.ts'
import {
  type Backlog,
  type ClaimedEvent,
  type CleanedLogs,
  type CleanupOptions,
  type CleanupStore,
  claimedEvent,
  countOf,
  type EventOutcome,
  type EventStore,
  type InvocationFilter,
  type LogFilter,
  type LoggedEvent,
  type LogPage,
  type LogStatus,
  type TextRows,
} from '../../event-store.ts'
import { arrayLiteral } from '../types/array-literal.ts'
import { askVersion, countsFailed, hasEventTables } from './catalogue.ts'
import * as delivery from './delivery-statements.ts'
import * as logs from './log-statements.ts'

export const textRows = (rows: readonly (readonly (Buffer | null)[])[]): TextRows =>
  rows.map((row) => row.map((field) => field?.toString() ?? null))

/** How statements reach the database, each as a transaction of its own. */
export interface EventSession {
  run(statement: Statement, slots: readonly (string | null)[]): Promise<TextRows>
  /** `timeout`: seconds that the database may take. */
  runWithin(timeout: number, statement: Statement, slots: readonly (string | null)[]): Promise<TextRows>
  watch(wake: () => void): { close(): Promise<void> }
}

/** The events of a PostgreSQL source. */
export class PostgresEvents implements EventStore {
  readonly #session: EventSession
  readonly cleanups: CleanupStore

  constructor(session: EventSession) {
    this.#session = session
    this.cleanups = new PostgresCleanups(session)
  }

  isPrepared(): Promise<boolean> {
    return hasEventTables(({ text, slots }) => this.#session.run({ text, slots: [], effects: 'none' }, slots))
  }

  async claim(instance: string, triggers: readonly string[], limit: number): Promise<readonly ClaimedEvent[]> {
    const rows = await this.#session.run(delivery.claimStatement, [instance, arrayLiteral(triggers), String(limit)])
    return rows.map((row) => claimedEvent(row, withoutZeros))
  }

  async record(instance: string, outcomes: readonly EventOutcome[]): Promise<void> {
    if (outcomes.length === 0) return
    const list = (of: (outcome: EventOutcome) => string | number | boolean | null) =>
      arrayLiteral(outcomes.map((outcome) => textOf(of(outcome))))
    await this.#session.run(delivery.recordStatement, [
      instance,
      list(({ id }) => id),
      list(({ trigger }) => trigger),
      list(({ next }) => next.kind),
      list(({ next }) => ('seconds' in next ? next.seconds : null)),
      list(({ invocation }) => invocation !== null),
      list(({ invocation }) => invocation?.status ?? null),
      list(({ invocation }) => invocation?.request ?? null),
      list(({ invocation }) => invocation?.response ?? null),
    ])
  }

  async release(instance: string, except: readonly string[]): Promise<number> {
    return countOf(await this.#session.run(delivery.releaseStatement, [instance, arrayLiteral(except)]))
  }

  async beat(instance: string): Promise<readonly InstanceHeartbeat[]> {
    const rows = await this.#session.run(delivery.beatStatement, [instance])
    return rows.map(([id, beats, silent]) => ({ id: id ?? '', beats: beats ?? '', silent: Number(silent) }))
  }

  async freeDead(dead: readonly InstanceHeartbeat[]): Promise<number> {
    if (dead.length > 0)
      await this.#session.run(delivery.buryStatement, [
        arrayLiteral(dead.map(({ id }) => id)),
        arrayLiteral(dead.map(({ beats }) => beats)),
      ])
    return countOf(await this.#session.run(delivery.freeStatement, []))
  }

  async leave(instance: string): Promise<void> {
    await this.#session.run(delivery.leaveStatement, [instance])
  }

  async redeliver(event: string): ReturnType<EventStore['redeliver']> {
    const [row] = await this.#session.run(delivery.redeliverStatement, [event])
    if (!row) return 'not-found'
    return row[0] === 't' ? 'busy' : 'done'
  }

  async invoke({
    trigger,
    table,
    payload,
    sessionVariables,
    traceContext,
  }: Parameters<EventStore['invoke']>[0]): Promise<string> {
    const slots = [table.schema, table.name, trigger, payload, sessionVariables, traceContext]
    const [row] = await this.#session.run(delivery.invokeStatement, slots)
    return row?.[0] ?? ''
  }

  async backlog(triggers: readonly string[]): Promise<readonly Backlog[]> {
    const names = arrayLiteral(triggers)
    const waiting = await this.#session.run(logs.backlogStatement, [names])
    const [version] = await this.#session.run({ ...askVersion, slots: [], effects: 'none' }, [])
    const failed = Number(version?.[0]) < countsFailed ? null : await this.#session.run(logs.failedStatement, [names])
    const waitingOf = new Map(
      waiting.map(([name, count, oldest]) => [name, { pending: Number(count), oldest: Number(oldest) }]),
    )
    const failedOf = new Map(failed?.map(([name, count]) => [name, Number(count)]))
    return triggers.map((trigger) => ({
      trigger,
      ...(waitingOf.get(trigger) ?? { pending: 0, oldest: 0 }),
      dead: failed && (failedOf.get(trigger) ?? 0),
    }))
  }

  async events(trigger: string, filter: LogFilter<LogStatus>, page: LogPage): Promise<readonly JsonObject[]> {
    return logged(
      await this.#session.run(logs.eventsStatement(filter), [trigger, ...pageSlots(page), ...sinceSlots(filter)]),
    )
  }

  async invocations(trigger: string, filter: InvocationFilter, page: LogPage): Promise<readonly JsonObject[]> {
    const slots = [trigger, ...pageSlots(page), ...sinceSlots(filter)]
    return logged(await this.#session.run(logs.invocationsStatement(filter), slots))
  }

  async event(id: string, page: LogPage): Promise<LoggedEvent | null> {
    const [event] = logged(await this.#session.run(logs.eventStatement, [id]))
    if (!event) return null
    return {
      event,
      invocations: logged(await this.#session.run(logs.invocationsOfStatement, [id, ...pageSlots(page)])),
    }
  }

  async clean(options: CleanupOptions): Promise<CleanedLogs> {
    const { trigger, olderThan, batchSize, timeout, cleanInvocationLogs } = options
    const slots = [trigger, String(olderThan), String(batchSize), String(cleanInvocationLogs)]
    for (let cleaned: CleanedLogs = { events: 0, invocations: 0 }; ; ) {
      const [row] = await this.#session.runWithin(timeout, logs.cleanStatement, slots)
      const events = Number(row?.[0] ?? 0)
      if (events === 0) return cleaned
      cleaned = { events: cleaned.events + events, invocations: cleaned.invocations + Number(row?.[1] ?? 0) }
    }
  }

  watch(wake: () => void): { close(): Promise<void> } {
    return this.#session.watch(wake)
  }
}

class PostgresCleanups implements CleanupStore {
  readonly #session: EventSession

  constructor(session: EventSession) {
    this.#session = session
  }

  async pending(trigger: string): ReturnType<CleanupStore['pending']> {
    const [row] = await this.#session.run(logs.pendingCleanupsStatement, [trigger])
    const latest = row?.[1] ?? null
    return { count: Number(row?.[0] ?? 0), latest: latest === null ? null : Number(latest) }
  }

  async schedule(trigger: string, times: readonly number[]): Promise<void> {
    await this.#session.run(logs.scheduleCleanupsStatement, [trigger, arrayLiteral(times.map(String))])
  }

  async take(triggers: readonly string[]): ReturnType<CleanupStore['take']> {
    const rows = await this.#session.run(logs.takeCleanupsStatement, [arrayLiteral(triggers)])
    return rows.map(([id, trigger]) => ({ id: id ?? '', trigger: trigger ?? '' }))
  }

  async finish(...[id, status, { events, invocations }]: Parameters<CleanupStore['finish']>): Promise<void> {
    await this.#session.run(logs.finishCleanupStatement, [id, status, String(events), String(invocations)])
  }

  async forget(triggers: readonly string[]): Promise<void> {
    await this.#session.run(logs.forgetCleanupsStatement, [arrayLiteral(triggers)])
  }
}

const textOf = (value: string | number | boolean | null): string | null => (value === null ? null : String(value))

const sinceSlots = ({ since }: { readonly since: string | null }) => (since === null ? [] : [since])

const pageSlots = ({ limit, offset }: LogPage): readonly string[] => [String(limit), String(offset)]

/** No fraction where it is zero, else three digits or six (reference/actions#webhooks). */
const withoutZeros = (time: string): string => time.replace(/\.000000$/, '').replace(/(\.\d{3})000$/, '$1')

const timeKeys = new Set(['created_at', 'locked', 'next_retry_at'])

/** Rows of one JSON text each, their times in UTC. */
function logged(rows: TextRows): readonly JsonObject[] {
  return rows.map(([text]) => {
    const row = parseExactly(text ?? '{}') as JsonObject
    const entries = Object.entries(row).map(([key, value]) =>
      timeKeys.has(key) && typeof value === 'string' ? [key, `${withoutZeros(value)}Z`] : [key, value],
    )
    return Object.fromEntries(entries)
  })
}
