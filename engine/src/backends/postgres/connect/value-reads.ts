import { Path } from '../../../errors.ts'
import { AnswerTooLarge, type ConnectionSettings, type Statement } from '../../backend.ts'
import { cancelUntil } from './cancel-until.ts'
import type { Connection } from './client-pool.ts'
import { comparePlanning } from './compare-planning.ts'
import { encodeLong } from './encode-long.ts'
import { fromSqlState, isConnectionError } from './from-sql-state.ts'
import { neverBegan } from './never-began.ts'
import { PipelinedLane, Stalled } from './pipelined-lane.ts'
import { PlanCost } from './plan-cost.ts'
import { planned } from './planning-choice.ts'
import { Interrupted, runValue } from './run-value.ts'
import { isLost, type SourceConnections } from './source-connections.ts'
import { statementName } from './statement-name.ts'
import type { Prepared } from './value-queue.ts'
import { waitsForOthers } from './waits-for-others.ts'
import type { SourceClient } from './wire.ts'

/** Statements that return one value each: small ones over shared connections, all others over one of the pool each. */
export class ValueReads {
  readonly #connections: SourceConnections
  /** Empty where nothing may be pipelined. A later one is used where those before it have more than they can do. */
  readonly #lanes: readonly PipelinedLane[]
  readonly #costs = new WeakMap<Statement, PlanCost>()
  /** Connections of statements that the engine runs for itself: they are cancelled when the source is closed. */
  readonly #own = new Set<Connection>()
  #isComparing = false
  #closed = false

  constructor({ connectionLifetime }: ConnectionSettings, connections: SourceConnections) {
    this.#connections = connections
    const connect = async () => (await connections.pool.openSeparately()).client
    const statementsLost = () => connections.goUnnamed()
    const doubts = (statement: Prepared, cost: PlanCost) => void this.#compare(statement, cost)
    const isBlocked = (client: SourceClient) => this.#isBlocked(client)
    const options = { connect, lifetime: connectionLifetime, statementsLost, doubts, isBlocked }
    this.#lanes = Array.from({ length: connections.shared }, () => new PipelinedLane(options))
  }

  /** Runs a query as `SourceConnection.query` says. */
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
    const text = plan.text + this.#connections.comment()
    for (;;) {
      const statement = { text, name: this.#connections.named ? statementName(plan) : null, parameters, most }
      try {
        return await ((cost.small && this.#sendInLane(statement, cost)) ||
          this.#runAlone(plan, statement, cost, signal))
      } catch (error) {
        if (error instanceof Stalled) {
          signal?.throwIfAborted()
          continue
        }
        retries ??= this.#connections.retries()
        if (!mayResend(error) || retries-- === 0 || signal?.aborted)
          throw fromSqlState(error, Path.root, { text: plan.text, parameters, prepared: this.#connections.named })
      }
    }
  }

  /** Returns the answer, or null when no lane accepts anything now. */
  #sendInLane(statement: Prepared, cost: PlanCost): Promise<Buffer> | null {
    const now = performance.now()
    let least: PipelinedLane | null = null
    for (const lane of this.#lanes) {
      if (!cost.heavy && lane.load(now) < ENOUGH_FOR_ONE) return lane.send(statement, cost, now)
      if (least === null || lane.load(now) < least.load(now)) least = lane
    }
    return least?.send(statement, cost, now) ?? null
  }

  async #runAlone(
    plan: Statement,
    statement: Prepared,
    cost: PlanCost,
    signal: AbortSignal | undefined,
  ): Promise<Buffer> {
    const connection = await this.#connections.acquireFor(plan.effects, signal)
    let discard = false
    try {
      const way = cost.planning.next()
      const started = performance.now()
      const value = await runValue(connection, planned(statement, way), signal)
      const milliseconds = performance.now() - started
      cost.planning.took(way, milliseconds)
      this.#connections.pool.took(milliseconds)
      cost.ranAlone(milliseconds - this.#connections.pool.roundTrip)
      this.#connections.pool.tookTimes(milliseconds / (cost.fastest + this.#connections.pool.roundTrip))
      return value
    } catch (error) {
      // what is still to come of it would only be thrown away
      if (error instanceof AnswerTooLarge) connection.client.destroy()
      discard = isConnectionError(error) || error instanceof Interrupted || error instanceof AnswerTooLarge
      throw error instanceof Interrupted ? error.cause : error
    } finally {
      this.#connections.release(connection, discard)
      if (cost.planning.suspicious) void this.#compare(statement, cost)
    }
  }

  /** Has an idle connection find out how a statement that ran is best planned; one at a time. Never rejects. */
  async #compare(statement: Prepared, cost: PlanCost): Promise<void> {
    if (this.#isComparing || this.#closed) return
    const connection = this.#connections.pool.take()
    if (!connection) return
    this.#isComparing = true
    this.#own.add(connection)
    await comparePlanning(connection, statement, cost.planning)
    this.#own.delete(connection)
    this.#isComparing = false
    this.#connections.release(connection)
  }

  /** Whether what runs on a shared connection waits for something; true where that cannot be found out. Never rejects. */
  async #isBlocked({ values, serverProcess }: SourceClient): Promise<boolean> {
    if (values.pooled || this.#closed) return true
    const connection =
      this.#connections.pool.take() ??
      (this.#connections.pool.isFull ? null : await this.#connections.pool.acquire().catch(() => null))
    if (!connection) return true
    const isWaiting = await waitsForOthers(connection, serverProcess).catch(() => true)
    this.#connections.release(connection)
    return isWaiting
  }

  #costOf(plan: Statement): PlanCost {
    const known = this.#costs.get(plan)
    if (known) return known
    const cost = new PlanCost(plan.slots.length > 0 && this.#connections.named, plan.effects === 'none')
    this.#costs.set(plan, cost)
    return cost
  }

  /** Ends the shared connections, as `SourceConnection.rest` says. */
  rest(): void {
    for (const lane of this.#lanes) lane.rest()
  }

  /** Resolves when the shared connections have ended; what this engine requested itself is cancelled. */
  async close(): Promise<void> {
    this.#closed = true
    for (const connection of this.#own) {
      connection.over = true
      void cancelUntil(connection.client.values.whenIdle(), connection.client)
    }
    await Promise.all(this.#lanes.map((lane) => lane.close()))
  }
}

/** Statements that wait for their answers. Fewer are fastest over one connection, where the most travel together. */
const ENOUGH_FOR_ONE = 32
