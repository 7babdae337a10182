import { type Path, Path as RequestPath } from '../../../errors.ts'
import type { DatabaseType, QualifiedName } from '../../../ir/index.ts'
import type { Observation } from '../../../observe/index.ts'
import type {
  BoundStatement,
  ConnectionCounts,
  ConnectionSettings,
  DatabaseFunction,
  DatabaseTable,
  EnumValues,
  Inspect,
  Introspection,
  QueryDefinition,
  QueryVerdict,
  Replication,
  RunSqlResult,
  SourceConnection,
  SqlScript,
  Statement,
  Trackables,
  WriteOptions,
  WriteProgram,
} from '../../backend.ts'
import type { EventStore } from '../../event-store.ts'
import { PostgresEvents, textRows } from '../events/postgres-events.ts'
import { watchEvents } from '../events/watch-events.ts'
import type { Ask } from '../introspect/ask.ts'
import { introspect } from '../introspect/introspect.ts'
import { readEnum } from '../introspect/read-enum.ts'
import { readFunctions } from '../introspect/read-functions.ts'
import { readTrackables } from '../introspect/read-trackables.ts'
import { readTypes } from '../introspect/read-types.ts'
import { FoundTables } from '../write/found-tables.ts'
import { runPrograms } from '../write/run-programs.ts'
import type { Row } from './batch.ts'
import { checkQueries } from './check-queries.ts'
import type { Connection } from './client-pool.ts'
import { encodeLong } from './encode-long.ts'
import { fromSqlState, isConnectionError, type SentStatement, scriptError } from './from-sql-state.ts'
import { neverBegan } from './never-began.ts'
import { askRows } from './open-client.ts'
import { Probe } from './probe.ts'
import { queryOver } from './query-over.ts'
import { resetSession } from './reset-session.ts'
import { beginScript, runSql } from './run-script.ts'
import { Interrupted, runRows } from './run-value.ts'
import { isLost, SourceConnections } from './source-connections.ts'
import { SourceTransactions } from './source-transactions.ts'
import { statementName } from './statement-name.ts'
import type { Transaction, TransactionOptions } from './transaction-options.ts'
import { ValueReads } from './value-reads.ts'
import type { SourceClient } from './wire.ts'

/** Reads the server's clock as a text whose order is that of the times. */
const askTime: Statement = {
  text: `SELECT pg_catalog.to_char(pg_catalog.clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS.US+00')`,
  slots: [],
  effects: 'none',
}

