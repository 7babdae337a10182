import type { Observation } from '../../../observe/index.ts'
import { currentTrace } from '../../../tracing/index.ts'
import type { ConnectionSettings, Effects } from '../../backend.ts'
import { ClientPool, type Connection } from './client-pool.ts'
import { connectionError, isConnectionError, isLostStatement } from './from-sql-state.ts'
import type { SourceClient } from './wire.ts'

/** The pool of one source as its statements use it: acquired, returned, and acquired again where one was lost. */
export class SourceConnections {
  readonly pool: ClientPool
  /** Connections in addition to the pool that reads share. */
  readonly shared: number
  readonly #settings: ConnectionSettings
  readonly #report: (observation: Observation) => void
  #named: boolean

  constructor(settings: ConnectionSettings, report: (observation: Observation) => void) {
    this.#settings = settings
    this.#report = report
    this.shared = lanesOf(settings)
    this.pool = new ClientPool(settings, settings.maxConnections - this.shared, report)
    this.#named = settings.usePreparedStatements && !settings.namesTraces
  }

  /** Whether statements remain prepared. */
  get named(): boolean {
    return this.#named
  }

  /**
   * Returns a connection for statements of these effects. What may have effects must not be sent in vain, so that the
   * end of a connection that was idle is noticed before.
   */
  async acquireFor(effects: Effects, signal: AbortSignal | undefined, isShared = false): Promise<Connection> {
    for (;;) {
      signal?.throwIfAborted()
      const idle = this.pool.take(isShared)
      if (!idle) return this.pool.acquire(signal, isShared)
      if (effects === 'none') return idle
      // what the system knows of its end is read in this turn of the event loop
      await new Promise((resolve) => setImmediate(resolve))
      if (!idle.over && !idle.client.lost && !signal?.aborted) return idle
      this.release(idle, idle.over || idle.client.lost)
    }
  }

  /** Returns a connection that was in use a moment ago, so that the server can hardly have ended it, or null. */
  takeFresh(isShared: boolean): Connection | null {
    return this.pool.take(isShared, performance.now() - FRESH)
  }

  /** Returns what each statement ends with: its trace, where the source names them. */
  comment(): string {
    return this.#settings.namesTraces ? traceComment() : ''
  }

  /** Does something without side effects with a connection of the pool, again where that was lost. */
  repeatably<Result>(use: (connection: Connection) => Promise<Result>): Promise<Result> {
    return this.resending(() => this.exclusively(use))
  }

  /** Returns a connection that answers, and the result of `begin`: what a script did cannot be repeated. */
  async acquireAlive<Begun>(begin: (client: SourceClient) => Promise<Begun>): Promise<readonly [Connection, Begun]> {
    try {
      return await this.resending(async () => {
        const connection = await this.pool.acquire()
        try {
          return [connection, await begin(connection.client)] as const
        } catch (error) {
          void this.pool.discard(connection)
          throw error
        }
      })
    } catch (error) {
      throw connectionError(error)
    }
  }

  /** Does something without side effects again when its connection or its prepared statement was lost. */
  async resending<Result>(run: () => Promise<Result>): Promise<Result> {
    for (let retries = this.retries(); ; retries--) {
      try {
        return await run()
      } catch (error) {
        if (!isLost(error) || retries === 0) throw error
      }
    }
  }

  /** Returns how often to send a statement again: after a restart of the database each connection may fail once. */
  retries(): number {
    return Math.max(1, this.#settings.retries) + this.shared + this.pool.size
  }

  /** Runs with a connection of the pool, which is returned unless it is at fault. */
  async exclusively<Result>(use: (connection: Connection) => Promise<Result>): Promise<Result> {
    const connection = await this.pool.acquire()
    let discard = true
    try {
      const result = await use(connection)
      discard = connection.client.getTransactionStatus() !== 'I'
      return result
    } catch (error) {
      discard = isConnectionError(error) || connection.client.getTransactionStatus() !== 'I'
      throw error
    } finally {
      this.release(connection, discard)
    }
  }

  /** Returns a connection to the pool, or ends it where `discard`. */
  release(connection: Connection, discard: boolean = isSpoilt(connection)): void {
    if (connection.names.lostElsewhere) this.goUnnamed()
    if (discard) void this.pool.discard(connection)
    else this.pool.release(connection)
  }

  /** From now on no statement remains prepared. */
  goUnnamed(): void {
    if (!this.#named) return
    this.#named = false
    this.#report({ kind: 'prepared-statements-off', source: this.#settings.source })
  }
}

/** Returns how many of the connections of a source are lanes. */
function lanesOf({ isolationLevel, maxConnections }: ConnectionSettings): number {
  if (isolationLevel !== 'read-committed' || maxConnections < 2) return 0
  return maxConnections < ENOUGH_FOR_MORE ? 1 : 3
}

const ENOUGH_FOR_MORE = 10

/** Milliseconds since a connection was in use for which the server can hardly have ended it. */
const FRESH = 2

/** Whether nothing else may run on a connection. */
const isSpoilt = ({ client }: Connection): boolean => client.lost || client.values.inTransaction

/** Whether the connection, or what was prepared on it, was lost. */
export const isLost = (error: unknown): boolean => isLostStatement(error) || isConnectionError(error)

/** Returns the comment that names the current trace; empty outside of one. Ids are hexadecimal digits. */
function traceComment(): string {
  const trace = currentTrace()
  return trace ? ` /* svc_trace_id=${trace.traceId} */` : ''
}
