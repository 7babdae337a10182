import pg from 'pg'
import type { Step } from './batch.ts'
import { isLostStatement } from './from-sql-state.ts'
import type { PreparedNames } from './prepared-names.ts'
import type { RawDataRow } from './split-rows.ts'
import type { Prepared } from './value-queue.ts'
import { type Wire, type WireStatement, WireStatementBase } from './wire.ts'

export interface Settle<Result> {
  readonly resolve: (result: Result) => void
  readonly reject: (error: Error) => void
}

/**
 * What the server refuses is reported once it is ready for what comes next: reported earlier, the connection would be
 * used again, and the end of the refused statement be taken for the end of the next one.
 */
function whenReady(wire: Wire, error: Error, report: () => void): void {
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

/** A statement in the extended protocol, sent in one write with a Sync behind it. */
export abstract class Extended<Result> extends WireStatementBase implements WireStatement {
  readonly #settle: Settle<Result>

  constructor(text: string, settle: Settle<Result>) {
    super({ text })
    this.#settle = settle
  }

  submit(wire: Wire): null {
    wire.stream.cork()
    this.write(wire)
    wire.sync()
    wire.stream.uncork()
    return null
  }

  protected abstract write(wire: Wire): void
  protected abstract result(): Result

  handleRowDescription(_message: Parameters<WireStatement['handleRowDescription']>[0]): void {}
  handleDataRow(_row: RawDataRow): void {}
  handleCommandComplete(): void {}
  handleEmptyQuery(): void {}

  handleError(error: Error, wire: Wire): void {
    whenReady(wire, error, () => this.#settle.reject(this.reasonOf(error)))
  }

  /** Returns what it rejects with, where the server refused it with `error`. */
  protected reasonOf(error: Error): Error {
    return error
  }

  handleReadyForQuery(): void {
    this.#settle.resolve(this.result())
  }
}

/** A statement that returns all its rows as text. */
export class RowsStatement extends Extended<readonly TextRow[]> {
  readonly #statement: Prepared
  readonly #names: PreparedNames
  readonly #before: Step | null
  readonly #rows: TextRow[] = []
  #parses = false
  /** The rows that come are those of the statement. */
  #isTurn: boolean

  /** `before` goes with it where the session is a pooler's. */
  constructor(
    statement: Prepared,
    names: PreparedNames,
    settle: Settle<readonly TextRow[]>,
    before: Step | null = null,
  ) {
    super(statement.text, settle)
    this.#statement = statement
    this.#names = names
    this.#before = before
    this.#isTurn = before === null
  }

  protected write(wire: Wire): void {
    const { text, name, parameters } = this.#statement
    if (this.#before) sendBefore(wire, this.#before)
    const { parse, closes } = name === null ? { parse: true, closes: [] } : this.#names.use(name)
    for (const old of closes) wire.close({ type: 'S', name: old })
    if (parse) wire.parse({ name: name ?? '', text })
    this.#parses = parse
    wire.bind({ statement: name ?? '', values: parameters })
    wire.execute({ portal: '' })
  }

  override handleDataRow(row: RawDataRow): void {
    if (this.#isTurn) this.#rows.push(textsOf(row))
  }

  override handleCommandComplete(): void {
    this.#isTurn = true
  }

  override handleError(error: Error, wire: Wire): void {
    const { name } = this.#statement
    if (name !== null) this.#names.failed(name, this.#parses, isLostStatement(error))
    super.handleError(error, wire)
  }

  protected result(): readonly TextRow[] {
    return this.#rows
  }
}

function sendBefore(wire: Wire, { text, parameters }: Step): void {
  wire.parse({ name: '', text })
  wire.bind({ statement: '', values: parameters })
  wire.execute({ portal: '' })
}

export interface DescribedColumn {
  readonly name: string
  /** The number of its type. */
  readonly oid: number
}

/** Statements that return rows, which are parsed and described in one round trip; none is run. */
export class DescribeStatements extends Extended<readonly (readonly DescribedColumn[])[]> {
  readonly #texts: readonly string[]
  readonly #before: Step | null
  readonly #described: (readonly DescribedColumn[])[] = []

  constructor(
    texts: readonly string[],
    settle: Settle<readonly (readonly DescribedColumn[])[]>,
    before: Step | null = null,
  ) {
    super(texts.join('; '), settle)
    this.#texts = texts
    this.#before = before
  }

  protected write(wire: Wire): void {
    if (this.#before) sendBefore(wire, this.#before)
    for (const text of this.#texts) {
      wire.parse({ name: '', text })
      wire.describe({ type: 'S', name: '' })
    }
  }

  override handleRowDescription({ fields }: Parameters<WireStatement['handleRowDescription']>[0]): void {
    this.#described.push(fields.map(({ name, dataTypeID }) => ({ name, oid: dataTypeID })))
  }

  protected result(): readonly (readonly DescribedColumn[])[] {
    return this.#described
  }
}

export type TextRow = readonly (string | null)[]

export const textsOf = ({ fields }: RawDataRow): TextRow =>
  fields.map((field) => (field === null ? null : field.toString()))

/** The rows of the last statement of a script: null when it returns none. */
export interface ScriptResult {
  readonly columns: readonly string[] | null
  readonly rows: readonly TextRow[]
}

/** One statement that takes no second one: whatever a script hides in it is refused. */
export class SingleStatement extends Extended<ScriptResult> {
  readonly #text: string
  #columns: readonly string[] | null = null
  #rows: TextRow[] = []
  #completed = false

  constructor(text: string, settle: Settle<ScriptResult>) {
    super(text, settle)
    this.#text = text
  }

  protected write(wire: Wire): void {
    wire.parse({ name: '', text: this.#text })
    wire.bind({ statement: '', values: [] })
    wire.describe({ type: 'P', name: '' })
    wire.execute({ portal: '' })
  }

  override handleRowDescription({ fields }: Parameters<WireStatement['handleRowDescription']>[0]): void {
    this.#begin(fields.map(({ name }) => name))
  }

  override handleDataRow(row: RawDataRow): void {
    this.#rows.push(textsOf(row))
  }

  override handleCommandComplete(): void {
    if (this.#completed) this.#begin(null)
    this.#completed = true
  }

  protected result(): ScriptResult {
    return { columns: this.#columns, rows: this.#rows }
  }

  #begin(columns: readonly string[] | null): void {
    this.#columns = columns
    this.#rows = []
    this.#completed = false
  }
}

/** A script of statements in the simple protocol. Rows of all but the last statement are dropped. */
export class Script extends SingleStatement {
  readonly #script: string

  constructor(script: string, settle: Settle<ScriptResult>) {
    super(script, settle)
    this.#script = script
  }

  override submit(wire: Wire): null {
    wire.query(this.#script)
    return null
  }
}
