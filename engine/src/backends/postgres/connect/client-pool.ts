import type pg from 'pg'
import { ApiError, Path } from '../../../errors.ts'
import { errorReport, type Observation } from '../../../observe/index.ts'
import type { ConnectionSettings } from '../../backend.ts'
import { clientConfig } from './client-config.ts'
import { connectionError } from './from-sql-state.ts'
import { PreparedNames } from './prepared-names.ts'
import { sessionScript } from './session-settings.ts'
import { Script, type ScriptResult } from './statements.ts'
import { SourceClient } from './wire.ts'

/** What is known of a connection of the pool for as long as it lives. */
export interface Connection {
  readonly client: SourceClient
  readonly names: PreparedNames
  /** By `performance.now()`. */
  readonly expires: number
  idleSince: number
  /** It was lost, or is to be ended: never used again. */
  over: boolean
}

interface Waiting {
  readonly resolve: (connection: Connection) => void
  readonly reject: (error: Error) => void
  readonly timer: NodeJS.Timeout | null
}

/**
 * The connections of one source that are used by one request at a time. The last one given back is taken first, so that the
 * others can end; those that are lost are replaced when needed.
 */
export class ClientPool {
  readonly #settings: ConnectionSettings
  readonly #config: pg.ClientConfig
  readonly #maximum: number
  readonly #tell: (observation: Observation) => void
  readonly #idle: Connection[] = []
  readonly #waiting: Waiting[] = []
  readonly #ends = new Set<Promise<void>>()
  /** Open, opening or in use. */
  #count = 0
  #sweeping: NodeJS.Timeout | null = null
  #ended: (() => void) | null = null
  #ending = false
  #roundTrip = Number.POSITIVE_INFINITY

  /** Throws an Error when the settings cannot be read. Connects when first used. */
  constructor(settings: ConnectionSettings, maximum: number, tell: (observation: Observation) => void) {
    this.#settings = settings
    this.#config = clientConfig(settings)
    this.#maximum = maximum
    this.#tell = tell
    // what cannot be read is told now and not with the first connection
    new SourceClient(this.#config)
  }

  /** One that is free now. */
  take(): Connection | null {
    if (this.#ending) return null
    for (let connection = this.#idle.pop(); connection; connection = this.#idle.pop()) {
      if (performance.now() < connection.expires) {
        connection.client.keepsProcess(true)
        return connection
      }
      this.#discard(connection)
    }
    return null
  }

  /** Throws ApiError postgres-error (500), or postgres-max-connections-error when none came free in time. */
  async acquire(): Promise<Connection> {
    if (this.#ending) throw connectionError(new Error('the source is closed'))
    const free = this.take()
    if (free) return free
    if (this.#count < this.#maximum) return this.#open()
    return new Promise((resolve, reject) => {
      const { poolTimeout } = this.#settings
      const late = () => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1)
        reject(tooBusy(this.#settings))
      }
      const timer = poolTimeout === null ? null : setTimeout(late, poolTimeout * 1000)
      const waiting = { resolve, reject, timer }
      this.#waiting.push(waiting)
    })
  }

  /** Gives one back; `discard` ends it instead. */
  release(connection: Connection, discard: boolean): void {
    if (discard || connection.over || this.#ending || performance.now() >= connection.expires) {
      this.#discard(connection)
      return
    }
    const waiting = this.#waiting.shift()
    if (waiting) {
      if (waiting.timer) clearTimeout(waiting.timer)
      waiting.resolve(connection)
      return
    }
    connection.client.keepsProcess(false)
    connection.idleSince = performance.now()
    this.#idle.push(connection)
    this.#sweeping ??= setInterval(() => this.#sweep(), SWEEP).unref()
  }

  /** Connections that are open, opening or in use. */
  get size(): number {
    return this.#count
  }

  /** The milliseconds that a statement takes which does nothing: the shortest time seen. */
  get roundTrip(): number {
    return this.#roundTrip
  }

  /** A statement took so long. */
  took(milliseconds: number): void {
    this.#roundTrip = Math.min(this.#roundTrip, milliseconds)
  }

  /** A connection beside the pool: a pipelined one, or one for what may leave it in any state. The caller ends it. */
  async connectApart(): Promise<SourceClient> {
    const client = new SourceClient(this.#config)
    try {
      await client.connect()
      await runScript(client, sessionScript(this.#settings))
      return client
    } catch (error) {
      await client.end().catch(() => {})
      throw connectionError(error)
    }
  }

  /** Resolves when every connection has been given back and ended. */
  async end(): Promise<void> {
    this.#ending = true
    if (this.#sweeping) clearInterval(this.#sweeping)
    for (const connection of this.#idle.splice(0)) this.#discard(connection)
    if (this.#count > 0)
      await new Promise<void>((resolve) => {
        this.#ended = resolve
      })
    await Promise.all(this.#ends)
  }

  async #open(): Promise<Connection> {
    this.#count += 1
    const client = new SourceClient(this.#config)
    try {
      const lifetime = this.#settings.connectionLifetime
      const expires = lifetime === 0 ? Number.POSITIVE_INFINITY : performance.now() + lifetime * 1000
      const connection = { client, names: new PreparedNames(), expires, idleSince: 0, over: false }
      client.on('error', (error) => this.#lost(connection, error))
      client.on('end', () => this.#lost(connection, new Error('the database closed the connection')))
      await client.connect()
      const started = performance.now()
      await runScript(client, sessionScript(this.#settings))
      this.took(performance.now() - started)
      return connection
    } catch (error) {
      await client.end().catch(() => {})
      this.#left()
      throw connectionError(error)
    }
  }

  #lost(connection: Connection, error: Error): void {
    if (connection.over) return
    connection.over = true
    const at = this.#idle.indexOf(connection)
    // whoever uses it finds out
    if (at < 0) return
    this.#idle.splice(at, 1)
    this.#tell({ kind: 'source-lost', source: this.#settings.source, error: errorReport(error) })
    this.#discard(connection)
  }

  #discard(connection: Connection): void {
    connection.over = true
    const ended = connection.client.end().catch(() => {})
    this.#ends.add(ended)
    void ended.finally(() => this.#ends.delete(ended))
    this.#left()
  }

  /** A place is free: for one who waits, or nobody uses any when all are to end. */
  #left(): void {
    this.#count -= 1
    const waiting = this.#waiting.shift()
    if (waiting) {
      if (waiting.timer) clearTimeout(waiting.timer)
      this.#open().then(waiting.resolve, waiting.reject)
    } else if (this.#count === 0) this.#ended?.()
  }

  #sweep(): void {
    const now = performance.now()
    const longest = this.#settings.idleTimeout * 1000
    const kept = ({ idleSince, expires }: Connection) => now - idleSince < longest && now < expires
    for (const connection of this.#idle.filter((each) => !kept(each))) {
      this.#idle.splice(this.#idle.indexOf(connection), 1)
      this.#discard(connection)
    }
    if (this.#idle.length > 0 || !this.#sweeping) return
    clearInterval(this.#sweeping)
    this.#sweeping = null
  }
}

/** Milliseconds between looks for connections that were idle for too long. */
const SWEEP = 1000

export function runScript(client: SourceClient, script: string): Promise<ScriptResult> {
  return new Promise((resolve, reject) => client.run(new Script(script, { resolve, reject })))
}

const tooBusy = ({ maxConnections, poolTimeout }: ConnectionSettings) =>
  new ApiError('postgres-max-connections-error', Path.root, 'max connections reached on postgres', {
    internal: `all ${maxConnections} connections of the pool are in use for longer than ${poolTimeout} s`,
  })
