import type pg from 'pg'
import { ApiError, Path } from '../../../errors.ts'
import { errorReport, type Observation } from '../../../observe/index.ts'
import type { ConnectionCounts, ConnectionSettings } from '../../backend.ts'
import { clientConfig } from './client-config.ts'
import { connectionError, isTooMany, isUnavailable } from './from-sql-state.ts'
import { endClient, type OpenClient, openClient } from './open-client.ts'
import { PreparedNames } from './prepared-names.ts'
import { type Limited, restoreWaits } from './short-waits.ts'
import { WaitingQueue } from './waiting-queue.ts'
import { SourceClient } from './wire.ts'

/** What is known of a connection of the pool for as long as it lives. */
export interface Connection extends Limited {
  /** When it is to be ended, by `performance.now()`. */
  readonly expires: number
  idleSince: number
}

/**
 * The connections of one source that are used by one request at a time. The last one returned is used first, so that
 * the rest can end; those that are lost are replaced when needed. A place is in use until the database has closed the
 * connection.
 */
export class ClientPool {
  readonly #settings: ConnectionSettings
  readonly #config: pg.ClientConfig
  readonly #maximum: number
  readonly #report: (observation: Observation) => void
  readonly #idle: Connection[] = []
  readonly #waiting = new WaitingQueue<Connection>()
  /** How many are opening, idle, in use or ending. */
  #count = 0
  #opening = 0
  #ending = 0
  /** When the database was first found away since it was last reached; null where it never was. */
  #awaySince: number | null = Number.NEGATIVE_INFINITY
  #sweeping: NodeJS.Timeout | null = null
  #hesitating: NodeJS.Timeout | null = null
  #closed: (() => void) | null = null
  #closing = false
  #roundTrip = Number.POSITIVE_INFINITY
  /** How many times as long as at their fastest statements took lately. */
  #times = 1

