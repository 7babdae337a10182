import type { BoundStatement, ConnectionSettings, Statement } from '../../backend.ts'
import type { Connection } from './client-pool.ts'
import { encodeLong } from './encode-long.ts'
import { connectionError } from './from-sql-state.ts'
import { NeverBegan } from './never-began.ts'
import { isSmall, SharedWrites } from './shared-writes.ts'
import type { SourceConnections } from './source-connections.ts'
import { KeptWaiting, OpenTransaction, sendTransaction, type TransactionContext } from './transaction.ts'
import { TransactionCost } from './transaction-cost.ts'
import { type Transaction, TransactionFailed, type TransactionOptions } from './transaction-options.ts'

/** Runs the transactions of one source: lists of statements sent at once, some over shared connections, and others. */
export class SourceTransactions {
  readonly #settings: ConnectionSettings
  readonly #connections: SourceConnections
  /**
   * By their first statements. Those that may share connections are separate: why they take long is found for them
   * only.
   */
  readonly #smallCosts = new WeakMap<Statement, TransactionCost>()
  readonly #otherCosts = new WeakMap<Statement, TransactionCost>()
  readonly #writes: SharedWrites
  /** Transactions under way on connections of their own. */
  #alone = 0

  constructor(settings: ConnectionSettings, connections: SourceConnections) {
    this.#settings = settings
    this.#connections = connections
    this.#writes = new SharedWrites({
      takeFresh: () => connections.takeFresh(true),
      acquire: (signal) => connections.acquireFor('writes', signal, true),
      release: (connection) => connections.release(connection),
      isWanted: () => connections.pool.counts.waiting > 0,
    })
  }

  /** Runs statements as `PostgresSource.runTransaction` says. */
  async run(statements: readonly BoundStatement[], options: TransactionOptions = {}): Promise<readonly Buffer[]> {
    for (const { parameters } of statements) {
      const encoding = encodeLong(parameters)
      if (encoding) await encoding
    }
    const cost = this.#transactionCost(statements)
    let { shares } = cost
    for (let retries = this.#connections.retries(); ; retries--) {
      try {
        const shared = shares ? this.#sendShared(statements, options, cost) : null
        return await (shared ?? this.#sendExclusively(statements, options, cost))
      } catch (error) {
        shares = false
        if (error instanceof KeptWaiting) cost.keptWaiting()
        else if (!(error instanceof NeverBegan)) throw error
        else if (retries === 0) throw new TransactionFailed(null, 'rolled-back', connectionError(error))
      }
    }
  }

  /** Returns the answers, or null where no transaction may be added to the shared connections. */
  #sendShared(statements: readonly BoundStatement[], options: TransactionOptions, cost: TransactionCost) {
    options.signal?.throwIfAborted()
    const context = this.#contextOf(options)
    return this.#writes.run(
      (connection) => sendTransaction(connection, statements, context, true),
      (milliseconds, lanes) => cost.ranShared(milliseconds, lanes),
      options.signal,
    )
  }

  async #sendExclusively(statements: readonly BoundStatement[], options: TransactionOptions, cost: TransactionCost) {
    const connection = await this.#connections.acquireFor('writes', options.signal)
    this.#alone += 1
    try {
      const started = performance.now()
      const answers = await sendTransaction(connection, statements, this.#contextOf(options))
      const milliseconds = performance.now() - started
      cost.ranAlone(milliseconds, milliseconds - this.#connections.pool.roundTrip, this.#alone)
      this.#connections.pool.tookTimes(milliseconds / (cost.fastest + this.#connections.pool.roundTrip))
      return answers
    } finally {
      this.#alone -= 1
      this.#connections.release(connection)
    }
  }

  /** Returns the cost of transactions that begin with these statements' first, and are as small as these. */
  #transactionCost(statements: readonly BoundStatement[]): TransactionCost {
    const [first] = statements
    const mayShare = this.#connections.shared > 0 && isSmall(statements)
    const costs = mayShare ? this.#smallCosts : this.#otherCosts
    const known = first && costs.get(first.plan)
    if (known) return known
    const cost = new TransactionCost(mayShare)
    if (first) costs.set(first.plan, cost)
    return cost
  }

  /** Runs `work` as `PostgresSource.transaction` says. */
  async hold<Result>(
    work: (transaction: Transaction) => Promise<Result>,
    options: TransactionOptions = {},
  ): Promise<Result> {
    let retries = this.#connections.retries()
    const first = await this.#connections.acquireFor('writes', options.signal)
    let held: Connection | null = first
    const replace = async (lost: Connection) => {
      if (retries-- === 0) throw connectionError(new Error('the connection was lost again and again'))
      held = null
      this.#connections.release(lost)
      held = await this.#connections.acquireFor('writes', options.signal)
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
      if (held) this.#connections.release(held)
    }
  }

  #contextOf(options: TransactionOptions): TransactionContext {
    const { isolationLevel } = this.#settings
    return { ...options, isolationLevel, named: this.#connections.named, comment: this.#connections.comment() }
  }
}
