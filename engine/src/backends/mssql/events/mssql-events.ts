import { randomUUID } from 'node:crypto'
import type { JsonObject } from '@svc/schema'
import { parseExactly } from '../../../exact-json/index.ts'
import type { InstanceHeartbeat } from '../../../webhooks/index.ts'
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
import { cellText } from '../connect/cell-json.ts'
import { queryError } from '../connect/database-error.ts'
import type { SourcePool } from '../connect/source-pool.ts'
import type { HeldTransaction } from '../connect/transaction.ts'
import { askTables } from './catalogue.ts'
import * as texts from './delivery-statements.ts'
import { MssqlCleanups, type RunText } from './mssql-cleanups.ts'

/** The events of a SQL Server source (docs/sql-server.md#events). */
export class MssqlEvents implements EventStore {
  readonly #pool: SourcePool
  readonly #run: RunText
  readonly cleanups: CleanupStore

  constructor(pool: SourcePool) {
    this.#pool = pool
    this.#run = runOver((statement, signal) => pool.run(statement, signal))
    this.cleanups = new MssqlCleanups(this.#run, (work) => this.#together(work))
  }

  async isPrepared(): Promise<boolean> {
    const [row] = await this.#run(askTables, [])
    return typeof row?.[0] === 'string'
  }

  /** Retries that are due have a quarter, and what new events leave. */
  async claim(instance: string, triggers: readonly string[], limit: number): Promise<readonly ClaimedEvent[]> {
    const take = async (due: texts.Due, most: number) =>
      most <= 0 ? [] : this.#run(texts.claimText(due), [instance, JSON.stringify(triggers), String(most)])
    const quarter = Math.floor((limit + 2) / 4)
    const retries = await take('retry', quarter)
    const fresh = await take('fresh', limit - retries.length)
    const left = limit - retries.length - fresh.length
    const rest = retries.length < quarter ? [] : await take('retry', left)
    return [...retries, ...fresh, ...rest].map((row) => claimedEvent(row, (time) => momentOf(time) ?? ''))
  }

  async record(instance: string, outcomes: readonly EventOutcome[]): Promise<void> {
    if (outcomes.length === 0) return
    const rows = outcomes.map(({ id, trigger, next, invocation }) => [
      id,
      trigger,
      next.kind,
      'seconds' in next ? Math.ceil(next.seconds) : null,
      invocation === null ? 0 : 1,
      invocation?.status ?? null,
      invocation?.request ?? null,
      invocation?.response ?? null,
    ])
    const parameters = [instance, JSON.stringify(rows)]
    await this.#together(async (run) => {
      await run(texts.logAttemptsText, parameters)
      await run(texts.recordText, parameters)
    })
  }

  async release(instance: string, except: readonly string[]): Promise<number> {
    return countOf(await this.#run(texts.releaseText, [instance, JSON.stringify(except)]))
  }

  async beat(instance: string): Promise<readonly InstanceHeartbeat[]> {
    await this.#together(async (run) => {
      for (const text of texts.beatTexts) await run(text, [instance])
    })
    const rows = await this.#run(texts.othersText, [instance])
    return rows.map(([id, beats, silent]) => ({ id: id ?? '', beats: beats ?? '', silent: Number(silent) * 1000 }))
  }

  async freeDead(dead: readonly InstanceHeartbeat[]): Promise<number> {
    if (dead.length > 0) await this.#run(texts.buryText, [JSON.stringify(dead.map(({ id, beats }) => [id, beats]))])
    return countOf(await this.#run(texts.freeText, []))
  }

  async leave(instance: string): Promise<void> {
    await this.#run(texts.leaveText, [instance])
  }

  async redeliver(event: string): ReturnType<EventStore['redeliver']> {
    if (!isId(event)) return 'not-found'
    if (countOf(await this.#run(texts.redeliverText, [event])) > 0) return 'done'
    const [row] = await this.#run(texts.findEventText, [event])
    return Number(row?.[0]) === 0 ? 'not-found' : 'busy'
  }

  /** Events of such a source carry no session and no trace. */
  async invoke({ trigger, table, payload }: Parameters<EventStore['invoke']>[0]): Promise<string> {
    const id = randomUUID().toUpperCase()
    const event = `{"op":"MANUAL","data":{"old":null,"new":${payload}}}`
    await this.#run(texts.invokeText, [id, table.schema, table.name, trigger, event])
    return id
  }

  async backlog(triggers: readonly string[]): Promise<readonly Backlog[]> {
    const waiting = await this.#run(texts.waitingText, [])
    const failed = await this.#run(texts.failedText, [])
    return triggers.map((trigger) => {
      const [, pending = 0, oldest = 0] = waiting.find(([name]) => name === trigger) ?? []
      const [, dead = 0] = failed.find(([name]) => name === trigger) ?? []
      return { trigger, pending: Number(pending), oldest: Math.max(0, Number(oldest)), dead: Number(dead) }
    })
  }

  async events(trigger: string, filter: LogFilter<LogStatus>, page: LogPage): Promise<readonly JsonObject[]> {
    const rows = await this.#page(texts.eventsText(filter), trigger, page, filter.since)
    return rows.map(loggedEvent)
  }

  async invocations(trigger: string, filter: InvocationFilter, page: LogPage): Promise<readonly JsonObject[]> {
    const rows = await this.#page(texts.invocationsText(filter), trigger, page, filter.since)
    return rows.map((row) => loggedInvocation(row, 'http_status'))
  }

  async event(id: string, page: LogPage): Promise<LoggedEvent | null> {
    const [row] = isId(id) ? await this.#run(texts.eventText, [id]) : []
    if (!row) return null
    const invocations = await this.#page(texts.invocationsOfText, id, page)
    return { event: loggedEvent(row), invocations: invocations.map((one) => loggedInvocation(one, 'status')) }
  }

  async clean(options: CleanupOptions): Promise<CleanedLogs> {
    const { trigger, olderThan, batchSize, timeout, cleanInvocationLogs } = options
    const parameters = [trigger, String(olderThan), String(batchSize)]
    for (let cleaned: CleanedLogs = { events: 0, invocations: 0 }; ; ) {
      const signal = AbortSignal.timeout(timeout * 1000)
      const { events, invocations } = await this.#together(async (run) => ({
        invocations: cleanInvocationLogs ? countOf(await run(texts.cleanInvocationsText, parameters, signal)) : 0,
        events: countOf(await run(texts.cleanEventsText, parameters, signal)),
      }))
      if (events === 0) return cleaned
      cleaned = { events: cleaned.events + events, invocations: cleaned.invocations + invocations }
    }
  }

  /** SQL Server notifies no one: a caller that waits for events polls. */
  watch(): { close(): Promise<void> } {
    return { close: async () => {} }
  }

  async #page(text: string, key: string, { limit, offset }: LogPage, since: string | null = null): Promise<TextRows> {
    if (limit === 0) return []
    return this.#run(text, [key, String(limit), String(offset), ...(since === null ? [] : [instantOf(since)])])
  }

  #together<Result>(work: (run: RunText) => Promise<Result>): Promise<Result> {
    return this.#pool.transaction((held: HeldTransaction) =>
      work(runOver((statement, signal) => held.run(statement, signal))),
    )
  }
}

