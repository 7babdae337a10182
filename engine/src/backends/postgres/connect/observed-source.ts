import { ApiError } from '../../../errors.ts'
import type { Observation } from '../../../observe/index.ts'
import { isRecorded } from '../../../tracing/index.ts'
import type { BoundStatement, ConnectionSettings, RunSqlResult, SourceConnection, Statement } from '../../backend.ts'
import { PostgresSource } from './postgres-source.ts'
import { type Transaction, TransactionFailed, type TransactionOptions } from './transaction-options.ts'

/** A source that reports what requests ask of it and how long that took, while spans are kept. */
export class ObservedSource extends PostgresSource {
  readonly #source: string
  readonly #report: (observation: Observation) => void

  constructor(settings: ConnectionSettings, report: (observation: Observation) => void) {
    super(settings, report)
    this.#source = settings.source
    this.#report = report
  }

  override query(...asked: Parameters<PostgresSource['query']>): Promise<Buffer> {
    return isRecorded() ? this.#timed([asked[0]], () => super.query(...asked)) : super.query(...asked)
  }

  override queryRows(...asked: Parameters<PostgresSource['queryRows']>): ReturnType<PostgresSource['queryRows']> {
    return this.#observe(
      () => [asked[0]],
      () => super.queryRows(...asked),
    )
  }

  override runTransaction(
    statements: readonly BoundStatement[],
    options: TransactionOptions = {},
  ): Promise<readonly Buffer[]> {
    return this.#observe(
      () => statements.map(({ plan }) => plan),
      () => super.runTransaction(statements, options),
    )
  }

  override transaction<Result>(
    work: (transaction: Transaction) => Promise<Result>,
    options: TransactionOptions = {},
  ): Promise<Result> {
    return super.transaction((inside) => work(isRecorded() ? this.#observed(inside) : inside), options)
  }

  override runSql(...asked: Parameters<SourceConnection['runSql']>): Promise<RunSqlResult> {
    return this.#observe(
      () => [{ text: asked[0].sql }],
      () => super.runSql(...asked),
    )
  }

  #observed(transaction: Transaction): Transaction {
    return {
      query: (plan, parameters) =>
        this.#observe(
          () => [plan],
          () => transaction.query(plan, parameters),
        ),
      queryAll: (statements) =>
        this.#observe(
          () => statements.map(({ plan }) => plan),
          () => transaction.queryAll(statements),
        ),
      queryRows: (plan, parameters) =>
        this.#observe(
          () => [plan],
          () => transaction.queryRows(plan, parameters),
        ),
    }
  }

  #observe<Result>(plans: () => readonly Pick<Statement, 'text'>[], run: () => Promise<Result>): Promise<Result> {
    return isRecorded() ? this.#timed(plans(), run) : run()
  }

  async #timed<Result>(plans: readonly Pick<Statement, 'text'>[], run: () => Promise<Result>): Promise<Result> {
    const started = performance.now()
    const report = (error: string | null) =>
      this.#report({
        kind: 'statement-executed',
        source: this.#source,
        statements: plans.map(({ text }) => text),
        milliseconds: performance.now() - started,
        error,
      })
    try {
      const result = await run()
      report(null)
      return result
    } catch (error) {
      report(codeOf(error))
      throw error
    }
  }
}

function codeOf(error: unknown): string {
  const cause = error instanceof TransactionFailed ? error.cause : error
  return cause instanceof ApiError ? cause.code : 'unexpected'
}
