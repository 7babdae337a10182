import type { FunctionId, NativeQueryId, TableId } from './object-ids.ts'
import type { SharedMap, SharedMapInWork } from './shared-map.ts'

/**
 * `select_one` is a second name of select_by_pk: `<n>_one` of a table with a custom name
 * (reference/graphql-schema#table-configuration).
 */
export type RootFieldKind = 'select' | 'select_by_pk' | 'select_one' | 'select_aggregate'

export type MutationFieldKind =
  | 'insert'
  | 'insert_one'
  | 'update'
  | 'update_by_pk'
  | 'update_many'
  | 'delete'
  | 'delete_by_pk'

export type RootName = 'query' | 'mutation' | 'subscription'

/** By `rootKey`. The fields of tables and functions in `subscription` are those of `query` and not listed again. */
export interface Roots {
  readonly query: SharedMap<QueryFieldOwner>
  readonly mutation: SharedMap<MutationFieldOwner>
  readonly subscription: SharedMap<QueryFieldOwner>
}

/** The roots of a model that is being made. */
export type RootsInWork = {
  readonly [R in keyof Roots]: Roots[R] extends SharedMap<infer Owner> ? SharedMapInWork<Owner> : never
}

/** What a root field comes from. */
export type RootFieldOwner = QueryFieldOwner | MutationFieldOwner
export type QueryFieldOwner = TableField | FunctionField | NativeQueryField | ActionRootField | RemoteRootField
export type MutationFieldOwner = TableMutationField | FunctionField | ActionRootField | RemoteRootField

/** A field of a remote schema's root, by its upstream name; null: the namespace of all of them. */
export interface RemoteRootField {
  readonly kind: 'remote'
  readonly remote: string
  readonly field: string | null
}

interface ActionRootField {
  readonly kind: 'action'
  readonly action: string
}

export interface TableMutationField {
  readonly kind: MutationFieldKind
  readonly table: TableId
}

export interface TableField {
  readonly kind: RootFieldKind
  readonly table: TableId
}

export interface NativeQueryField {
  readonly kind: 'native_query' | 'stored_procedure'
  readonly query: NativeQueryId
}

export interface FunctionField {
  readonly kind: 'function' | 'function_aggregate'
  readonly function: FunctionId
}
