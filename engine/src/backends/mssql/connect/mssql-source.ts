import { type Path, Path as RequestPath } from '../../../errors.ts'
import type { QualifiedName } from '../../../ir/index.ts'
import {
  AnswerTooLarge,
  type ConnectionCounts,
  type Inspect,
  type Introspection,
  type RunSqlResult,
  type SourceConnection,
  type SqlScript,
  type Statement,
  type WriteOptions,
  type WriteProgram,
} from '../../backend.ts'
import type { EventStore } from '../../event-store.ts'
import { MssqlEvents } from '../events/mssql-events.ts'
import { introspect } from '../introspect/introspect.ts'
import { runPrograms } from '../write/run-programs.ts'
import { cellText } from './cell-json.ts'
import { connectionError, isConnectionError, queryError } from './database-error.ts'
import type { Client } from './load-client.ts'
import { openedTransaction } from './opened-transaction.ts'
import type { ResultSet } from './run-request.ts'
import { runScript } from './run-script.ts'
import type { SourcePool } from './source-pool.ts'

type Parameters = readonly (string | null)[]

/** One database of SQL Server: its connections and the requests over them. */
export class MssqlSource implements SourceConnection {
  readonly #client: Client
  readonly #pool: SourcePool
  readonly events: EventStore

  constructor(client: Client, pool: SourcePool) {
    this.#client = client
    this.#pool = pool
    this.events = new MssqlEvents(pool)
  }

  connections(): ConnectionCounts {
    return this.#pool.counts
  }

  async ping(): Promise<void> {
    await this.#reached(() => this.#pool.run({ text: 'SELECT 1 AS [one]', parameters: [] }))
  }

  introspect(previous: Introspection | null, only?: readonly QualifiedName[]): Promise<Introspection> {
    return this.#reached(() => introspect((batch) => this.#pool.batch(batch), previous, only))
  }

  async query(plan: Statement, parameters: Parameters, signal?: AbortSignal, most?: number): Promise<Buffer> {
    const [answer] = await this.#run(plan, parameters, signal, most)
    // a long answer without a column around it comes in rows of 2,033 characters
    const text = answer?.rows.map(([part]) => cellText(part) ?? '').join('') ?? ''
    const bytes = Buffer.from(text === '' ? 'null' : text)
    if (most !== undefined && bytes.length > most) throw new AnswerTooLarge(bytes.length)
    return bytes
  }

  async queryRows(plan: Statement, parameters: Parameters, signal?: AbortSignal) {
    const [answer] = await this.#run(plan, parameters, signal)
    return (answer?.rows ?? []).map((row) =>
      row.map((cell) => {
        const text = cellText(cell)
        return text === null ? null : Buffer.from(text)
      }),
    )
  }

  runWrites(programs: readonly WriteProgram[], options: WriteOptions): Promise<readonly Buffer[]> {
    return runPrograms(programs, options, (work, most) => this.#pool.transaction(work, undefined, most))
  }

  async explain(sql: string): Promise<readonly string[]> {
    return this.#reached(() => explain(this.#pool, sql))
  }

  runSql(script: SqlScript, path: Path, inspect: Inspect | null): Promise<RunSqlResult> {
    return runScript(this.#client, this.#pool, script, path, inspect)
  }

  /** On a connection of its own: the catalogue of events is made where nothing else changes it. */
  openTransaction(_path: Path, work: Inspect): Promise<void> {
    return this.#reached(() =>
      this.#pool.withConnection((own) =>
        own.transaction((transaction) => work(openedTransaction(transaction)), 'serializable'),
      ),
    )
  }

  /** Connections that no client uses are closed by the pool itself, after seconds. */
  rest(): void {}

  close(): Promise<void> {
    return this.#pool.close()
  }

  async #run(
    { text, slots, effects }: Statement,
    parameters: Parameters,
    signal?: AbortSignal,
    most?: number,
  ): Promise<readonly ResultSet[]> {
    const statement = { text, parameters, slots }
    try {
      return await (effects === 'none'
        ? this.#pool.read(statement, signal, most)
        : this.#pool.run(statement, signal, most))
    } catch (error) {
      signal?.throwIfAborted()
      if (error instanceof AnswerTooLarge) throw error
      throw queryError(error, text, RequestPath.root)
    }
  }

  async #reached<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work()
    } catch (error) {
      throw isConnectionError(error) ? connectionError(error) : error
    }
  }
}

/** The lines of a statement's plan: a mode of the connection, which is switched off again whatever happens. */
function explain(pool: SourcePool, text: string): Promise<readonly string[]> {
  return pool.withConnection((own) =>
    own.transaction(async (transaction) => {
      await transaction.batch('SET SHOWPLAN_TEXT ON')
      try {
        const sets = await transaction.batch(text)
        // the first set repeats the statement
        const plans = sets.length > 1 ? sets.slice(1) : sets
        return plans.flatMap(({ rows }) => rows.map(([line]) => String(line ?? '')))
      } catch (error) {
        throw queryError(error, text)
      } finally {
        await transaction.batch('SET SHOWPLAN_TEXT OFF')
      }
    }),
  )
}
