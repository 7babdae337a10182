import type { TextStatement } from '../../event-store.ts'
import type { RawDataRow } from './split-rows.ts'
import { Extended, type Settle, type TextRow, textsOf } from './statements.ts'
import type { SourceClient, Wire } from './wire.ts'

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

/** Sends several statements in one write with one Sync behind them: the rows of each as text. Rejects with RefusedAt. */
export const pipelinedRows = (
  client: SourceClient,
  statements: readonly TextStatement[],
): Promise<readonly (readonly TextRow[])[]> =>
  new Promise((resolve, reject) => client.run(new PipelinedRows(statements, { resolve, reject })))

class PipelinedRows extends Extended<readonly (readonly TextRow[])[]> {
  readonly #statements: readonly TextStatement[]
  readonly #rows: TextRow[][]
  #done = 0

  constructor(statements: readonly TextStatement[], settle: Settle<readonly (readonly TextRow[])[]>) {
    super(statements.map(({ text }) => text).join('; '), settle)
    this.#statements = statements
    this.#rows = statements.map(() => [])
  }

  protected write(wire: Wire): void {
    for (const { text, slots } of this.#statements) {
      wire.parse({ name: '', text })
      wire.bind({ statement: '', values: slots })
      wire.execute({ portal: '' })
    }
  }

  override handleDataRow(row: RawDataRow): void {
    this.#rows[this.#done]?.push(textsOf(row))
  }

  override handleCommandComplete(): void {
    this.#done += 1
  }

  override handleEmptyQuery(): void {
    this.#done += 1
  }

  protected override reasonOf(error: Error): Error {
    return new RefusedAt(error, this.#done)
  }

  protected result(): readonly (readonly TextRow[])[] {
    return this.#rows
  }
}
