/**
 * Writing rows. A root field of a mutation is a list of writes in one transaction, and the last one gives its answer
 * (reference/mutations): rows that later writes refer to, and rows whose answer follows relationships, are saved in
 * between.
 */
import type { BooleanExpression, QualifiedName } from './boolean-expression.ts'
import type { RowField } from './select.ts'
import type { DatabaseType, Value } from './values.ts'

/** One statement. */
export type Write = InsertWrite | InsertTree | UpdateWrite | DeleteWrite | SavedAnswer

export interface InsertWrite extends Insertion {
  readonly kind: 'insert'
  readonly result: WriteResult
}

/** Rows of one list that are written together. */
export interface Insertion {
  readonly into: QualifiedName
  readonly columns: readonly WrittenColumn[]
  readonly rows:
    | { readonly kind: 'cells'; readonly of: readonly (readonly Cell[])[] }
    /** Any number of rows: a given cell is the list of what it is in each of them. */
    | { readonly kind: 'lists'; readonly of: readonly Cell[]; readonly count: Value }
  readonly conflict: Conflict | null
  /** Of each row as it is written; a row that does not satisfy it fails the statement. */
  readonly check: BooleanExpression
  /** The database runs nothing of a user's for it: no trigger, rule or function. */
  readonly isPlain: boolean
}

/**
 * Rows with rows inside them, written by one statement: where nothing that it runs looks at a table, since none of it would
 * find the others. They are in the order of their keys.
 */
export interface InsertTree {
  readonly kind: 'insert-tree'
  readonly inserts: readonly Insertion[]
  /** Which of them write the rows of the root, a row each; these are of one table. */
  readonly roots: readonly number[]
  readonly table: QualifiedName
  readonly result: WriteResult
}

export interface WrittenColumn {
  readonly name: string
  readonly type: DatabaseType
}

/** What a column of a new row is. */
export type Cell =
  /** Text that is given when the statement runs; of `lists`, a list of texts in the database's text form. */
  | { readonly kind: 'given'; readonly value: Value }
  /** The same text in every row: a preset. */
  | { readonly kind: 'same'; readonly value: Value }
  /** Text that stands in the statement: where there are more of them than a statement has parameters. */
  | { readonly kind: 'text'; readonly text: string | null }
  | { readonly kind: 'default' }
  /** A column of the one row that is saved there. */
  | { readonly kind: 'saved'; readonly from: Value; readonly table: QualifiedName; readonly column: string }
  /** A column of the one row that an insert of the same tree writes. */
  | { readonly kind: 'written'; readonly by: number; readonly column: string }

/** `on_conflict` (reference/mutations#conflicts). */
export interface Conflict {
  readonly target:
    | { readonly kind: 'any' }
    | { readonly kind: 'constraint'; readonly name: string }
    | { readonly kind: 'columns'; readonly of: readonly string[] }
  /** Null: the row that is there stays as it is. */
  readonly update: {
    /** Columns that take what was to be inserted. */
    readonly columns: readonly string[]
    readonly presets: readonly { readonly column: string; readonly value: Value }[]
    /** The rows that may be updated: the others are skipped. */
    readonly where: BooleanExpression
    readonly check: BooleanExpression
    /** Columns by which a row that was there is known from a new one; null: the database says which it is. */
    readonly knownBy: readonly string[] | null
  } | null
}

export interface UpdateWrite {
  readonly kind: 'update'
  readonly table: QualifiedName
  readonly assignments: readonly Assignment[]
  /** Of the row before, the permission's filter under `rooted`. */
  readonly where: BooleanExpression
  /** Of the row after. */
  readonly check: BooleanExpression
  /** One row at most, for which the database runs nothing of a user's. */
  readonly isPlain: boolean
  readonly result: WriteResult
}

export type AssignmentOperator =
  | 'set'
  | 'inc'
  | 'mul'
  | 'append'
  | 'prepend'
  | 'delete_key'
  | 'delete_elem'
  | 'delete_at_path'

export type Assignment =
  | { readonly column: string; readonly operator: AssignmentOperator; readonly value: Value }
  | { readonly column: string; readonly operator: 'default' }

export interface DeleteWrite {
  readonly kind: 'delete'
  readonly table: QualifiedName
  readonly where: BooleanExpression
  /** As of an update. */
  readonly isPlain: boolean
  readonly result: WriteResult
}

/** What a write does with the rows that it wrote. */
export type WriteResult =
  | { readonly kind: 'answer'; readonly answer: WriteAnswer }
  | {
      readonly kind: 'saved'
      /** The name that they are kept under until the transaction ends; null: nothing needs them. */
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

export type WriteAnswer =
  | { readonly kind: 'response'; readonly fields: readonly ResponseField[] }
  /** The first row or null. */
  | { readonly kind: 'row'; readonly fields: readonly RowField[] }
  | { readonly kind: 'nothing' }

export type ResponseField =
  | { readonly kind: 'typename'; readonly as: string; readonly name: string }
  | { readonly kind: 'affected-rows'; readonly as: string }
  | { readonly kind: 'returning'; readonly as: string; readonly fields: readonly RowField[] }

/**
 * Whether a field's value is more than what was written of the row: it has to be asked once all is written
 * (reference/mutations#returning).
 */
export const leadsElsewhere = (field: RowField): boolean =>
  field.kind !== 'typename' && field.kind !== 'column' && field.kind !== 'node-id'

export function answerLeadsElsewhere(answer: WriteAnswer): boolean {
  switch (answer.kind) {
    case 'nothing':
      return false
    case 'row':
      return answer.fields.some(leadsElsewhere)
    case 'response':
      return answer.fields.some((field) => field.kind === 'returning' && field.fields.some(leadsElsewhere))
  }
}
