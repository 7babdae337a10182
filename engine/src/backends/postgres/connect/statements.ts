import pg from 'pg'
import type { Step } from './batch.ts'
import { isLostStatement } from './from-sql-state.ts'
import type { PreparedNames } from './prepared-names.ts'
import type { RawDataRow } from './split-rows.ts'
import type { Prepared } from './value-queue.ts'
import { type Wire, type WireStatement, WireStatementBase } from './wire.ts'

interface Settle<Result> {
  readonly resolve: (result: Result) => void
  readonly reject: (error: Error) => void
}

/**
 * What the server refuses is reported once it is ready for what comes next: reported earlier, the connection would be used again,
 * and the end of the refused statement be taken for the end of the next one.
 */
export function whenReady(wire: Wire, error: Error, report: () => void): void {
  if (!(error instanceof pg.DatabaseError) || error.severity === 'FATAL' || error.severity === 'PANIC') {
    report()
    return
  }
  const settle = () => {
    wire.off('readyForQuery', settle)
    wire.off('end', settle)
    report()
  }
  wire.on('readyForQuery', settle)
  wire.on('end', settle)
}

abstract class Extended<Result> extends WireStatementBase implements WireStatement {
  readonly #statement: Prepared
  readonly #names: PreparedNames
  readonly #settle: Settle<Result>
  readonly #before: Step | null
  #parses = false
  /** The rows that come are those of the statement. */
  #isTurn: boolean

  /** `before` goes with it where the session is a pooler's. */
  constructor(statement: Prepared, names: PreparedNames, settle: Settle<Result>, before: Step | null = null) {
    super({ text: statement.text })
    this.#statement = statement
    this.#names = names
    this.#settle = settle
    this.#before = before
    this.#isTurn = before === null
  }

  submit(wire: Wire): null {
    const { text, name, parameters } = this.#statement
    wire.stream.cork()
    if (this.#before) sendBefore(wire, this.#before)
    const { parse, closes } = name === null ? { parse: true, closes: [] } : this.#names.use(name)
    for (const old of closes) wire.close({ type: 'S', name: old })
    if (parse) wire.parse({ name: name ?? '', text })
    this.#parses = parse
    wire.bind({ statement: name ?? '', values: parameters })
    wire.execute({ portal: '' })
    wire.sync()
    wire.stream.uncork()
    return null
  }

  protected abstract take(row: RawDataRow): void
  abstract result(): Result

  handleDataRow(row: RawDataRow): void {
    if (this.#isTurn) this.take(row)
  }

  handleCommandComplete(): void {
    this.#isTurn = true
  }

  handleRowDescription(): void {}
  handleEmptyQuery(): void {}

  handleError(error: Error, wire: Wire): void {
    const { name } = this.#statement
    if (name !== null) this.#names.failed(name, this.#parses, isLostStatement(error))
    whenReady(wire, error, () => this.#settle.reject(error))
  }

  handleReadyForQuery(): void {
    this.#settle.resolve(this.result())
  }
}

function sendBefore(wire: Wire, { text, parameters }: Step): void {
  wire.parse({ name: '', text })
  wire.bind({ statement: '', values: parameters })
  wire.execute({ portal: '' })
}

export interface DescribedColumn {
  readonly name: string
  /** Of its type. */
  readonly oid: number
}

/** Has statements that return rows parsed and described, all in one round trip, and runs none. */
export class DescribeStatements extends WireStatementBase implements WireStatement {
  readonly #texts: readonly string[]
  readonly #settle: Settle<readonly (readonly DescribedColumn[])[]>
  readonly #before: Step | null
  readonly #described: (readonly DescribedColumn[])[] = []

  constructor(
    texts: readonly string[],
    settle: Settle<readonly (readonly DescribedColumn[])[]>,
    before: Step | null = null,
  ) {
    super({ text: texts.join('; ') })
    this.#texts = texts
    this.#settle = settle
    this.#before = before
  }

  submit(wire: Wire): null {
    wire.stream.cork()
    if (this.#before) sendBefore(wire, this.#before)
    for (const text of this.#texts) {
      wire.parse({ name: '', text })
      wire.describe({ type: 'S', name: '' })
    }
    wire.sync()
    wire.stream.uncork()
    return null
  }

  handleRowDescription({ fields }: Parameters<WireStatement['handleRowDescription']>[0]): void {
    this.#described.push(fields.map(({ name, dataTypeID }) => ({ name, oid: dataTypeID })))
  }

  handleDataRow(): void {}
  handleCommandComplete(): void {}
  handleEmptyQuery(): void {}

  handleError(error: Error, wire: Wire): void {
    whenReady(wire, error, () => this.#settle.reject(error))
  }

  handleReadyForQuery(): void {
    this.#settle.resolve(this.#described)
  }
}

export type TextRow = readonly (string | null)[]

/** Returns all rows as text. */
export class RowsStatement extends Extended<readonly TextRow[]> {
  readonly #rows: TextRow[] = []

  protected take(row: RawDataRow): void {
    this.#rows.push(textsOf(row))
  }

  result(): readonly TextRow[] {
    return this.#rows
  }
}

export const textsOf = ({ fields }: RawDataRow): TextRow =>
  fields.map((field) => (field === null ? null : field.toString()))

/** The rows of the last statement of a script: null when it returns none. */
export interface ScriptResult {
  readonly columns: readonly string[] | null
  readonly rows: readonly TextRow[]
}

/** A script of statements in the simple protocol. Rows of all but the last statement are dropped. */
export class Script extends WireStatementBase implements WireStatement {
  readonly #text: string
  readonly #settle: Settle<ScriptResult>
  #columns: readonly string[] | null = null
  #rows: TextRow[] = []
  #completed = false

  constructor(text: string, settle: Settle<ScriptResult>) {
    super({ text })
    this.#text = text
    this.#settle = settle
  }

  submit(wire: Wire): null {
    wire.query(this.#text)
    return null
  }

  handleRowDescription({ fields }: { readonly fields: readonly { readonly name: string }[] }): void {
    this.#begin(fields.map(({ name }) => name))
  }

  handleDataRow(row: RawDataRow): void {
    this.#rows.push(textsOf(row))
  }

  handleCommandComplete(): void {
    if (this.#completed) this.#begin(null)
    this.#completed = true
  }

  handleEmptyQuery(): void {}

  handleError(error: Error, wire: Wire): void {
    whenReady(wire, error, () => this.#settle.reject(error))
  }

  handleReadyForQuery(): void {
    this.#settle.resolve({ columns: this.#columns, rows: this.#rows })
  }

  #begin(columns: readonly string[] | null): void {
    this.#columns = columns
    this.#rows = []
    this.#completed = false
  }
}

/** One statement in the extended protocol, which takes no second one: whatever a script hides in it is refused. */
export class SingleStatement extends Script {
  readonly #only: string

  constructor(text: string, settle: Settle<ScriptResult>) {
    super(text, settle)
    this.#only = text
  }

  override submit(wire: Wire): null {
    wire.stream.cork()
    wire.parse({ name: '', text: this.#only })
    wire.bind({ statement: '', values: [] })
    wire.describe({ type: 'P', name: '' })
    wire.execute({ portal: '' })
    wire.sync()
    wire.stream.uncork()
    return null
  }
}
