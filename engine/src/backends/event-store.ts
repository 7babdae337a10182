/**
 * What event triggers need of a source's database (reference/event-triggers): to capture changes of tables as events,
 * and to return the events that are due. Times are texts: `2024-05-06T07:08:09.123456`, in UTC unless it says
 * otherwise.
 */
import type { JsonObject } from '@svc/schema'
import type { DatabaseType, QualifiedName } from '../ir/index.ts'
import type { SharedQueue } from '../webhooks/index.ts'

export type CapturedOperation = 'insert' | 'update' | 'delete'
export const capturedOperations: readonly CapturedOperation[] = ['insert', 'update', 'delete']

/** Columns by name, or all there are. */
export type CapturedColumns = '*' | readonly string[]

/** An event trigger as the database carries it out. */
export interface Capture {
  readonly trigger: string
  readonly table: QualifiedName
  /** All of the table. */
  readonly columns: readonly { readonly name: string; readonly type: DatabaseType }[]
  /** `listen`: an update that does not change these is no event. `payload`: what of a row an event contains. */
  readonly operations: {
    readonly [O in CapturedOperation]?: { readonly listen: CapturedColumns; readonly payload: CapturedColumns }
  }
  /** Of the table, where it has a primary key. */
  readonly key?: readonly string[]
  /** Changes that replication applies are events too; null: where that is usual for the database. */
  readonly onReplication: boolean | null
}

/** What becomes of the triggers of one source. Carried out in this order. */
export interface CaptureChange {
  /** Triggers without these operations from now on. */
  readonly drop: readonly { readonly trigger: string; readonly operations: readonly CapturedOperation[] }[]
  /** Triggers that were dropped: their events remain, and are delivered no more. */
  readonly archive: readonly string[]
  /** Metadata knows the source or its tables no more: where no trigger is left, events and logs leave too. */
  readonly forget: boolean
  /** Made, or made to be like this, whatever of them is there. */
  readonly install: readonly Capture[]
}

export interface CaptureOptions {
  readonly stringifyNumericTypes: boolean
}

/** Rows whose cells are texts. */
export type TextRows = readonly (readonly (string | null)[])[]

/** Runs one statement, its slots bound as text. */
export type RunStatement = (statement: TextStatement) => Promise<TextRows>

export interface TextStatement {
  readonly text: string
  readonly slots: readonly (string | null)[]
}

/** The same for several in one round trip: those behind one that is refused do not run. */
export type RunStatements = (statements: readonly TextStatement[]) => Promise<readonly TextRows[]>

/** An event that was handed out to be delivered. */
export interface ClaimedEvent {
  readonly id: string
  /** Local time of the session that made the change, without a zone. */
  readonly createdAt: string
  readonly trigger: string
  readonly table: QualifiedName
  /** Attempts so far. */
  readonly tries: number
  readonly operation: string
  /** JSON texts, since numbers keep all their digits; `null` where there is none. */
  readonly data: string
  readonly sessionVariables: string
  readonly traceContext: string
}

/** Returns the event of a row with these columns, in this order; `momentOf`: the time as it is shown. */
export const claimedEvent = (row: TextRows[number], momentOf: (time: string) => string): ClaimedEvent => {
  const [id, createdAt, trigger, schema, name, tries, operation, data, sessionVariables, traceContext] = row
  return {
    id: id ?? '',
    createdAt: momentOf(createdAt ?? ''),
    trigger: trigger ?? '',
    table: { schema: schema ?? '', name: name ?? '' },
    tries: Number(tries),
    operation: operation ?? '',
    data: data ?? 'null',
    sessionVariables: sessionVariables ?? 'null',
    traceContext: traceContext ?? 'null',
  }
}

/** Returns the number that a statement returns as its only cell; 0 where it returns none. */
export const countOf = (rows: TextRows): number => Number(rows[0]?.[0] ?? 0)

/** What became of an attempt to deliver an event. */
export interface EventOutcome {
  readonly id: string
  readonly trigger: string
  readonly next:
    | { readonly kind: 'delivered' }
    | { readonly kind: 'failed' }
    | { readonly kind: 'retry'; readonly seconds: number }
    /** No attempt was made: neither counted nor logged. */
    | { readonly kind: 'postponed'; readonly seconds: number }
    | { readonly kind: 'undeliverable' }
  /** What is stored of the attempt; JSON texts. */
  readonly invocation: Invocation | null
}

