import type { AnswerTooLarge } from '../../backend.ts'
import { bindParameters, type SentStatement } from './bind-parameters.ts'
import { limitAnswers } from './guard-answers.ts'
import type { Client, Pool } from './load-client.ts'
import { type ResultSet, runRequest } from './run-request.ts'

type ClientTransaction = InstanceType<Client['Transaction']>

/** A transaction on one connection of a pool: one statement after another. */
export class HeldTransaction {
  readonly #client: Client
  readonly #pool: Pool
  readonly #transaction: ClientTransaction
  /** What of its answers was too large; null: they may be as large as they like. */
  readonly exceeded: (() => AnswerTooLarge | null) | null

  private constructor(client: Client, pool: Pool, transaction: ClientTransaction, most?: number) {
    this.#client = client
    this.#pool = pool
    this.#transaction = transaction
    this.exceeded = most === undefined ? null : limitAnswers(transaction, most)
    // the server may end it by itself: what is run next says so
    transaction.on('rollback', () => {})
  }

  /** `most`: bytes of all its answers. */
  static async begin(client: Client, pool: Pool, level: number, most?: number): Promise<HeldTransaction> {
    const transaction = new client.Transaction(pool)
    const held = new HeldTransaction(client, pool, transaction, most)
    await transaction.begin(level)
    return held
  }

  /** One statement with parameters; temporary tables that it makes are gone with it. */
  run(statement: SentStatement, signal?: AbortSignal): Promise<readonly ResultSet[]> {
    const request = this.#transaction.request()
    const text = bindParameters(this.#client, this.#pool, request, statement)
    return runRequest(request, (sent) => sent.query(text), signal)
  }

  /** A plain batch: temporary tables that it makes remain. */
  batch(text: string, signal?: AbortSignal): Promise<readonly ResultSet[]> {
    return runRequest(this.#transaction.request(), (sent) => sent.batch(text), signal)
  }

  commit(): Promise<void> {
    return this.#transaction.commit()
  }

  /** Never rejects: of a lost connection the server rolls back by itself. */
  async rollback(): Promise<void> {
    await this.#transaction.rollback().catch(() => {})
  }
}
