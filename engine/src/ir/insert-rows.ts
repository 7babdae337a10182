/**
 * Rows to be inserted with the rows that hang on them, before they become statements
 * (reference/mutations#order-of-an-insert).
 */
import type { BooleanExpression, QualifiedName } from './boolean-expression.ts'
import type { Conflict, WrittenColumn } from './mutation.ts'
import type { Value } from './values.ts'

/** A foreign key. */
export interface Reference {
  readonly target: QualifiedName
  /** `isFilled`: the database fills the column in where a row has no value. */
  readonly columns: readonly { readonly from: string; readonly isFilled: boolean }[]
}

/** Where rows of one table go: the same object as long as the permission means the same. */
export interface InsertTarget {
  readonly table: QualifiedName
  /** All that a row may have, in the order of the table. */
  readonly columns: readonly WrittenColumn[]
  readonly presets: readonly { readonly column: string; readonly value: Value }[]
  readonly check: BooleanExpression
  /**
   * The tables that its check reads, where reading each of them runs nothing of a user's and shows rows of no other table. Null: the
   * check, or what the database runs for a new row, may read anything.
   */
  readonly reads: readonly QualifiedName[] | null
  /** The database runs nothing of a user's for a new row. */
  readonly isPlain: boolean
  /** The database runs nothing of a user's for a row that is changed, and passes nothing on to other tables. */
  readonly changesAlone: boolean
  /** Its foreign keys. */
  readonly refersTo: readonly Reference[]
  /** The primary key. */
  readonly key?: readonly string[] | undefined
}

/** The rows of one list of the request, and where they go. */
export interface InsertList {
  readonly into: InsertTarget
  readonly conflict: Conflict | null
  readonly rows: readonly InsertRow[]
  /** Of the list. */
  readonly path: readonly (string | number)[]
}

export interface InsertRow {
  /** By column; what is missing takes its default. */
  readonly values: ReadonlyMap<string, Value>
  readonly before: readonly NestedInsert[]
  readonly after: readonly NestedInsert[]
  readonly path: readonly (string | number)[]
}

export interface NestedInsert {
  readonly relationship: string
  readonly kind: 'object' | 'array'
  /** Columns of the outer row and of these. */
  readonly columns: readonly { readonly from: string; readonly to: string }[]
  readonly rows: InsertList
}

export const isNested = ({ before, after }: InsertRow): boolean => before.length > 0 || after.length > 0