interface Invocation {
  /** Null: no response came. */
  readonly status: number | null
  readonly request: string
  readonly response: string
}

/** A page of a log. */
export interface LogPage {
  readonly limit: number
  readonly offset: number
}

export interface LoggedEvent {
  readonly event: JsonObject
  readonly invocations: readonly JsonObject[]
}

export type LogStatus = 'pending' | 'processed' | 'delivered' | 'error'

/** Which of a trigger's logs; null: any. `since`: a timestamp that the database can read. */
export interface LogFilter<Status> {
  readonly status: Status | null
  readonly since: string | null
}

export type InvocationFilter = LogFilter<'delivered' | 'error'>

/**
 * How many events of one trigger wait, and how many have failed for good. Counts end at `mostCounted`: large logs are
 * not read as a whole.
 */
export interface Backlog {
  readonly trigger: string
  /** To be delivered, or being delivered. */
  readonly pending: number
  /** Seconds since the oldest of them was made. */
  readonly oldest: number
  /** Failed for good; null: the tables are older than what counts them. */
  readonly dead: number | null
}

export const mostCounted = 10_000

export interface CleanupOptions {
  readonly trigger: string
  /** Hours. */
  readonly olderThan: number
  readonly batchSize: number
  /** Seconds that a batch may take. */
  readonly timeout: number
  readonly cleanInvocationLogs: boolean
}

export interface CleanedLogs {
  readonly events: number
  readonly invocations: number
}

/** The events of one source. Methods reject with an ApiError when the database cannot be reached or refuses. */
export interface EventStore extends SharedQueue<EventOutcome> {
  /** Whether events can be stored: the tables are there. */
  isPrepared(): Promise<boolean>
  /** Hands out due events of these triggers, each to one instance only. */
  claim(instance: string, triggers: readonly string[], limit: number): Promise<readonly ClaimedEvent[]>
  redeliver(event: string): Promise<'done' | 'not-found' | 'busy'>
  /**
   * Stores an event that no change made, and returns its id. JSON texts; `sessionVariables` and `traceContext` may be
   * null.
   */
  invoke(event: {
    readonly trigger: string
    readonly table: QualifiedName
    readonly payload: string
    readonly sessionVariables: string | null
    readonly traceContext: string | null
  }): Promise<string>
  /** An entry for each of these triggers. */
  backlog(triggers: readonly string[]): Promise<readonly Backlog[]>
  /** Newest first. */
  events(trigger: string, filter: LogFilter<LogStatus>, page: LogPage): Promise<readonly JsonObject[]>
  invocations(trigger: string, filter: InvocationFilter, page: LogPage): Promise<readonly JsonObject[]>
  /** Null: there is no such event. */
  event(id: string, page: LogPage): Promise<LoggedEvent | null>
  /** Deletes old events that were dealt with (reference/event-triggers#cleaning-up). */
  clean(options: CleanupOptions): Promise<CleanedLogs>
  readonly cleanups: CleanupStore
  /** Calls back when there may be new events; by itself again after the connection was lost. Null: nothing to wait for. */
  watch(wake: () => void): { close(): Promise<void> }
}

/** When logs are to be cleaned, as the database stores it. Times in milliseconds since 1970. */
export interface CleanupStore {
  /** Due times of a trigger that are still to come or to be carried out. */
  pending(trigger: string): Promise<{ readonly count: number; readonly latest: number | null }>
  schedule(trigger: string, times: readonly number[]): Promise<void>
  /** Claims the newest due clean-up of each trigger for this caller only; older ones are dead. */
  take(triggers: readonly string[]): Promise<readonly { readonly id: string; readonly trigger: string }[]>
  finish(id: string, status: 'completed' | 'paused' | 'dead', cleaned: CleanedLogs): Promise<void>
  /** Deletes those that are still to come. */
  forget(triggers: readonly string[]): Promise<void>
}