  /** Throws an Error when the settings cannot be read. Connects when first used. */
  constructor(settings: ConnectionSettings, maximum: number, report: (observation: Observation) => void) {
    this.#settings = settings
    this.#config = clientConfig(settings)
    this.#maximum = maximum
    this.#report = report
    // what cannot be read is reported now and not with the first connection
    new SourceClient(this.#config)
  }

  /**
   * Returns a connection that is free now, or null. `isShared`: it is for transactions that share it; else it has the
   * session's own limits of time. `since`: it was in use then or later.
   */
  take(isShared = false, since = Number.NEGATIVE_INFINITY): Connection | null {
    if (this.#closing) return null
    for (;;) {
      const connection = this.#idle.at(-1)
      if (!connection || connection.idleSince < since) return null
      this.#idle.pop()
      if (performance.now() < connection.expires) {
        connection.client.keepsProcess(true)
        if (!isShared) restoreWaits(connection)
        return connection
      }
      void this.discard(connection)
    }
  }

  /**
   * Waits for a free connection. Throws ApiError postgres-error (500), postgres-max-connections-error when none came
   * free in time, or the reason of `signal`.
   */
  async acquire(signal?: AbortSignal, isShared = false): Promise<Connection> {
    if (this.#closing) throw connectionError(new Error('the source is closed'))
    const idle = this.take(isShared)
    if (idle) return idle
    const waiting = this.#waiting.wait({
      seconds: this.#settings.poolTimeout,
      late: () => tooBusy(this.#settings),
      signal,
    })
    this.#grow()
    return waiting
  }

  /** Returns a connection to the pool. */
  release(connection: Connection): void {
    const isOver = connection.over || performance.now() >= connection.expires
    if (isOver || (this.#closing && this.#waiting.length === 0)) {
      void this.discard(connection)
      return
    }
    const waiting = this.#waiting.first
    if (waiting) {
      restoreWaits(connection)
      waiting.take(connection)
      return
    }
    connection.client.keepsProcess(false)
    connection.idleSince = performance.now()
    this.#idle.push(connection)
    this.#sweeping ??= setInterval(() => this.#sweep(), SWEEP).unref()
  }

  /** Ends a connection that must not be used again, and frees its place. Resolves when it has ended. */
  async discard(connection: Connection): Promise<void> {
    connection.over = true
    this.#ending += 1
    await endClient(connection.client)
    this.#ending -= 1
    this.#count -= 1
    this.#left()
  }

  get counts(): ConnectionCounts {
    return { open: this.#count, idle: this.#idle.length, waiting: this.#waiting.length }
  }

  /** Whether no more connections may be opened. */
  get isFull(): boolean {
    return this.#count >= this.#maximum
  }

  /** How many connections are open, opening or in use. */
  get size(): number {
    return this.#count
  }

  /** The milliseconds that a statement takes which does nothing: the shortest time seen. */
  get roundTrip(): number {
    return this.#roundTrip
  }

  /** Records the milliseconds that a statement took. */
  took(milliseconds: number): void {
    this.#roundTrip = Math.min(this.#roundTrip, milliseconds)
    this.#awaySince = null
  }

  /** Records how many times as long as at its fastest a statement took. */
  tookTimes(times: number): void {
    this.#times += (times - this.#times) / 16
  }

  /** Opens a connection that has no place in the pool. The caller ends it. */
  openSeparately(): Promise<OpenClient> {
    return openClient(this.#settings, this.#config)
  }

  /** Ends the connections that are idle. */
  rest(): void {
    for (const connection of this.#idle.splice(0)) void this.discard(connection)
  }

  /** Resolves when every connection has been returned and ended. */
  async end(): Promise<void> {
    this.#closing = true
    if (this.#sweeping) clearInterval(this.#sweeping)
    this.rest()
    if (this.#count > 0)
      await new Promise<void>((resolve) => {
        this.#closed = resolve
      })
  }

  /**
   * Opens connections for the waiting requests, as far as there are places; beyond a few one after the other, and not
   * at once.
   */
  #grow(): void {
    while (this.#opening < this.#waiting.length && this.#count < Math.min(this.#maximum, FEW)) void this.#open()
    const longest = this.#waiting.first
    if (!longest || this.#opening > 0 || this.#count >= this.#maximum) return
    const hesitation = this.#times < CROWDED ? HESITATION : LONG_HESITATION
    if (performance.now() - longest.since >= hesitation) void this.#open()
    else
      this.#hesitating ??= setTimeout(() => {
        this.#hesitating = null
        this.#grow()
      }, HESITATION)
  }

  /** Never rejects: a caller that waits gets the error. */
  async #open(): Promise<void> {
    this.#count += 1
    this.#opening += 1
    try {
      const connection = await this.#connect()
      this.#opening -= 1
      const waiting = this.#waiting.first
      // whatever its age: a waiting request would wait for ever for one that is younger
      if (waiting) waiting.take(connection)
      else this.release(connection)
      this.#grow()
    } catch (error) {
      this.#opening -= 1
      this.#count -= 1
      const inUse = this.#count - this.#opening - this.#ending - this.#idle.length
      // the database or a pooler takes no more than there are: those come free
      if (isTooMany(error) && inUse > 0) return
      const waiting = this.#waiting.first
      waiting?.fail(connectionError(error))
      this.#left()
    }
  }

  /** A database that restarts is unavailable for a moment: while a caller waits it is tried again, for a while since it was last there. */
  async #connect(): Promise<Connection> {
    for (;;) {
      try {
        const { client, roundTrip } = await openClient(this.#settings, this.#config)
        this.took(roundTrip)
        return this.#connectionOf(client)
      } catch (error) {
        this.#awaySince ??= performance.now()
        const mayRetry =
          performance.now() - this.#awaySince < (this.#settings.retryFor ?? RETRY_FOR) && isUnavailable(error)
        if (!mayRetry || this.#waiting.length === 0) throw error
      }
      await new Promise((resolve) => setTimeout(resolve, PAUSE))
    }
  }

  #connectionOf(client: SourceClient): Connection {
    const lifetime = this.#settings.connectionLifetime
    const expires = lifetime === 0 ? Number.POSITIVE_INFINITY : performance.now() + lifetime * 1000
    const connection: Connection = {
      client,
      names: new PreparedNames(),
      expires,
      idleSince: 0,
      hasShortWaits: false,
      over: client.lost,
    }
    client.on('error', (error) => this.#lost(connection, error))
    client.on('end', () => this.#lost(connection, new Error('the database closed the connection')))
    return connection
  }

  #lost(connection: Connection, error: Error): void {
    if (connection.over) return
    connection.over = true
    const at = this.#idle.indexOf(connection)
    // the next request on it gets the error
    if (at < 0) return
    this.#idle.splice(at, 1)
    this.#report({ kind: 'source-lost', source: this.#settings.source, error: errorReport(error) })
    void this.discard(connection)
  }

  /** A place is free: for waiting requests, or none is in use when all are to end. */
  #left(): void {
    this.#grow()
    if (this.#count === 0) this.#closed?.()
  }

  #sweep(): void {
    const now = performance.now()
    const longest = this.#settings.idleTimeout * 1000
    const kept = ({ idleSince, expires }: Connection) => now - idleSince < longest && now < expires
    for (const connection of this.#idle.filter((each) => !kept(each))) {
      this.#idle.splice(this.#idle.indexOf(connection), 1)
      void this.discard(connection)
    }
    if (this.#idle.length > 0 || !this.#sweeping) return
    clearInterval(this.#sweeping)
    this.#sweeping = null
  }
}

/** Milliseconds between two checks for connections that were idle for too long. */
const SWEEP = 1000
/** The number of connections that are opened as soon as a request waits. */
const FEW = 10
/** Milliseconds that a request waits for another connection, which costs the database as much as ten small statements. */
const HESITATION = 5
/** The same where statements already wait for each other in the database: another connection would slow down each. */
const LONG_HESITATION = 100
/** Statements that take so many times as long as at their fastest wait for each other. */
const CROWDED = 3
/** Milliseconds for which requests wait for a database that was there. */
const RETRY_FOR = 5000
const PAUSE = 100

const tooBusy = ({ maxConnections, poolTimeout }: ConnectionSettings) =>
  new ApiError('postgres-max-connections-error', Path.root, 'max connections reached on postgres', {
    internal: `all ${maxConnections} connections of the pool are in use for longer than ${poolTimeout} s`,
  })
