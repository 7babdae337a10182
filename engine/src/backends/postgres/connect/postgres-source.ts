import { type Path, Path as RequestPath } from '../../../errors.ts'
import type { DatabaseType, QualifiedName } from '../../../ir/index.ts'
import type { Observation } from '../../../observe/index.ts'
import {
  AnswerTooLarge,
  type BoundStatement,
  type ConnectionCounts,
  type ConnectionSettings,
  type DatabaseFunction,
  type DatabaseTable,
  type Effects,
  type EnumValues,
  type Introspection,
  type QueryDefinition,
  type QueryVerdict,
  type Replication,
  type RunSqlResult,
  type SourceConnection,
  type Statement,
  type Transaction,
  TransactionFailed,
  type TransactionOptions,
} from '../../backend.ts'
import type { EventStore } from '../../event-store.ts'
import { PostgresEvents, textRows } from '../events/postgres-events.ts'
import { watchEvents } from '../events/watch-events.ts'
import { introspect } from '../introspect/introspect.ts'
import { readEnum } from '../introspect/read-enum.ts'
import { readFunctions } from '../introspect/read-functions.ts'
import { readTypes } from '../introspect/read-types.ts'
import { askOver } from './ask-over.ts'
import type { Row } from './batch.ts'
import { cancelUntil } from './cancel-until.ts'
import { checkQueries } from './check-queries.ts'
import { ClientPool, type Connection } from './client-pool.ts'
import { comparePlanning } from './compare-planning.ts'
import { encodeLong } from './encode-long.ts'
import {
  connectionError,
  fromSqlState,
  isConnectionError,
  isLostStatement,
  type SentStatement,
  scriptError,
} from './from-sql-state.ts'
import { NeverBegan } from './never-began.ts'
import { runScript } from './open-client.ts'
import { PipelinedLane, Stalled } from './pipelined-lane.ts'
import { PlanCost } from './plan-cost.ts'
import { planned } from './planning-choice.ts'
import { Probe } from './probe.ts'
import { resetSession } from './reset-session.ts'
import { runSql } from './run-script.ts'
import { Interrupted, runRows, runValue } from './run-value.ts'
import { isSmall, SHORT_WAITS, SharedWrites } from './shared-writes.ts'
import { statementName } from './statement-name.ts'
import { RowsStatement } from './statements.ts'
import { traceComment } from './trace-comment.ts'
import { KeptWaiting, OpenTransaction, sendTransaction, type TransactionContext } from './transaction.ts'
import { TransactionCost } from './transaction-cost.ts'
import type { Prepared } from './value-queue.ts'
import { waitsForOthers } from './waits-for-others.ts'
import type { SourceClient } from './wire.ts'

/** One PostgreSQL database: its connections and what is asked over them. */
export class PostgresSource implements SourceConnection {
  readonly #settings: ConnectionSettings
  readonly #report: (observation: Observation) => void
  readonly #pool: ClientPool
  /** None where nothing may be pipelined. A later one is used where those before it have more than they can do. */
  readonly #lanes: readonly PipelinedLane[]
  /** Of those that this engine runs for itself, which nobody waits for when the source is closed. */
  readonly #own = new Set<Connection>()
  #isComparing = false
  readonly #costs = new WeakMap<Statement, PlanCost>()
  /** By their first statements. Those that may share connections are apart: what takes them long is found for them alone. */
  readonly #smallCosts = new WeakMap<Statement, TransactionCost>()
  readonly #otherCosts = new WeakMap<Statement, TransactionCost>()
  readonly #writes: SharedWrites
  /** Transactions under way on connections of their own. */
  #alone = 0
  readonly events: EventStore
  readonly #probe: Probe
  #named: boolean
  #closed: Promise<void> | null = null

