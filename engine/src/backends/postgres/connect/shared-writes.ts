import { untilAborted } from '../../../within.ts'
import type { BoundStatement } from '../../backend.ts'
import type { Connection } from './client-pool.ts'

/** A connection of the pool that several transactions are under way on, one behind another. */
interface Lane {
  /** Rejects with the error of the pool. */
  readonly connection: Promise<Connection>
  /** The connection once it is there. */
  opened: Connection | null
  load: number
  /** When the last of its transactions ended, by `performance.now()`. */
  answered: number
  /** Aborted once none of its transactions waits for the connection any more. */
  readonly unwanted: AbortController
}

export interface SharedWritesOptions {
  /** Returns a connection that was in use a moment ago, or null: `acquire` waits for one. */
  readonly takeFresh: () => Connection | null
  readonly acquire: (signal: AbortSignal) => Promise<Connection>
  readonly release: (connection: Connection) => void
  /** Whether a request waits for a connection, so that no transaction is added to those in use. */
  readonly isWanted: () => boolean
}

/**
 * Small transactions, each one write to the server, follow each other on few connections without waiting for answers:
 * so one write and one read of the system carry several, and fewer backends are busy at once. A connection is taken
 * from the pool with the first of them and returned with the last.
 */
export class SharedWrites {
  readonly #options: SharedWritesOptions
  /** No Set, as in pipelined-lane.ts. */
  readonly #lanes: Lane[] = []

  constructor(options: SharedWritesOptions) {
    this.#options = options
  }

  /**
   * Runs a transaction on a shared connection; null where none may be added now. `took` is called with the milliseconds
   * for which it used the connection, and the number of shared connections. Rejects with the reason of `signal` where
   * it aborts before anything is sent; later only `send` says how it ended.
   */
  run<Result>(
    send: (connection: Connection) => Promise<Result>,
    took: (milliseconds: number, lanes: number) => void,
    signal?: AbortSignal,
  ): Promise<Result> | null {
    if (this.#options.isWanted()) return null
    const lane = this.#lane()
    return lane && this.#runOn(lane, send, took, signal)
  }

  #lane(): Lane | null {
    const now = performance.now()
    let least: Lane | null = null
    for (const lane of this.#lanes) {
      const { opened } = lane
      if (opened && (opened.over || opened.client.lost || now > opened.expires)) continue
      if (lane.load < ENOUGH) return lane
      if (least === null || lane.load < least.load) least = lane
    }
    if (this.#lanes.length < MOST_LANES) return this.#open()
    return least && least.load < MOST_WAITING ? least : null
  }

  #open(): Lane {
    const opened = this.#options.takeFresh()
    const unwanted = new AbortController()
    const connection = opened ? Promise.resolve(opened) : this.#options.acquire(unwanted.signal)
    const lane: Lane = { connection, opened, load: 0, answered: 0, unwanted }
    this.#lanes.push(lane)
    return lane
  }

  async #runOn<Result>(
    lane: Lane,
    send: (connection: Connection) => Promise<Result>,
    took: (milliseconds: number, lanes: number) => void,
    signal: AbortSignal | undefined,
  ): Promise<Result> {
    lane.load += 1
    try {
      lane.opened ??= await (signal ? untilAborted(signal, lane.connection) : lane.connection)
      signal?.throwIfAborted()
      const sent = performance.now()
      const result = await send(lane.opened)
      const now = performance.now()
      took(now - Math.max(sent, lane.answered), this.#lanes.length)
      lane.answered = now
      return result
    } finally {
      lane.load -= 1
      if (lane.load === 0) {
        this.#lanes.splice(this.#lanes.indexOf(lane), 1)
        this.#release(lane)
      }
    }
  }

  #release({ opened, connection, unwanted }: Lane): void {
    if (opened) {
      this.#options.release(opened)
      return
    }
    unwanted.abort()
    connection.then(this.#options.release, () => {})
  }
}

/** Whether other transactions may wait behind it: it runs nothing of a user's, and what is sent for it is short. */
export function isSmall(statements: readonly BoundStatement[]): boolean {
  let length = 0
  for (const { plan, parameters } of statements) {
    if (plan.effects !== 'rows') return false
    for (const text of parameters) length += text?.length ?? 0
  }
  return length <= SHORT
}

/** Transactions that one connection carries before another is used. */
const ENOUGH = 4
const MOST_LANES = 4
const MOST_WAITING = 32
/** Characters of all parameters of a small transaction, at most. */
const SHORT = 8192
