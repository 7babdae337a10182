import type { AggregateOperator, AssignmentOperator, PredicateFunction } from '../ir/index.ts'

/** Live queries: served, left out of the schema, or in the schema and refused with these words, explaining them too. */
type Subscriptions =
  | { readonly status: 'served' }
  | { readonly status: 'absent' }
  | { readonly status: 'refused'; readonly reason: string; readonly explain: string }

/** Where an order puts nulls that does not say it. */
export interface NullsOrder {
  readonly asc: 'first' | 'last'
  readonly desc: 'first' | 'last'
}

/**
 * What the GraphQL API offers for a kind of database in addition to lists of rows, filters, orders, limits and
 * relationships.
 */
export interface Features {
  readonly distinctOn: boolean
  readonly nulls: NullsOrder
  /** Null: rows are not aggregated, and not counted. */
  readonly aggregates: {
    /** In the order of names, as introspection lists them. */
    readonly operators: readonly AggregateOperator[]
    /** What `count` takes: any number of columns, or one. */
    readonly countOf: 'columns' | 'column'
    /** The functions whose results conditions may compare (reference/filters#aggregates-of-relationships). */
    readonly predicates: readonly PredicateFunction[]
  } | null
  /** Permissions compare columns with columns (`_ceq`). */
  readonly columnComparisons: boolean
  /** Columns of JSON take a `path`. */
  readonly jsonPaths: boolean
  /** Rows with a primary key are nodes of Relay's schema. */
  readonly relay: boolean
  readonly subscriptions: Subscriptions
  /** `T_stream`; where live queries are not served, neither are streams. */
  readonly streams: boolean
  /** Null: nothing is written. */
  readonly mutations: MutationFeatures | null
}

export interface MutationFeatures {
  /**
   * What an insert says of rows that are there, as its argument is called: `on_conflict` names a constraint, `if_matched`
   * columns that are equal. Null: nothing.
   */
  readonly upsert: 'on_conflict' | 'if_matched' | null
  /** Rows of relationships are inserted along with a row. */
  readonly nestedInserts: boolean
  /** `update_T_many` */
  readonly updateMany: boolean
  /** In the order in which types list them. */
  readonly assignments: readonly AssignmentOperator[]
}

/** A database that is read, row by row. */
export const readsOnly: Features = {
  distinctOn: false,
  nulls: { asc: 'last', desc: 'first' },
  aggregates: null,
  columnComparisons: false,
  jsonPaths: false,
  relay: false,
  subscriptions: { status: 'absent' },
  streams: false,
  mutations: null,
}