const runOver =
  (send: HeldTransaction['run']): RunText =>
  async (text, parameters, signal) => {
    try {
      const sets = await send({ text, parameters }, signal)
      return (sets.at(-1)?.rows ?? []).map((row) => row.map(cellText))
    } catch (error) {
      throw queryError(error, text)
    }
  }

/** In a form that SQL Server reads too. */
function instantOf(since: string): string {
  const time = new Date(since)
  return Number.isNaN(time.getTime()) ? since : time.toISOString()
}

const isId = (text: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)

/** `2024-05-06T07:08:09.1234567+00:00`, no digits where they are zero: a Z is all that is left of the zone. */
const momentOf = (text: string | null): string | null =>
  text
    ?.replace(/(\.\d*?)0*(\+00:00|Z)?$/, '$1')
    .replace(/\.$/, '')
    .replace(/(\+00:00)?$/, 'Z') ?? null

const isSet = (bit: string | null | undefined): boolean => bit === 'true' || bit === '1'

function loggedEvent(row: TextRows[number]): JsonObject {
  const [id, schema, table, trigger, payload, delivered, error, tries, createdAt, locked, retryAt, archived] = row
  return {
    id: id ?? null,
    schema_name: schema ?? null,
    table_name: table ?? null,
    trigger_name: trigger ?? null,
    payload: parseExactly(payload ?? 'null'),
    delivered: isSet(delivered),
    error: isSet(error),
    tries: Number(tries),
    created_at: momentOf(createdAt ?? null),
    locked: momentOf(locked ?? null),
    next_retry_at: momentOf(retryAt ?? null),
    archived: isSet(archived),
  } as JsonObject
}

function loggedInvocation(row: TextRows[number], statusName: 'status' | 'http_status'): JsonObject {
  const [id, trigger, event, status, request, response, createdAt] = row
  return {
    id: id ?? null,
    trigger_name: trigger ?? null,
    event_id: event ?? null,
    [statusName]: status === null || status === undefined ? null : Number(status),
    request: parseExactly(request ?? 'null'),
    response: parseExactly(response ?? 'null'),
    created_at: momentOf(createdAt ?? null),
  } as JsonObject
}
