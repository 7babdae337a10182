/**
 * The GraphQL types of writing to one table (reference/graphql-schema#generated-types, reference/mutations), each made
 * when first requested.
 */
import type { AssignmentOperator, DatabaseType } from '../../ir/index.ts'
import type { ResolvedColumn, ResolvedRelationship } from '../../model/index.ts'
import type { TableTypes } from './table-types.ts'
import type { EnumType, InputType, ObjectType } from './type.ts'
import type { WriteTable } from './write-table.ts'

export interface WriteTypes {
  readonly table: WriteTable
  /** What the role may select, for conditions and for what is returned. */
  readonly selected: TableTypes
  /** Tables that rows may be inserted into along with those of this one, by relationship. */
  readonly targets: ReadonlyMap<string, WriteTable>
  readonly insertInput: () => InputType<InsertMeaning>
  readonly objectInsert: () => InputType<NestedMeaning>
  readonly arrayInsert: () => InputType<NestedMeaning>
  /** `T_on_conflict` or `T_if_matched`. Null where no row of the table could be in conflict. */
  readonly onConflict: () => InputType<ConflictMeaning> | null
  readonly constraint: () => EnumType
  /** Columns by which `if_matched` knows a row. */
  readonly matchColumn: () => EnumType
  readonly updateColumn: () => EnumType
  /** The inputs of operators that have columns to work on. */
  readonly operators: () => readonly OperatorInput[]
  readonly keyInput: () => InputType<ResolvedColumn>
  readonly updates: () => InputType<UpdatesMeaning>
  readonly response: () => ObjectType<ResponseMeaning>
}

export type InsertMeaning =
  | { readonly kind: 'column'; readonly column: ResolvedColumn }
  | { readonly kind: 'relationship'; readonly relationship: ResolvedRelationship }

export type NestedMeaning = 'data' | 'conflict'
export type ConflictMeaning = 'constraint' | 'match-columns' | 'update-columns' | 'where'
export type UpdatesMeaning = { readonly kind: 'where' } | { readonly kind: 'operator'; readonly of: OperatorInput }
export type ResponseMeaning = 'affected-rows' | 'returning'

/** `_set: T_set_input` and its like. */
export interface OperatorInput {
  readonly operator: AssignmentOperator
  /** The name of its argument. */
  readonly name: string
  readonly description: string
  readonly type: InputType<OperatorMeaning>
}

export interface OperatorMeaning {
  readonly column: ResolvedColumn
  /** Of the value. */
  readonly type: DatabaseType
}
