import pg from 'pg'
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
}

/** A connection that is ours alone for a while. */
export interface Exclusive {
  readonly connection: Connection
  /** Gives it back; `discard` ends it instead. */
  release(discard: boolean): void
}

/** The connections of one source that are used by one request at a time. Those that are lost are replaced when needed. */
export class ClientPool {
  readonly #pool: pg.Pool
  readonly #settings: ConnectionSettings
  readonly #connections = new WeakMap<pg.ClientBase, Connection>()
  readonly #connecting = new Set<Promise<pg.PoolClient>>()
  #ending = false
  #roundTrip = Number.POSITIVE_INFINITY

  /** Throws an Error when the settings cannot be read. Connects when first used. */
  constructor(settings: ConnectionSettings, maximum: number, tell: (observation: Observation) => void) {
    this.#settings = settings
    this.#pool = new pg.Pool({
      ...clientConfig(settings),
      // the time to wait for a free connection; that to make one is the client's own
      connectionTimeoutMillis: settings.poolTimeout === null ? undefined : settings.poolTimeout * 1000,
      Client: SourceClient,
      max: maximum,
      idleTimeoutMillis: settings.idleTimeout * 1000,
      maxLifetimeSeconds: settings.connectionLifetime,
      allowExitOnIdle: true,
      onConnect: (client) => this.#prepare(client),
    } as pg.PoolConfig)
    // an idle connection was lost; the pool has let go of it
    this.#pool.on('error', (error) => tell({ kind: 'source-lost', source: settings.source, error: errorReport(error) }))
  }

  /** Throws ApiError postgres-error (500), or postgres-max-connections-error when none came free in time. */
  async acquire(): Promise<Exclusive> {
    if (this.#ending) throw connectionError(new Error('the source is closed'))
    const connecting = this.#pool.connect()
    this.#connecting.add(connecting)
    const client = await connecting
      .catch((error: unknown) => {
        throw isWaitOver(error) ? tooBusy(this.#settings) : connectionError(error)
      })
      .finally(() => this.#connecting.delete(connecting))
    const connection = this.#connections.get(client)
    if (!connection) throw new TypeError('a connection that was never prepared')
    return { connection, release: (discard) => client.release(discard) }
  }

  get idleCount(): number {
    return this.#pool.idleCount
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
    const client = new SourceClient(clientConfig(this.#settings))
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
    // the pool forgets those who wait for a connection when it ends
    while (this.#connecting.size > 0) await Promise.allSettled(this.#connecting)
    await this.#pool.end()
  }

  async #prepare(client: pg.ClientBase): Promise<void> {
    const connection = { client: client as SourceClient, names: new PreparedNames() }
    this.#connections.set(client, connection)
    const started = performance.now()
    await runScript(connection.client, sessionScript(this.#settings))
    this.took(performance.now() - started)
  }
}

export function runScript(client: SourceClient, script: string): Promise<ScriptResult> {
  return new Promise((resolve, reject) => client.run(new Script(script, { resolve, reject })))
}

const isWaitOver = (error: unknown) =>
  error instanceof Error && error.message === 'timeout exceeded when trying to connect'

const tooBusy = ({ maxConnections, poolTimeout }: ConnectionSettings) =>
  new ApiError('postgres-max-connections-error', Path.root, 'max connections reached on postgres', {
    internal: `all ${maxConnections} connections of the pool are in use for longer than ${poolTimeout} s`,
  })
