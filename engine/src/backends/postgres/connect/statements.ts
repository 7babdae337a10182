import pg from 'pg'
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
 * What the server refuses is told once it is ready for what comes next: told before, the connection would be used again,
 * and the end of the refused statement be taken for the end of the next one.
 */
function whenReady(wire: Wire, error: Error, tell: () => void): void {
  if (!(error instanceof pg.DatabaseError) || error.severity === 'FATAL' || error.severity === 'PANIC') {
    tell()
    return
  }
  const settle = () => {
    wire.off('readyForQuery', settle)
    wire.off('end', settle)
    tell()
  }
  wire.on('readyForQuery', settle)
  wire.on('end', settle)
}

abstract class Extended<Result> extends WireStatementBase implements WireStatement {
  readonly #statement: Prepared
  readonly #names: PreparedNames
  readonly #settle: Settle<Result>
  #parses = false

  constructor(statement: Prepared, names: PreparedNames, settle: Settle<Result>) {
    super({ text: statement.text })
    this.#statement = statement
    this.#names = names
    this.#settle = settle
  }

  submit(wire: Wire): null {
    const { text, name, parameters } = this.#statement
    wire.stream.cork()
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

  abstract handleDataRow(message: RawDataRow): void
  abstract result(): Result

  handleRowDescription(): void {}
  handleCommandComplete(): void {}
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

export interface DescribedColumn {
  readonly name: string
  /** Of its type. */
  readonly oid: number
}

/** Has a statement parsed and described, and does not run it. */
export class DescribeStatement extends WireStatementBase implements WireStatement {
  readonly #text: string
  readonly #settle: Settle<readonly DescribedColumn[]>
  #columns: readonly DescribedColumn[] = []

  constructor(text: string, settle: Settle<readonly DescribedColumn[]>) {
    super({ text })
    this.#text = text
    this.#settle = settle
  }

  submit(wire: Wire): null {
    wire.stream.cork()
    wire.parse({ name: '', text: this.#text })
    wire.describe({ type: 'S', name: '' })
    wire.sync()
    wire.stream.uncork()
    return null
  }

  handleRowDescription({ fields }: Parameters<WireStatement['handleRowDescription']>[0]): void {
    this.#columns = fields.map(({ name, dataTypeID }) => ({ name, oid: dataTypeID }))
  }

  handleDataRow(): void {}
  handleCommandComplete(): void {}
  handleEmptyQuery(): void {}

  handleError(error: Error, wire: Wire): void {
    whenReady(wire, error, () => this.#settle.reject(error))
  }

  handleReadyForQuery(): void {
    this.#settle.resolve(this.#columns)
  }
}

/** Gives the one column of the one row, as bytes. */
export class ValueStatement extends Extended<Buffer> {
  #value: Buffer = NULL

  handleDataRow({ fields }: RawDataRow): void {
    this.#value = fields[0] ?? NULL
  }

  result(): Buffer {
    return this.#value
  }
}

const NULL = Buffer.from('null')

export type TextRow = readonly (string | null)[]

/** Gives all rows as text. */
export class RowsStatement extends Extended<readonly TextRow[]> {
  readonly #rows: TextRow[] = []

  handleDataRow(row: RawDataRow): void {
    this.#rows.push(textsOf(row))
  }

  result(): readonly TextRow[] {
    return this.#rows
  }
}

const textsOf = ({ fields }: RawDataRow): TextRow => fields.map((field) => (field === null ? null : field.toString()))

/** What the last statement of a script gave: null when it gives no rows. */
export interface ScriptResult {
  readonly columns: readonly string[] | null
  readonly rows: readonly TextRow[]
}

/** A script of statements in the simple protocol. Rows of all but the last statement are let go. */
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
