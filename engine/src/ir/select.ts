/** What a root field reads from one source: rows, one row, or an aggregate. A backend compiles it to one statement. */
import type {
  BooleanExpression,
  FunctionCall,
  Join,
  Operand,
  ProcedureCall,
  QualifiedName,
  QueryText,
} from './boolean-expression.ts'
import type { Connection } from './connection.ts'
import type { DatabaseType, Value } from './values.ts'

/** The rows a selection works on: filtered, ordered, made distinct, cut. */
export interface Rows {
  /** Permission filter and `where` together, the former under `rooted`. */
  readonly where: BooleanExpression
  readonly orderBy: readonly OrderBy[]
  readonly distinctOn: readonly Operand[]
  readonly limit: Value | null
  readonly offset: Value | null
  /** The permission's own limit; an aggregate sees past it (reference/queries#limits-of-permissions). */
  readonly permissionLimit: number | null
}

export interface OrderBy {
  readonly key: OrderKey
  readonly direction: 'asc' | 'desc'
  readonly nulls: 'first' | 'last'
}

export type OrderKey =
  | { readonly kind: 'operand'; readonly of: Operand }
  /** `filter`: the role's filter on the target; rows that it hides sort as NULL. */
  | { readonly kind: 'related'; readonly join: Join; readonly filter: BooleanExpression; readonly key: OrderKey }
  | {
      readonly kind: 'related-aggregate'
      readonly join: Join
      readonly filter: BooleanExpression
      readonly aggregate: OrderAggregate
    }
  /** An aggregate of the rows that a function returns. */
  | {
      readonly kind: 'computed-aggregate'
      readonly call: FunctionCall
      readonly filter: BooleanExpression
      readonly aggregate: OrderAggregate
    }

export type OrderAggregate =
  | { readonly operator: 'count' }
  | { readonly operator: AggregateOperator; readonly of: Operand }

export type AggregateOperator =
  | 'sum'
  | 'avg'
  | 'max'
  | 'min'
  | 'stddev'
  | 'stddev_pop'
  | 'stddev_samp'
  | 'var_pop'
  | 'var_samp'
  | 'variance'

/** A field of a row object; `as` is its response key. */
export type RowField =
  | RelayField
  | { readonly kind: 'typename'; readonly as: string; readonly name: string }
  /** `path`: keys inside a json column (reference/graphql-schema#object-types). */
  | {
      readonly kind: 'column'
      readonly as: string
      readonly of: Operand
      readonly path: readonly string[]
      /** A value of an enum, which GraphQL shows in capitals. */
      readonly capitals?: boolean
    }
  /** The rows inside a value that is JSON or a composite: an object or a list of them, whose members are `columns`. */
  | {
      readonly kind: 'nested'
      readonly as: string
      readonly of: Operand
      readonly list: boolean
      /** What the rows are called. */
      readonly table: QualifiedName
      readonly columns: readonly { readonly name: string; readonly type: DatabaseType }[]
      readonly where: BooleanExpression
      readonly fields: readonly RowField[]
    }
  | {
      readonly kind: 'object'
      readonly as: string
      readonly join: Join
      readonly where: BooleanExpression
      readonly fields: readonly RowField[]
    }
  | {
      readonly kind: 'array'
      readonly as: string
      readonly join: Join
      readonly rows: Rows
      readonly fields: readonly RowField[]
    }
  /** The rows that a function returns; `table` is what they are rows of. */
  | {
      readonly kind: 'computed'
      readonly as: string
      readonly call: FunctionCall
      readonly table: QualifiedName
      readonly rows: Rows
      readonly fields: readonly RowField[]
    }
  | {
      readonly kind: 'aggregate'
      readonly as: string
      readonly join: Join
      readonly rows: Rows
      readonly fields: readonly AggregateField[]
    }

/** A field that rows have in Relay's schema only. */
type RelayField =
  | { readonly kind: 'connection'; readonly as: string; readonly join: Join; readonly connection: Connection }
  /** A connection of the rows that a function returns; `table` is what they are rows of. */
  | {
      readonly kind: 'computed-connection'
      readonly as: string
      readonly call: FunctionCall
      readonly table: QualifiedName
      readonly connection: Connection
    }
  /** What the row is found by: `prefix` names its table, then comes its key. */
  | {
      readonly kind: 'node-id'
      readonly as: string
      readonly prefix: readonly (string | number)[]
      readonly key: readonly Operand[]
    }

export type AggregateField =
  | { readonly kind: 'typename'; readonly as: string; readonly name: string }
  | { readonly kind: 'aggregate'; readonly as: string; readonly fields: readonly AggregateValue[] }
  | { readonly kind: 'nodes'; readonly as: string; readonly fields: readonly RowField[] }

export type AggregateValue =
  | { readonly kind: 'typename'; readonly as: string; readonly name: string }
  | { readonly kind: 'count'; readonly as: string; readonly of: readonly Operand[]; readonly distinct: boolean }
  | {
      readonly kind: 'operator'
      readonly as: string
      readonly operator: AggregateOperator
      readonly fields: readonly (
        | { readonly kind: 'typename'; readonly as: string; readonly name: string }
        | { readonly kind: 'value'; readonly as: string; readonly of: Operand }
      )[]
    }

/** One root field. `rows`, `keyed`: a JSON list; `row`: the one row or null; `aggregate`, `connection`: a JSON object. */
export type RootQuery =
  /** A row with these fields for each key, in the order of the keys. */
  | {
      readonly kind: 'keyed'
      readonly keys: readonly KeyList[]
      /** Joins of a field begin at the names of the keys. */
      readonly fields: readonly RowField[]
    }
  | {
      readonly kind: 'connection'
      readonly from: QualifiedName
      /** The rows are those that this function returns, not those of the table. */
      readonly call?: FunctionCall
      readonly connection: Connection
    }
  | {
      readonly kind: 'rows'
      readonly from: QualifiedName
      /** The rows are those that this function returns, not those of the table. */
      readonly call?: FunctionCall
      /** Or the rows that this returns. */
      readonly query?: QueryText
      /** Or the rows that this stored procedure returns. */
      readonly procedure?: ProcedureCall
      /** Only the first of them, or null. */
      readonly single?: boolean
      readonly rows: Rows
      readonly fields: readonly RowField[]
    }
  | {
      readonly kind: 'row'
      readonly from: QualifiedName
      readonly where: BooleanExpression
      readonly fields: readonly RowField[]
    }
  | {
      readonly kind: 'aggregate'
      readonly from: QualifiedName
      readonly call?: FunctionCall
      readonly rows: Rows
      readonly fields: readonly AggregateField[]
    }

/** Values that come with the request: the n-th of each list are one key. */
export interface KeyList {
  readonly name: string
  readonly list: Value
}

export type { DatabaseType }
