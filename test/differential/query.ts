/** Queries as data. Every field has an alias, `as`. */
import type { Condition } from './world.ts'

export type AggregateOperator = 'sum' | 'avg' | 'min' | 'max' | 'variance' | 'stddev_pop'

export type Direction = 'asc' | 'asc_nulls_first' | 'asc_nulls_last' | 'desc' | 'desc_nulls_first' | 'desc_nulls_last'

/** Through object relationships to a column, or to an aggregate over an array relationship. */
export interface OrderKey {
  readonly through: readonly string[]
  readonly of:
    | { readonly kind: 'column'; readonly column: string }
    | { readonly kind: 'count'; readonly relationship: string }
    | {
        readonly kind: 'aggregate'
        readonly relationship: string
        readonly operator: AggregateOperator
        readonly column: string
      }
  readonly direction: Direction
}

export interface Rows {
  readonly where: Condition | null
  readonly orderBy: readonly OrderKey[]
  readonly distinctOn: readonly string[]
  readonly limit: number | null
  readonly offset: number | null
}

export type Field = { readonly as: string } & (
  | { readonly kind: 'column'; readonly column: string }
  | { readonly kind: 'object'; readonly relationship: string; readonly fields: readonly Field[] }
  | { readonly kind: 'array'; readonly relationship: string; readonly rows: Rows; readonly fields: readonly Field[] }
  | { readonly kind: 'aggregate'; readonly relationship: string; readonly rows: Rows; readonly parts: readonly Part[] }
)

export type Part = { readonly as: string } & (
  | { readonly kind: 'nodes'; readonly fields: readonly Field[] }
  | { readonly kind: 'aggregate'; readonly values: readonly AggregateValue[] }
)

export type AggregateValue = { readonly as: string } & (
  | { readonly kind: 'count'; readonly columns: readonly string[]; readonly distinct: boolean }
  | {
      readonly kind: 'operator'
      readonly operator: AggregateOperator
      readonly columns: readonly { readonly as: string; readonly column: string }[]
    }
)

export type Root = { readonly as: string; readonly table: string } & (
  | { readonly kind: 'list'; readonly rows: Rows; readonly fields: readonly Field[] }
  | { readonly kind: 'aggregate'; readonly rows: Rows; readonly parts: readonly Part[] }
  | { readonly kind: 'by_pk'; readonly key: Readonly<Record<string, number>>; readonly fields: readonly Field[] }
)
