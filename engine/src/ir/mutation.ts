/**
 * What a root field of a mutation writes (reference/mutations), and what it answers. It says what is meant: a backend makes
 * its program of it, one statement or several, which runs in one transaction with those of the other root fields.
 */
import type { BooleanExpression, QualifiedName } from './boolean-expression.ts'
import type { RootQuery, RowField } from './select.ts'
import type { DatabaseType, Value } from './values.ts'

/** All of it but values is known when the operation is planned; rows to be inserted are not: insert-rows.ts. */
export type Write = UpdateRows | DeleteRows | CallFunction

export interface WrittenColumn {
  readonly name: string
  readonly type: DatabaseType
}

/** `on_conflict`, `if_matched` (reference/mutations#conflicts). */
export interface Conflict {
  readonly target:
    | { readonly kind: 'any' }
    | { readonly kind: 'constraint'; readonly name: string }
    | { readonly kind: 'columns'; readonly of: readonly string[] }
    /** `if_matched`: rows that are equal in these columns, which need be no key (docs/sql-server.md#if_matched). */
    | { readonly kind: 'matched'; readonly of: readonly string[] }
  /** Null: the existing row is unchanged. */
  readonly update: {
    /** Columns that take what was to be inserted. */
    readonly columns: readonly string[]
    readonly presets: readonly { readonly column: string; readonly value: Value }[]
    /** The rows that may be updated: all other rows are skipped. */
    readonly where: BooleanExpression
    readonly check: BooleanExpression
    /** Columns by which a row that was there is known from a new one; null: the database says which it is. */
    readonly knownBy: readonly string[] | null
  } | null
}

export interface UpdateRows {
  readonly kind: 'update'
  readonly table: QualifiedName
  readonly assignments: readonly Assignment[]
  /** Of the row before, the permission's filter under `rooted`. */
  readonly where: BooleanExpression
  /** Of the row after; a row that does not satisfy it fails the mutation. */
  readonly check: BooleanExpression
  /** One row at most, for which the database runs nothing of a user's. */
  readonly isPlain: boolean
  readonly changes?: PlainChange | undefined
  readonly answer: WriteAnswer
}

/** The database runs nothing of a user's for any of the rows that are changed, and passes nothing on. */
export interface PlainChange {
  /** Columns by which a row is found as it was before, which the write does not set; null: there are none. */
  readonly key: readonly string[] | null
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

export interface DeleteRows {
  readonly kind: 'delete'
  readonly table: QualifiedName
  readonly where: BooleanExpression
  /** `isPlain` and `changes` as of an update. */
  readonly isPlain: boolean
  readonly changes?: PlainChange | undefined
  readonly answer: WriteAnswer
}

/** A tracked function that is exposed as a mutation: its rows are the answer. */
interface CallFunction {
  readonly kind: 'call'
  readonly query: RootQuery
}

export type WriteAnswer =
  | ({ readonly kind: 'response'; readonly fields: readonly ResponseField[] } & LeadsTo)
  /** The first row or null. */
  | ({ readonly kind: 'row'; readonly fields: readonly RowField[] } & LeadsTo)
  | { readonly kind: 'nothing' }

interface LeadsTo {
  /**
   * The tables that its fields read in addition to the rows, where reading each of them runs nothing of a user's and shows rows
   * of no other table. Absent: they may read anything.
   */
  readonly leadsTo?: readonly QualifiedName[] | undefined
}

export type ResponseField =
  | { readonly kind: 'typename'; readonly as: string; readonly name: string }
  | { readonly kind: 'affected-rows'; readonly as: string }
  | { readonly kind: 'returning'; readonly as: string; readonly fields: readonly RowField[] }

/**
 * Whether a field's value is more than what was written of the row: it has to be read once all is written
 * (reference/mutations#returning).
 */
const leadsElsewhere = (field: RowField): boolean =>
  field.kind !== 'typename' && field.kind !== 'column' && field.kind !== 'node-id'

/** The fields of rows that an answer has. */
export function rowFieldsOf(answer: WriteAnswer): readonly RowField[] {
  switch (answer.kind) {
    case 'nothing':
      return []
    case 'row':
      return answer.fields
    case 'response':
      return answer.fields.flatMap((field) => (field.kind === 'returning' ? field.fields : []))
  }
}

export const answerLeadsElsewhere = (answer: WriteAnswer): boolean => rowFieldsOf(answer).some(leadsElsewhere)
