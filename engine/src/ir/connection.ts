/** A page of rows, each with a cursor that the next page can begin behind, as Relay requests it. */
import type { BooleanExpression, Operand } from './boolean-expression.ts'
import type { OrderBy, RowField } from './select.ts'
import type { Value } from './values.ts'

export interface Connection {
  /** Permission filter and `where` together, the former under `rooted`. */
  readonly where: BooleanExpression
  readonly distinctOn: readonly Operand[]
  /** Ends with a key of the table, so that no two rows are equal in it. */
  readonly orderBy: readonly CursorKey[]
  readonly permissionLimit: number | null
  /** How many rows, from which end. */
  readonly count: { readonly from: 'first' | 'last'; readonly of: Value } | null
  /** Only rows on one side of a cursor: its values, one for each of `orderBy`; null is NULL. */
  readonly bound: { readonly side: 'after' | 'before'; readonly values: readonly (Value | null)[] } | null
  readonly fields: readonly ConnectionField[]
}

export interface CursorKey extends OrderBy {
  /** Where its value stands in a cursor's JSON. */
  readonly names: readonly string[]
}

interface Typename {
  readonly kind: 'typename'
  readonly as: string
  readonly name: string
}

export type ConnectionField =
  | Typename
  | { readonly kind: 'page-info'; readonly as: string; readonly fields: readonly (Typename | PageInfoField)[] }
  | { readonly kind: 'edges'; readonly as: string; readonly fields: readonly EdgeField[] }

export interface PageInfoField {
  readonly kind: 'start-cursor' | 'end-cursor' | 'has-next-page' | 'has-previous-page'
  readonly as: string
}

export type EdgeField =
  | Typename
  | { readonly kind: 'cursor'; readonly as: string }
  | { readonly kind: 'node'; readonly as: string; readonly fields: readonly RowField[] }
