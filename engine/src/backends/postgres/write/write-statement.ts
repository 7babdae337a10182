/**
 * The statements that a write becomes (reference/mutations): the last of them answers. Rows that later statements refer to,
 * and rows whose answer follows relationships, are saved in settings of the transaction in between.
 */
import type {
  BooleanExpression,
  Conflict,
  DeleteRows,
  QualifiedName,
  UpdateRows,
  Value,
  WriteAnswer,
  WrittenColumn,
} from '../../../ir/index.ts'

export type WriteStatement = InsertStatement | InsertTreeStatement | UpdateStatement | DeleteStatement | SavedAnswer

export type UpdateStatement = Omit<UpdateRows, 'answer'> & { readonly result: WriteResult }

export type DeleteStatement = Omit<DeleteRows, 'answer'> & { readonly result: WriteResult }

/** One INSERT of a statement: rows of one list that are written together. */
export interface InsertClause {
  readonly into: QualifiedName
  readonly columns: readonly WrittenColumn[]
  readonly rows:
    | { readonly kind: 'cells'; readonly of: readonly (readonly Cell[])[] }
    /** Any number of rows: the value of a cell is the list of its values in each of them. */
    | { readonly kind: 'lists'; readonly of: readonly Cell[]; readonly count: Value }
  readonly conflict: Conflict | null
  /** Of each row as it is written; a row that does not satisfy it fails the statement. */
  readonly check: BooleanExpression
  /** The database runs nothing of a user's for it: no trigger, rule or function. */
  readonly isPlain: boolean
  /** Both as of the table that it is into. */
  readonly changesAlone: boolean
  readonly key?: readonly string[] | undefined
}

export interface InsertStatement extends InsertClause {
  readonly kind: 'insert'
  readonly result: WriteResult
}

/**
 * Rows with rows inside them, written by one statement: where nothing that it runs reads a table that it writes, since none
 * of it would find the other rows. They are in the order of their keys.
 */
export interface InsertTreeStatement {
  readonly kind: 'insert-tree'
  readonly inserts: readonly InsertClause[]
  /** Which of them write the rows of the root; these are of one table. */
  readonly roots: readonly number[]
  readonly table: QualifiedName
  readonly result: WriteResult
}

/** What a column of a new row is. */
export type Cell =
  /** Text that is bound when the statement runs; of `lists`, a list of texts in the database's text form. */
  | { readonly kind: 'given'; readonly value: Value }
  /** The same text in every row: a preset. */
  | { readonly kind: 'same'; readonly value: Value }
  /** Text that stands in the statement: where there are more of them than a statement has parameters. */
  | { readonly kind: 'text'; readonly text: string | null }
  | { readonly kind: 'default' }
  /** A column of the one row that is saved there. */
  | { readonly kind: 'saved'; readonly from: Value; readonly table: QualifiedName; readonly column: string }
  /** A column of the one row that an insert of the same tree writes; or of the row of this place, a place for each row of `lists`. */
  | { readonly kind: 'written'; readonly by: number; readonly column: string; readonly at?: Value }

/** What a write does with the rows that it wrote. */
export type WriteResult =
  | { readonly kind: 'answer'; readonly answer: WriteAnswer }
  | {
      readonly kind: 'saved'
      /** The name under which they are stored until the transaction ends; null: nothing needs them. */
      readonly as: Value | null
      /** Their number is added here. */
      readonly count: Value | null
      /** Without a row, the statement fails. */
      readonly required: boolean
    }

/** Answers with rows that were saved before, as they were written; what their fields lead to is as it is now. */
export interface SavedAnswer {
  readonly kind: 'saved-answer'
  readonly table: QualifiedName
  /** A list of names. */
  readonly names: Value
  /** Where the writes counted their rows; null: those that are saved. */
  readonly count: Value | null
  readonly answer: WriteAnswer
}