  constructor(settings: ConnectionSettings, report: (observation: Observation) => void) {
    this.#settings = settings
    this.#report = report
    const lanes = lanesOf(settings)
    this.#pool = new ClientPool(settings, settings.maxConnections - lanes, report)
    const connect = async () => (await this.#pool.openBeside()).client
    const statementsLost = () => this.#goUnnamed()
    const doubts = (statement: Prepared, cost: PlanCost) => void this.#compare(statement, cost)
    const isBlocked = (client: SourceClient) => this.#isBlocked(client)
    const options = { connect, lifetime: settings.connectionLifetime, statementsLost, doubts, isBlocked }
    this.#lanes = Array.from({ length: lanes }, () => new PipelinedLane(options))
    this.#named = settings.usePreparedStatements && !settings.namesTraces
    this.#writes = new SharedWrites({
      acquire: () => this.#acquireFor('writes', undefined),
      release: (connection) => this.#release(connection, isSpoilt(connection)),
      isWanted: () => this.#pool.counts.waiting > 0,
    })
    this.#probe = new Probe(() => this.#pool.openBeside())
    this.events = new PostgresEvents({
      run: async (statement, slots) => textRows(await this.queryRows(statement, slots)),
      runWithin: async (timeout, statement, slots) => {
        const settings = [['statement_timeout', `${timeout}s`]] as const
        return textRows(await this.transaction((inside) => inside.queryRows(statement, slots), { settings }))
      },
      watch: (wake) => watchEvents(() => this.#pool.openBeside(), wake),
    })
  }

