import type { EventEmitter } from 'node:events'
import type { ConnectionCounts } from '../../backend.ts'
import { bindParameters, type SentStatement } from './bind-parameters.ts'
import { commitError, connectionError, isConnectionError } from './database-error.ts'
import { guardAnswers, lendWithLimits, limitAnswers } from './guard-answers.ts'
import type { Client, Pool } from './load-client.ts'
import { type ResultSet, runRequest } from './run-request.ts'
import type { IsolationLevel, SourceSettings } from './source-settings.ts'
import { StatementShares } from './statement-shares.ts'
import { HeldTransaction } from './transaction.ts'

/** The connections of one source. */
export class SourcePool {
  readonly #client: Client
  readonly #settings: SourceSettings
  readonly #pool: Pool
  readonly #shares: StatementShares

  private constructor(client: Client, settings: SourceSettings, pool: Pool) {
    this.#client = client
    this.#settings = settings
    this.#pool = pool
    lendWithLimits(pool)
    // a caller that requested a connection gets its error
    pool.on('error', () => {})
    // a statement that waits for a lock leaves connections to other statements
    this.#shares = new StatementShares(Math.max(1, Math.ceil(settings.maxConnections / 2)))
  }

  /** Opens the pool and makes its first connection. Rejects with the client's error. */
  static async open(client: Client, settings: SourceSettings): Promise<SourcePool> {
    // of several messages the client reports the last: that a login failed, and not that its database is unknown
    let said: readonly string[] | null = []
    const beforeConnect = (connection: Pick<EventEmitter, 'on'>) => {
      guardAnswers(connection)
      if (said)
        connection.on('errorMessage', ({ message }: { readonly message: string }) => (said &&= [...said, message]))
    }
    const pool = new client.ConnectionPool({ ...clientConfig(client, settings), beforeConnect })
    const own = new SourcePool(client, settings, pool)
    try {
      await pool.connect()
    } catch (cause) {
      const message = said.join(' ')
      throw message === '' ? cause : Object.assign(new Error(message, { cause }), { code: 'ELOGIN' })
    } finally {
      said = null
    }
    return own
  }

  get counts(): ConnectionCounts {
    return { open: this.#pool.size, idle: this.#pool.available, waiting: this.#pool.pending }
  }

  /** Runs a statement in a transaction of its own. Rejects with AnswerTooLarge for an answer of more than `most` bytes. */
  async run(statement: SentStatement, signal?: AbortSignal, most?: number): Promise<readonly ResultSet[]> {
    return this.#shares.run(
      statement.text,
      async () => {
        const request = this.#pool.request()
        const text = bindParameters(this.#client, this.#pool, request, statement)
        const exceeded = most === undefined ? null : limitAnswers(request, most)
        try {
          return await runRequest(request, (sent) => sent.query(text), signal)
        } catch (error) {
          throw exceeded?.() ?? error
        }
      },
      signal,
    )
  }

  /** Runs a plain batch without parameters, several statements, in no transaction. */
  batch(text: string): Promise<readonly ResultSet[]> {
    return runRequest(this.#pool.request(), (sent) => sent.batch(text))
  }

  /** The same for one that changes nothing: it is sent once more where its connection was lost. */
  async read(statement: SentStatement, signal?: AbortSignal, most?: number): Promise<readonly ResultSet[]> {
    try {
      return await this.run(statement, signal, most)
    } catch (error) {
      if (!isConnectionError(error) || signal?.aborted) throw error
      return this.run(statement, signal, most)
    }
  }

  /**
   * Runs `work` in a transaction, which is committed once it resolves, and rolled back where it rejects. Rejects with
   * the same; with an ApiError where it cannot be begun or committed, with AnswerTooLarge for answers of more than
   * `most` bytes together.
   */
  async transaction<Result>(
    work: (transaction: HeldTransaction) => Promise<Result>,
    isolation: IsolationLevel = this.#settings.isolationLevel,
    most?: number,
  ): Promise<Result> {
    const level = levelOf(this.#client, isolation)
    const transaction = await HeldTransaction.begin(this.#client, this.#pool, level, most).catch((error: unknown) => {
      throw connectionError(error)
    })
    let result: Result
    try {
      result = await work(transaction)
    } catch (error) {
      await transaction.rollback()
      throw transaction.exceeded?.() ?? error
    }
    await transaction.commit().catch((error: unknown) => {
      throw commitError(error)
    })
    return result
  }

  /** A pool of one connection, for what may leave a connection in any state; it is closed afterwards. */
  async withConnection<Result>(work: (pool: SourcePool) => Promise<Result>): Promise<Result> {
    const pool = await SourcePool.open(this.#client, { ...this.#settings, maxConnections: 1 })
    try {
      return await work(pool)
    } finally {
      await pool.close()
    }
  }

  async close(): Promise<void> {
    await this.#pool.close()
  }
}

function clientConfig(
  client: Client,
  settings: SourceSettings,
): Exclude<ConstructorParameters<Client['ConnectionPool']>[0], string> {
  const { server, port, instance, database, user, password, certificateName } = settings
  return {
    server,
    user,
    password,
    ...(port !== null && { port }),
    ...(database !== null && { database }),
    connectionTimeout: settings.connectTimeout * 1000,
    // how long a statement may take is not the client's to say
    requestTimeout: 0,
    // checking with the server before each statement would double the statements
    validateConnection: 'socket',
    options: {
      encrypt: settings.encrypt as boolean,
      trustServerCertificate: settings.trustServerCertificate,
      multiSubnetFailover: settings.multiSubnetFailover,
      readOnlyIntent: settings.readOnly,
      appName: settings.application ?? 'svc',
      connectionIsolationLevel: levelOf(client, settings.isolationLevel),
      enableArithAbort: true,
      ...(instance !== null && { instanceName: instance }),
      ...(certificateName !== null && { serverName: certificateName }),
    },
    pool: {
      max: settings.maxConnections,
      min: 0,
      idleTimeoutMillis: Math.max(1, settings.idleTimeout * 1000),
      ...(settings.idleTimeout === 0 && { reapIntervalMillis: 100 }),
      acquireTimeoutMillis: settings.poolTimeout * 1000,
      createTimeoutMillis: (settings.connectTimeout + 1) * 1000,
    },
  }
}

function levelOf({ ISOLATION_LEVEL: levels }: Client, level: IsolationLevel) {
  switch (level) {
    case 'read-uncommitted':
      return levels.READ_UNCOMMITTED
    case 'read-committed':
      return levels.READ_COMMITTED
    case 'repeatable-read':
      return levels.REPEATABLE_READ
    case 'snapshot':
      return levels.SNAPSHOT
    case 'serializable':
      return levels.SERIALIZABLE
  }
}
