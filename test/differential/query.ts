/** Queries as data. Every field has an alias, `as`. */
import type { Condition, Value } from './world.ts'

export type AggregateOperator =
  | 'sum'
  | 'avg'
  | 'min'
  | 'max'
  | 'stddev'
  | 'stddev_pop'
  | 'stddev_samp'
  | 'var_pop'
  | 'var_samp'
  | 'variance'

export type Direction = 'asc' | 'asc_nulls_first' | 'asc_nulls_last' | 'desc' | 'desc_nulls_first' | 'desc_nulls_last'

/** Keys and indexes; empty: the whole. */
export type JsonPath = readonly (string | number)[]

/** Arguments of a function or of a native query; what is left out takes its default. */
export type Given = Readonly<Record<string, number | string | null>>

/** Through object relationships to a column or computed field, or to an aggregate over an array relationship or rows of a computed field. */
export interface OrderKey {
  readonly through: readonly string[]
  readonly of:
    | { readonly kind: 'column'; readonly column: string }
    | { readonly kind: 'count'; readonly rows: string }
    | {
        readonly kind: 'aggregate'
        readonly rows: string
        readonly operator: AggregateOperator
        readonly column: string
      }
  readonly direction: Direction
}

export interface Rows {
  /** The role sees columns: without any it has nothing to order rows by, and nothing to make them distinct by. */
  readonly columns: boolean
  readonly where: Condition | null
  readonly orderBy: readonly OrderKey[]
  readonly distinctOn: readonly string[]
  readonly limit: number | null
  readonly offset: number | null
}

/** A page of a connection. A cursor is the values of a row in the connection's order. */
export interface Page {
  readonly rows: Rows
  readonly count: { readonly from: 'first' | 'last'; readonly of: number } | null
  readonly cursor: { readonly side: 'after' | 'before'; readonly values: readonly Value[] } | null
  readonly parts: readonly PagePart[]
}

export type PagePart = { readonly as: string } & (
  | { readonly kind: 'edges'; readonly fields: readonly EdgeField[] }
  | { readonly kind: 'page-info'; readonly fields: readonly { readonly as: string; readonly name: PageInfoName }[] }
)

export type EdgeField = { readonly as: string } & (
  | { readonly kind: 'cursor' }
  | { readonly kind: 'node'; readonly fields: readonly Field[] }
)

export type PageInfoName = 'startCursor' | 'endCursor' | 'hasNextPage' | 'hasPreviousPage'

export type Field = { readonly as: string } /** Perhaps only a member of its JSON. */ & (
  | { readonly kind: 'column'; readonly column: string; readonly path?: JsonPath }
  | { readonly kind: 'computed'; readonly field: string; readonly given: Given; readonly path?: JsonPath }
  | {
      readonly kind: 'rows'
      readonly field: string
      readonly given: Given
      readonly rows: Rows
      readonly fields: readonly Field[]
    }
  /** `given`: of the native query that it leads to. */
  | { readonly kind: 'object'; readonly relationship: string; readonly given: Given; readonly fields: readonly Field[] }
  | {
      readonly kind: 'array'
      readonly relationship: string
      readonly given: Given
      readonly rows: Rows
      readonly fields: readonly Field[]
    }
  | { readonly kind: 'aggregate'; readonly relationship: string; readonly rows: Rows; readonly parts: readonly Part[] }
  | { readonly kind: 'connection'; readonly relationship: string; readonly page: Page }
  /** The global id. */
  | { readonly kind: 'node-id' }
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
      readonly columns: readonly { readonly as: string; readonly column: string; readonly given: Given }[]
    }
)

type Key = Readonly<Record<string, number | string>>

export type Root = { readonly as: string; readonly table: string } & (
  | { readonly kind: 'list'; readonly rows: Rows; readonly fields: readonly Field[] }
  | { readonly kind: 'aggregate'; readonly rows: Rows; readonly parts: readonly Part[] }
  | { readonly kind: 'by_pk' | 'node'; readonly key: Key; readonly fields: readonly Field[] }
  | {
      readonly kind: 'function'
      readonly name: string
      readonly given: Given
      readonly rows: Rows
      readonly fields: readonly Field[]
    }
  | {
      readonly kind: 'function-aggregate'
      readonly name: string
      readonly given: Given
      readonly rows: Rows
      readonly parts: readonly Part[]
    }
  | {
      readonly kind: 'native'
      readonly name: string
      readonly given: Given
      readonly rows: Rows
      readonly fields: readonly Field[]
    }
  | { readonly kind: 'connection'; readonly page: Page }
  | { readonly kind: 'function-connection'; readonly name: string; readonly given: Given; readonly page: Page }
)
