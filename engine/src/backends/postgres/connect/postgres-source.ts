import { type Path, Path as RequestPath } from '../../../errors.ts'
import type { QualifiedName } from '../../../ir/index.ts'
import type { Observation } from '../../../observe/index.ts'
import type {
  CompiledQuery,
  ConnectionSettings,
  DatabaseTable,
  EnumValues,
  Introspection,
  RowInsert,
  RunSqlResult,
  SourceConnection,
} from '../../backend.ts'
import { introspect } from '../introspect/introspect.ts'
import { readEnum } from '../introspect/read-enum.ts'
import { askOver } from './ask-over.ts'
import { ClientPool, type Exclusive } from './client-pool.ts'
import { fromSqlState, isConnectionError, isLostStatement, type SentStatement } from './from-sql-state.ts'
import { insertRows } from './insert-rows.ts'
import { runSql } from './run-script.ts'
import { Interrupted, runValue } from './run-value.ts'
import { statementName } from './statement-name.ts'
import { RowsStatement } from './statements.ts'

/** One PostgreSQL database: its connections and what is asked over them. */
export class PostgresSource implements SourceConnection {
  readonly #settings: ConnectionSettings
  readonly #tell: (observation: Observation) => void
  readonly #pool: ClientPool
  #named: boolean

  constructor(settings: ConnectionSettings, tell: (observation: Observation) => void) {
    this.#settings = settings
    this.#tell = tell
    this.#pool = new ClientPool(settings, tell)
    this.#named = settings.usePreparedStatements
  }

  /** Whether it can be reached at all. Throws what `acquire` does. */
  async ping(): Promise<void> {
    await this.#exclusively(async () => {})
  }

  introspect(previous: Introspection | null, only?: readonly QualifiedName[]): Promise<Introspection> {
    return this.#exclusively(async ({ client, names }) => {
      return await introspect(askOver(client, names, this.#named), previous, only)
    })
  }

  readEnum(table: DatabaseTable): Promise<EnumValues> {
    return this.#exclusively(({ client, names }) => readEnum(askOver(client, names, this.#named), table))
  }

  async query(plan: CompiledQuery, parameters: readonly (string | null)[], signal?: AbortSignal): Promise<Buffer> {
    // nothing a compiled query does has side effects, so a lost connection is no reason to fail
    let remaining = Math.max(1, this.#settings.retries)
    for (;;) {
      const name = this.#named ? statementName(plan) : null
      try {
        return await this.#exclusively((connection) =>
          runValue(connection, { text: plan.text, name, parameters }, signal),
        )
      } catch (error) {
        const lostStatement = isLostStatement(error)
        if (lostStatement && name !== null) this.#goUnnamed()
        if (remaining === 0 || !(lostStatement || isConnectionError(error)) || signal?.aborted)
          throw fromSqlState(error, RequestPath.root, { text: plan.text, parameters, prepared: name !== null })
        remaining -= 1
      }
    }
  }

  async explain(sql: string): Promise<readonly string[]> {
    const statement = { text: `EXPLAIN (FORMAT TEXT) ${sql}`, name: null, parameters: [] }
    const sent: SentStatement = { text: statement.text, parameters: [], prepared: false }
    const rows = await this.#exclusively(
      ({ client, names }) =>
        new Promise<readonly (readonly (string | null)[])[]>((resolve, reject) =>
          client.run(new RowsStatement(statement, names, { resolve, reject })),
        ),
    ).catch((error: unknown) => {
      throw fromSqlState(error, RequestPath.root, sent)
    })
    return rows.map(([line]) => line ?? '')
  }

  async runSql(
    args: Parameters<SourceConnection['runSql']>[0],
    path: Path,
    inspect: Parameters<SourceConnection['runSql']>[2],
  ): Promise<RunSqlResult> {
    const client = await this.#pool.connectApart()
    try {
      return await runSql(client, args, path, inspect)
    } finally {
      await client.end()
    }
  }

  insertRows(insert: RowInsert, path: Path): ReturnType<SourceConnection['insertRows']> {
    return this.#exclusively(({ client, names }) => insertRows(client, names, insert, path))
  }

  async close(): Promise<void> {
    await this.#pool.end()
  }

  /** Runs with a connection of the pool, which is given back unless it is at fault. */
  async #exclusively<Result>(use: (connection: Exclusive) => Promise<Result>): Promise<Result> {
    const connection = await this.#pool.acquire()
    let discard = true
    try {
      const result = await use(connection)
      discard = connection.client.getTransactionStatus() !== 'I'
      return result
    } catch (error) {
      discard = isConnectionError(error) || error instanceof Interrupted
      throw error instanceof Interrupted ? error.cause : error
    } finally {
      connection.release(discard)
    }
  }

  #goUnnamed(): void {
    if (!this.#named) return
    this.#named = false
    this.#tell({ kind: 'prepared-statements-off', source: this.#settings.source })
  }
}