/** One PostgreSQL database: its connections and what is sent over them. */
export class PostgresSource implements SourceConnection {
  readonly #settings: ConnectionSettings
  readonly #connections: SourceConnections
  readonly #reads: ValueReads
  readonly #transactions: SourceTransactions
  readonly #found = new FoundTables({
    now: async () => String((await this.queryRows(askTime, []))[0]?.[0]),
    read: async (tables) => [...(await this.introspect(null, tables)).tables.values()],
  })
  readonly #probe: Probe
  readonly events: EventStore
  #closed: Promise<void> | null = null

  constructor(settings: ConnectionSettings, report: (observation: Observation) => void) {
    this.#settings = settings
    this.#connections = new SourceConnections(settings, report)
    this.#reads = new ValueReads(settings, this.#connections)
    this.#transactions = new SourceTransactions(settings, this.#connections)
    this.#probe = new Probe(() => this.#connections.pool.openSeparately())
    this.events = new PostgresEvents({
      run: async (statement, slots) => textRows(await this.queryRows(statement, slots)),
      runWithin: async (timeout, statement, slots) => {
        const settings = [['statement_timeout', `${timeout}s`]] as const
        return textRows(await this.transaction((inside) => inside.queryRows(statement, slots), { settings }))
      },
      watch: (wake) => watchEvents(() => this.#connections.pool.openSeparately(), wake),
    })
  }

  connections(): ConnectionCounts {
    const { open, idle, waiting } = this.#connections.pool.counts
    return { open: open + this.#connections.shared, idle, waiting }
  }

  async replication(signal: AbortSignal, understands?: string): Promise<Replication> {
    try {
      return await this.#probe.replication(signal, understands)
    } catch (error) {
      signal.throwIfAborted()
      throw fromSqlState(error, RequestPath.root, { text: understands ?? '', parameters: [], prepared: false })
    }
  }

  async check(script: string, limit: number, signal: AbortSignal): Promise<void> {
    try {
      await this.#probe.check(script, limit, signal)
    } catch (error) {
      signal.throwIfAborted()
      throw scriptError(error, RequestPath.root, script)
    }
  }

  /** Checks that the database can be reached. Throws what `acquire` does. */
  async ping(): Promise<void> {
    await this.#connections.exclusively(async () => {})
  }

  introspect(previous: Introspection | null, only?: readonly QualifiedName[]): Promise<Introspection> {
    return this.#catalogue((ask) => introspect(ask, previous, only))
  }

  readEnum(table: DatabaseTable): Promise<EnumValues> {
    return this.#catalogue((ask) => readEnum(ask, table))
  }

  readFunctions(names: readonly QualifiedName[]): Promise<readonly (readonly DatabaseFunction[])[]> {
    return this.#catalogue((ask) => readFunctions(ask, names))
  }

  readTrackables(): Promise<Trackables> {
    return this.#catalogue(readTrackables)
  }

  readTypes(names: readonly string[]): Promise<readonly (DatabaseType | null)[]> {
    return this.#catalogue((ask) => readTypes(ask, names))
  }

  checkQueries(
    queries: readonly QueryDefinition[],
    typeOf: (name: string) => DatabaseType | null,
  ): Promise<readonly QueryVerdict[]> {
    return this.#catalogue((ask, client) => checkQueries(client, ask, queries, typeOf, (check) => check()))
  }

  #catalogue<Result>(read: (ask: Ask, client: SourceClient) => Promise<Result>): Promise<Result> {
    return this.#connections.repeatably(({ client, names }) =>
      read(queryOver(client, names, this.#connections.named), client),
    )
  }

  query(plan: Statement, parameters: readonly (string | null)[], signal?: AbortSignal, most?: number): Promise<Buffer> {
    return this.#reads.query(plan, parameters, signal, most)
  }

  async queryRows(
    plan: Statement,
    parameters: readonly (string | null)[],
    signal?: AbortSignal,
  ): Promise<readonly Row[]> {
    const mayResend = plan.effects === 'none' ? isLost : neverBegan
    await encodeLong(parameters)
    for (let retries = this.#connections.retries(); ; retries--) {
      const connection = await this.#connections.acquireFor(plan.effects, signal)
      const named = this.#connections.named
      let discard = true
      try {
        const name = named ? statementName(plan) : null
        const rows = await runRows(
          connection,
          { text: plan.text + this.#connections.comment(), name, parameters },
          signal,
        )
        discard = false
        return rows
      } catch (error) {
        discard = isConnectionError(error) || error instanceof Interrupted
        if (error instanceof Interrupted) throw error.cause
        if (!mayResend(error) || retries === 0 || signal?.aborted)
          throw fromSqlState(error, RequestPath.root, { text: plan.text, parameters, prepared: named })
      } finally {
        this.#connections.release(connection, discard)
      }
    }
  }

  runWrites(programs: readonly WriteProgram[], options: WriteOptions): Promise<readonly Buffer[]> {
    const send = (statements: readonly BoundStatement[], transaction: TransactionOptions) =>
      this.runTransaction(statements, transaction)
    // without names each statement is analysed again
    return runPrograms(programs, options, send, this.#connections.named ? this.#found : null)
  }

  /**
   * Runs statements as one transaction, sent in one write from BEGIN to COMMIT; their JSON bytes in order. Rejects with
   * a TransactionFailed, or with the signal's reason. Never sent a second time once a statement may have begun. An
   * answer that is too large is found when the transaction is committed: `outcome` says so.
   */
  runTransaction(statements: readonly BoundStatement[], options: TransactionOptions = {}): Promise<readonly Buffer[]> {
    return this.#transactions.run(statements, options)
  }

  /**
   * A transaction whose later statements depend on earlier answers. Commits when `work` resolves, rolls back when it
   * rejects and rejects with the same; with a TransactionFailed where COMMIT failed. `work` must not wait for other
   * connections of the source.
   */
  transaction<Result>(
    work: (transaction: Transaction) => Promise<Result>,
    options: TransactionOptions = {},
  ): Promise<Result> {
    return this.#transactions.hold(work, options)
  }

  async explain(sql: string): Promise<readonly string[]> {
    const statement = { text: `EXPLAIN (FORMAT TEXT) ${sql}`, name: null, parameters: [] }
    const sent: SentStatement = { text: statement.text, parameters: [], prepared: false }
    const rows = await this.#connections
      .repeatably(({ client, names }) => askRows(client, statement, names, client.values.pooled?.settings))
      .catch((error: unknown) => {
        throw fromSqlState(error, RequestPath.root, sent)
      })
    return rows.map(([line]) => line ?? '')
  }

  runSql(script: SqlScript, path: Path, inspect: Inspect | null): Promise<RunSqlResult> {
    return this.#run(script, path, inspect)
  }

  async openTransaction(path: Path, work: Inspect): Promise<void> {
    await this.#run(null, path, work)
  }

  async #run(script: SqlScript | null, path: Path, inspect: Inspect | null): Promise<RunSqlResult> {
    const [connection, begun] = await this.#connections.acquireAlive((client) =>
      beginScript(client, script, inspect !== null),
    )
    let isDone = false
    try {
      const result = await runSql(connection, begun, this.#connections.named, script, path, inspect)
      isDone = true
      return result
    } finally {
      const { client } = connection
      if (!isDone || client.lost) await this.#connections.pool.discard(connection)
      else if (script === null || script.sql === '') this.#connections.release(connection)
      else await this.#reuse(connection, script.sql)
    }
  }

  /** Returns a connection to the pool on which a user's script ran. Never rejects. */
  async #reuse(connection: Connection, script: string): Promise<void> {
    const isReset = await resetSession(connection, this.#settings, script)
    this.#connections.release(connection, !isReset)
  }

  rest(): void {
    this.#reads.rest()
    this.#connections.pool.rest()
    this.#probe.rest()
  }

  async close(): Promise<void> {
    this.#closed ??= this.#close()
    await this.#closed
  }

  async #close(): Promise<void> {
    // idle connections do not keep the process alive; their end is worth waiting for
    const alive = setInterval(() => {}, 1000)
    try {
      await Promise.all([this.#reads.close(), this.#connections.pool.end(), this.#probe.close()])
    } finally {
      clearInterval(alive)
    }
  }
}
