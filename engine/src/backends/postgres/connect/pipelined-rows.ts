import type { TextStatement } from '../../event-store.ts'
import type { RawDataRow } from './split-rows.ts'
import { type TextRow, textsOf, whenReady } from './statements.ts'
import { type Wire, type WireStatement, WireStatementBase } from './wire.ts'

/** What the server refused one of several statements with: those behind it did not run. */
export class RefusedAt extends Error {
  override readonly cause: Error
  /** Which of them, from 0. */
  readonly place: number

  constructor(cause: Error, place: number) {
    super(cause.message)
    this.cause = cause
    this.place = place
  }
}

/** Several statements in one write with one Sync behind them: the rows of each as text. Rejects with RefusedAt. */
export class PipelinedRows extends WireStatementBase implements WireStatement {
  readonly #statements: readonly TextStatement[]
  readonly #resolve: (rows: readonly (readonly TextRow[])[]) => void
  readonly #reject: (error: Error) => void
  readonly #rows: TextRow[][]
  #done = 0

  constructor(
    statements: readonly TextStatement[],
    { resolve, reject }: { resolve(rows: readonly (readonly TextRow[])[]): void; reject(error: Error): void },
  ) {
    super({ text: statements.map(({ text }) => text).join('; ') })
    this.#statements = statements
    this.#resolve = resolve
    this.#reject = reject
    this.#rows = statements.map(() => [])
  }

  submit(wire: Wire): null {
    wire.stream.cork()
    for (const { text, slots } of this.#statements) {
      wire.parse({ name: '', text })
      wire.bind({ statement: '', values: slots })
      wire.execute({ portal: '' })
    }
    wire.sync()
    wire.stream.uncork()
    return null
  }

  handleRowDescription(): void {}

  handleDataRow(row: RawDataRow): void {
    this.#rows[this.#done]?.push(textsOf(row))
  }

  handleCommandComplete(): void {
    this.#done += 1
  }

  handleEmptyQuery(): void {
    this.#done += 1
  }

  handleError(error: Error, wire: Wire): void {
    whenReady(wire, error, () => this.#reject(new RefusedAt(error, this.#done)))
  }

  handleReadyForQuery(): void {
    this.#resolve(this.#rows)
  }
}
