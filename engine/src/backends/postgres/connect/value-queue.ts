import type pg from 'pg'
import { Batch, BatchFailed, control, type Row, type Step, type StepAnswer } from './batch.ts'
import { databaseError, endsConnection } from './database-error.ts'
import { type Exchange, HEADER, kinds } from './exchange.ts'
import { isConnectionError, isLostStatement } from './from-sql-state.ts'
import { MessageWriter } from './message-writer.ts'
import { NeverBegan } from './never-began.ts'
import type { PreparedNames } from './prepared-names.ts'
import type { PooledSession } from './session-settings.ts'
import { ValueExchange } from './value-exchange.ts'

/** A statement with parameters, which remains prepared under `name` when there is one. */
export interface Prepared {
  readonly text: string
  readonly name: string | null
  readonly parameters: readonly (string | null)[]
  /** The most bytes that the value may have; absent: any number. */
  readonly most?: number | undefined
}

/**
 * Statements that return one value each, and batches of statements, pipelined and answered in that order. Implements
 * the protocol itself: of the 50 µs that a read by key cost a server with pg, 35 were pg's.
 */
export class ValueQueue {
  readonly #write: (bytes: Buffer) => void
  readonly #writer = new MessageWriter()
  readonly #asked: Exchange[] = []
  #error: pg.DatabaseError | null = null
  #flushing = false
  /** How many statements were not written yet. */
  #unsent = 0
  /**
   * The last write had several statements: their senders answer several at a time, and the next ones arrive together.
   */
  #inBursts = false
  #lost: Error | null = null
  readonly #idle: (() => void)[] = []

  /** Whether the last answer left the connection in a transaction, or in one that failed. */
  #inTransaction = false
  /** Null where no other transaction uses the session. */
  pooled: PooledSession | null = null

  constructor(write: (bytes: Buffer) => void) {
    this.#write = write
  }

  /** Whether messages that arrive are answers to statements of this queue. */
  get busy(): boolean {
    return this.#asked.length > 0
  }

  /** Whether the last answer left the connection in a transaction. */
  get inTransaction(): boolean {
    return this.#inTransaction
  }

  /**
   * Returns the one column of the one row as bytes. Rejects with pg's DatabaseError, AnswerTooLarge, or the error
   * passed to `lose`; in a NeverBegan where the statement was lost before it began.
   */
  ask(statement: Prepared, names: PreparedNames): Promise<Buffer> {
    return new Promise((resolve, reject) => this.send(statement, names, resolve, reject))
  }