  connections(): ConnectionCounts {
    const { open, idle, waiting } = this.#pool.counts
    return { open: open + this.#lanes.length, idle, waiting }
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

  /** Whether it can be reached at all. Throws what `acquire` does. */
  async ping(): Promise<void> {
    await this.#exclusively(async () => {})
  }

  introspect(previous: Introspection | null, only?: readonly QualifiedName[]): Promise<Introspection> {
    return this.#repeatably(({ client, names }) => {
      return introspect(askOver(client, names, this.#named), previous, only)
    })
  }

  readEnum(table: DatabaseTable): Promise<EnumValues> {
    return this.#repeatably(({ client, names }) => readEnum(askOver(client, names, this.#named), table))
  }

  readFunctions(names: readonly QualifiedName[]): Promise<readonly (readonly DatabaseFunction[])[]> {
    return this.#repeatably(({ client, names: known }) => readFunctions(askOver(client, known, this.#named), names))
  }

  readTypes(names: readonly string[]): Promise<readonly (DatabaseType | null)[]> {
    return this.#repeatably(({ client, names: known }) => readTypes(askOver(client, known, this.#named), names))
  }

  checkQueries(
    queries: readonly QueryDefinition[],
    typeOf: (name: string) => DatabaseType | null,
  ): Promise<readonly QueryVerdict[]> {
    return this.#repeatably(({ client, names }) =>
      checkQueries(client, askOver(client, names, this.#named), queries, typeOf, (check) => check()),
    )
  }

  async query(
    plan: Statement,
    parameters: readonly (string | null)[],
    signal?: AbortSignal,
    most?: number,
  ): Promise<Buffer> {
    signal?.throwIfAborted()
    const encoding = encodeLong(parameters)
    if (encoding) await encoding
    const cost = this.#costOf(plan)
    const mayResend = plan.effects === 'none' ? isLost : neverBegan
    let retries: number | null = null
    const text = plan.text + this.#comment()
    for (;;) {
      const statement = { text, name: this.#named ? statementName(plan) : null, parameters, most }
      try {
        return await ((cost.small && this.#sendInLane(statement, cost)) ||
          this.#runAlone(plan, statement, cost, signal))
      } catch (error) {
        if (error instanceof Stalled) {
          signal?.throwIfAborted()
          continue
        }
        retries ??= this.#retries()
        if (!mayResend(error) || retries-- === 0 || signal?.aborted)
          throw fromSqlState(error, RequestPath.root, { text: plan.text, parameters, prepared: this.#named })
      }
    }
  }

  async queryRows(
    plan: Statement,
    parameters: readonly (string | null)[],
    signal?: AbortSignal,
  ): Promise<readonly Row[]> {
    const mayResend = plan.effects === 'none' ? isLost : neverBegan
    await encodeLong(parameters)
    for (let retries = this.#retries(); ; retries--) {
      const connection = await this.#acquireFor(plan.effects, signal)
      const named = this.#named
      let discard = true
      try {
        const name = named ? statementName(plan) : null
        const rows = await runRows(connection, { text: plan.text + this.#comment(), name, parameters }, signal)
        discard = false
        return rows
      } catch (error) {
        discard = isConnectionError(error) || error instanceof Interrupted
        if (error instanceof Interrupted) throw error.cause
        if (!mayResend(error) || retries === 0 || signal?.aborted)
          throw fromSqlState(error, RequestPath.root, { text: plan.text, parameters, prepared: named })
      } finally {
        this.#release(connection, discard)
      }
    }
  }

  async runTransaction(
    statements: readonly BoundStatement[],
    options: TransactionOptions = {},
  ): Promise<readonly Buffer[]> {
    for (const { parameters } of statements) {
      const encoding = encodeLong(parameters)
      if (encoding) await encoding
    }
    const cost = this.#transactionCost(statements)
    let { shares } = cost
    for (let retries = this.#retries(); ; retries--) {
      try {
        const shared = shares ? this.#sendBeside(statements, options, cost) : null
        return await (shared ?? this.#sendAlone(statements, options, cost))
      } catch (error) {
        shares = false
        if (error instanceof KeptWaiting) cost.keptWaiting()
        else if (!(error instanceof NeverBegan)) throw error
        else if (retries === 0) throw new TransactionFailed(null, 'rolled-back', connectionError(error))
      }
    }
  }

  /** Null where none may be added to the connections that are shared. */
  #sendBeside(statements: readonly BoundStatement[], options: TransactionOptions, cost: TransactionCost) {
    options.signal?.throwIfAborted()
    const context = this.#contextOf({ ...options, settings: [...(options.settings ?? []), ...SHORT_WAITS] })
    return this.#writes.run(
      (connection) => sendTransaction(connection, statements, context, true),
      (milliseconds, lanes) => cost.ranBeside(milliseconds, lanes),
    )
  }

  async #sendAlone(statements: readonly BoundStatement[], options: TransactionOptions, cost: TransactionCost) {
    const connection = await this.#acquireFor('writes', options.signal)
    this.#alone += 1
    try {
      const started = performance.now()
      const answers = await sendTransaction(connection, statements, this.#contextOf(options))
      const milliseconds = performance.now() - started
      cost.ranAlone(milliseconds, milliseconds - this.#pool.roundTrip, this.#alone)
      this.#pool.tookTimes(milliseconds / (cost.fastest + this.#pool.roundTrip))
      return answers
    } finally {
      this.#alone -= 1
      this.#release(connection, isSpoilt(connection))
    }
  }

  /** Of the transactions that begin with this statement: whether others may wait behind one is for all of its statements to say. */
  #transactionCost(statements: readonly BoundStatement[]): TransactionCost {
    const [first] = statements
    const mayShare = this.#lanes.length > 0 && isSmall(statements)
    const costs = mayShare ? this.#smallCosts : this.#otherCosts
    const known = first && costs.get(first.plan)
    if (known) return known
    const cost = new TransactionCost(mayShare)
    if (first) costs.set(first.plan, cost)
    return cost
  }

  async transaction<Result>(
    work: (transaction: Transaction) => Promise<Result>,
    options: TransactionOptions = {},
  ): Promise<Result> {
    let retries = this.#retries()
    const first = await this.#acquireFor('writes', options.signal)
    let held: Connection | null = first
    const replace = async (lost: Connection) => {
      if (retries-- === 0) throw connectionError(new Error('the connection was lost again and again'))
      held = null
      this.#release(lost, isSpoilt(lost))
      held = await this.#acquireFor('writes', options.signal)
      return held
    }
    const transaction = new OpenTransaction(first, this.#contextOf(options), replace)
    try {
      const result = await work(transaction)
      options.signal?.throwIfAborted()
      await transaction.commit()
      return result
    } catch (error) {
      await transaction.rollBack()
      throw error
    } finally {
      if (held) this.#release(held, isSpoilt(held))
    }
  }

  async explain(sql: string): Promise<readonly string[]> {
    const statement = { text: `EXPLAIN (FORMAT TEXT) ${sql}`, name: null, parameters: [] }
    const sent: SentStatement = { text: statement.text, parameters: [], prepared: false }
    const rows = await this.#repeatably(
      ({ client, names }) =>
        new Promise<readonly (readonly (string | null)[])[]>((resolve, reject) =>
          client.run(new RowsStatement(statement, names, { resolve, reject }, client.values.pooled?.settings)),
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
    const connection = await this.#acquireAlive()
    let isDone = false
    try {
      const result = await runSql(connection, this.#named, args, path, inspect)
      isDone = true
      return result
    } finally {
      const { client } = connection
      if (!isDone || client.lost) await this.#pool.discard(connection)
      else if (args.sql === '') this.#release(connection, isSpoilt(connection))
      else await this.#reuse(connection, args.sql)
    }
  }

  /** Gives a connection back on which a user's script ran. Never rejects. */
  async #reuse(connection: Connection, script: string): Promise<void> {
    const isReset = await resetSession(connection.client, this.#settings, script)
    connection.names.forget()
    this.#release(connection, !isReset)
  }

  rest(): void {
    for (const lane of this.#lanes) lane.rest()
    this.#pool.rest()
    this.#probe.rest()
  }

  async close(): Promise<void> {
    this.#closed ??= this.#close()
    await this.#closed
  }

  /** The answer; null when no lane takes anything now. */
  #sendInLane(statement: Prepared, cost: PlanCost): Promise<Buffer> | null {
    const now = performance.now()
    let least: PipelinedLane | null = null
    for (const lane of this.#lanes) {
      if (!cost.heavy && lane.load(now) < ENOUGH_FOR_ONE) return lane.send(statement, cost, now)
      if (least === null || lane.load(now) < least.load(now)) least = lane
    }
    return least?.send(statement, cost, now) ?? null
  }

  #contextOf(options: TransactionOptions): TransactionContext {
    const { isolationLevel } = this.#settings
    return { ...options, isolationLevel, named: this.#named, comment: this.#comment() }
  }

  #comment(): string {
    return this.#settings.namesTraces ? traceComment() : ''
  }

  /** Of those that were idle, one that the server had not ended by now: what may have effects must not be sent in vain. */
  async #acquireFor(effects: Effects, signal: AbortSignal | undefined): Promise<Connection> {
    for (;;) {
      signal?.throwIfAborted()
      const idle = this.#pool.take()
      if (!idle) return this.#pool.acquire(signal)
      if (effects === 'none') return idle
      // what the system knows of its end is read in this turn of the event loop
      await new Promise((resolve) => setImmediate(resolve))
      if (!idle.over && !idle.client.lost && !signal?.aborted) return idle
      this.#release(idle, idle.over || idle.client.lost)
    }
  }

  #repeatably<Result>(use: (connection: Connection) => Promise<Result>): Promise<Result> {
    return this.#resending(() => this.#exclusively(use))
  }

  /** One that answers: what a script did cannot be done again. */
  async #acquireAlive(): Promise<Connection> {
    try {
      return await this.#resending(async () => {
        const connection = await this.#pool.acquire()
        try {
          await runScript(connection.client, 'SELECT 1')
          return connection
        } catch (error) {
          void this.#pool.discard(connection)
          throw error
        }
      })
    } catch (error) {
      throw connectionError(error)
    }
  }

  /** Does something without side effects again when its connection or its prepared statement was lost. */
  async #resending<Result>(run: () => Promise<Result>): Promise<Result> {
    for (let retries = this.#retries(); ; retries--) {
      try {
        return await run()
      } catch (error) {
        if (!isLost(error) || retries === 0) throw error
      }
    }
  }

  /** When a database restarts, every lane and every connection is dead, and each may show it only when used. */
  #retries(): number {
    return Math.max(1, this.#settings.retries) + this.#lanes.length + this.#pool.size
  }

  async #close(): Promise<void> {
    // idle connections do not keep the process alive; their end is worth waiting for
    const alive = setInterval(() => {}, 1000)
    try {
      for (const connection of this.#own) {
        connection.over = true
        void cancelUntil(connection.client.values.whenIdle(), connection.client)
      }
      await Promise.all([...this.#lanes.map((lane) => lane.close()), this.#pool.end(), this.#probe.close()])
    } finally {
      clearInterval(alive)
    }
  }

  async #runAlone(
    plan: Statement,
    statement: Prepared,
    cost: PlanCost,
    signal: AbortSignal | undefined,
  ): Promise<Buffer> {
    const connection = await this.#acquireFor(plan.effects, signal)
    let discard = false
    try {
      const way = cost.planning.next()
      const started = performance.now()
      const value = await runValue(connection, planned(statement, way), signal)
      const milliseconds = performance.now() - started
      cost.planning.took(way, milliseconds)
      this.#pool.took(milliseconds)
      cost.ranAlone(milliseconds - this.#pool.roundTrip)
      this.#pool.tookTimes(milliseconds / (cost.fastest + this.#pool.roundTrip))
      return value
    } catch (error) {
      // what is still to come of it would only be thrown away
      if (error instanceof AnswerTooLarge) connection.client.destroy()
      discard = isConnectionError(error) || error instanceof Interrupted || error instanceof AnswerTooLarge
      throw error instanceof Interrupted ? error.cause : error
    } finally {
      this.#release(connection, discard)
      if (cost.planning.suspicious) void this.#compare(statement, cost)
    }
  }

  /** Has an idle connection find out how a statement that ran is best planned; one at a time. Never rejects. */
  async #compare(statement: Prepared, cost: PlanCost): Promise<void> {
    if (this.#isComparing || this.#closed) return
    const connection = this.#pool.take()
    if (!connection) return
    this.#isComparing = true
    this.#own.add(connection)
    await comparePlanning(connection, statement, cost.planning)
    this.#own.delete(connection)
    this.#isComparing = false
    this.#release(connection, isSpoilt(connection))
  }

  /** Whether what runs on a shared connection waits for something; true where that cannot be found out. Never rejects. */
  async #isBlocked({ values, serverProcess }: SourceClient): Promise<boolean> {
    if (values.pooled || this.#closed) return true
    const connection = this.#pool.take() ?? (this.#pool.isFull ? null : await this.#pool.acquire().catch(() => null))
    if (!connection) return true
    const isWaiting = await waitsForOthers(connection, serverProcess).catch(() => true)
    this.#release(connection, isSpoilt(connection))
    return isWaiting
  }

  #costOf(plan: Statement): PlanCost {
    const known = this.#costs.get(plan)
    if (known) return known
    const cost = new PlanCost(plan.slots.length > 0 && this.#named, plan.effects === 'none')
    this.#costs.set(plan, cost)
    return cost
  }

  /** Runs with a connection of the pool, which is given back unless it is at fault. */
  async #exclusively<Result>(use: (connection: Connection) => Promise<Result>): Promise<Result> {
    const connection = await this.#pool.acquire()
    let discard = true
    try {
      const result = await use(connection)
      discard = connection.client.getTransactionStatus() !== 'I'
      return result
    } catch (error) {
      discard = isConnectionError(error) || connection.client.getTransactionStatus() !== 'I'
      throw error
    } finally {
      this.#release(connection, discard)
    }
  }

  #release(connection: Connection, discard: boolean): void {
    if (connection.names.lostElsewhere) this.#goUnnamed()
    if (discard) void this.#pool.discard(connection)
    else this.#pool.release(connection)
  }

  #goUnnamed(): void {
    if (!this.#named) return
    this.#named = false
    this.#report({ kind: 'prepared-statements-off', source: this.#settings.source })
  }
}

/** Of the connections of a source, how many are lanes. */
function lanesOf({ isolationLevel, maxConnections }: ConnectionSettings): number {
  if (isolationLevel !== 'read-committed' || maxConnections < 2) return 0
  return maxConnections < ENOUGH_FOR_MORE ? 1 : 3
}

const ENOUGH_FOR_MORE = 10

/** Statements that wait for their answers. Fewer are fastest over one connection, where the most travel together. */
const ENOUGH_FOR_ONE = 32

/** Nothing else may run on it. */
const isSpoilt = ({ client }: Connection): boolean => client.lost || client.values.inTransaction

const neverBegan = (error: unknown): boolean => error instanceof NeverBegan

const isLost = (error: unknown): boolean => isLostStatement(error) || isConnectionError(error)