  /** Does the same without a promise. */
  send(
    statement: Prepared,
    names: PreparedNames,
    resolve: (value: Buffer) => void,
    reject: (error: Error) => void,
  ): void {
    if (this.#lost) reject(new NeverBegan(this.#lost))
    else if (this.pooled && !this.#inTransaction) this.#askPooled(statement, names).then(resolve, reject)
    else {
      const { text, name, parameters, most = Number.POSITIVE_INFINITY } = statement
      const { parse, closes } = name === null ? PARSES : names.use(name)
      for (const old of closes) this.#writer.closeStatement(old)
      if (parse) this.#writer.parse(name ?? '', text)
      this.#writer.run(name ?? '', parameters)
      this.#asked.push(new ValueExchange({ name, parses: parse, most }, names, resolve, reject))
      this.#flushSoon()
    }
  }

  /** Runs a statement and returns its rows. Rejects as `ask` does. */
  async askRows({ text, name, parameters, most }: Prepared, names: PreparedNames): Promise<readonly Row[]> {
    const { begin, settings } = (!this.#inTransaction && this.pooled) || NOT_POOLED
    const before = [begin, settings].filter((step) => step !== null)
    const steps = [...before, { text, name, parameters, kind: 'statement' } as const, ...(begin ? [COMMIT] : [])]
    try {
      const answers = await this.askAll(steps, names, most)
      return answers[before.length]?.rows ?? []
    } catch (error) {
      if (begin && this.#inTransaction && !this.#lost) await this.askAll([ROLLBACK], names).catch(() => {})
      throw error instanceof BatchFailed ? ofOneStatement(error) : error
    }
  }

  /** Sends several statements in one write with one Sync behind them. Rejects with BatchFailed, AnswerTooLarge or NeverBegan. */
  askAll(
    steps: readonly Step[],
    names: PreparedNames,
    most = Number.POSITIVE_INFINITY,
  ): Promise<readonly StepAnswer[]> {
    if (this.#lost) return Promise.reject(new NeverBegan(this.#lost))
    return new Promise((resolve, reject) => {
      const batch = new Batch(steps, names, most, resolve, reject)
      batch.write(this.#writer)
      this.#asked.push(batch)
      this.#flushSoon()
    })
  }

  async #askPooled(statement: Prepared, names: PreparedNames): Promise<Buffer> {
    const [row] = await this.askRows(statement, names)
    return row?.[0] ?? NULL
  }

  /** Resolves when no answer is waited for. */
  async whenIdle(): Promise<void> {
    while (this.busy) await new Promise<void>((resolve) => this.#idle.push(resolve))
  }

  /** Whether a row of so many bytes is not worth reading: then no one waits for it any more. */
  refuses(bytes: number): boolean {
    return this.#asked[0]?.refuses(bytes) ?? false
  }

  /** Receives a message from the server, whose kind stands at `start`. Bytes that are lent are copied. */
  receive(bytes: Buffer, start: number, end: number, lent: boolean): void {
    const kind = bytes[start]
    switch (kind) {
      case kinds.dataRow:
        this.#asked[0]?.row(bytes, start, end, lent)
        break
      case kinds.errorResponse:
        this.#error = databaseError(bytes.subarray(start + HEADER, end), this.#asked[0]?.isRunning ?? false)
        break
      case kinds.readyForQuery:
        this.#inTransaction = bytes[start + HEADER] !== IDLE
        this.#settle()
        break
      case kinds.parseComplete:
      case kinds.bindComplete:
      case kinds.closeComplete:
      case kinds.commandComplete:
      case kinds.emptyQuery:
      case kinds.rowDescription:
      case kinds.noData:
      case kinds.portalSuspended:
        this.#asked[0]?.completed(kind, bytes, start, end)
        break
    }
  }

  /** Rejects everything that waits, since the connection has ended. */
  lose(error: Error): void {
    this.#lost = error
    const stated = this.#error
    this.#error = null
    const isFatal = stated !== null && endsConnection(stated)
    const reason = isFatal ? stated : error
    const asked = this.#asked.splice(0)
    // those that stand in the writer still
    const sent = asked.length - this.#unsent
    asked.forEach((each, i) => {
      if (i === 0 && stated && !isFatal) each.settle(stated)
      else each.lose(reason, isFatal, i < sent)
    })
    this.#notifyIdle()
  }

  /**
   * At once when the server has nothing else to do and statements come one by one; else together with whatever comes in
   * this turn of the event loop, since each write costs as much as everything else here.
   */
  #flushSoon(): void {
    this.#unsent += 1
    if ((this.#asked.length === 1 && !this.#inBursts) || this.#writer.size > LARGEST_WAITING) this.flush()
    else if (!this.#flushing) {
      this.#flushing = true
      setImmediate(() => {
        this.#flushing = false
        this.flush()
      })
    }
  }

  /** Writes what waits for it. */
  flush(): void {
    if (this.#unsent === 0) return
    this.#inBursts = this.#unsent > 1
    this.#unsent = 0
    if (!this.#lost) this.#write(this.#writer.take())
  }

  #settle(): void {
    const asked = this.#asked.shift()
    const error = this.#error
    this.#error = null
    if (!asked) return
    asked.settle(error)
    if (this.#asked.length === 0) this.#notifyIdle()
  }

  #notifyIdle(): void {
    for (const notify of this.#idle.splice(0)) notify()
  }
}

/** Returns why a batch of one statement failed. */
function ofOneStatement({ cause, isBegun }: BatchFailed): Error {
  return !isBegun && (isConnectionError(cause) || isLostStatement(cause)) ? new NeverBegan(cause) : cause
}

const NOT_POOLED: PooledSession = { begin: null, settings: null }
const COMMIT = control('COMMIT')
const ROLLBACK = control('ROLLBACK')
const NULL = Buffer.from('null')
const PARSES = { parse: true, closes: [] }
const LARGEST_WAITING = 8192
/** The state in a ReadyForQuery outside of a transaction. */
const IDLE = 0x49
