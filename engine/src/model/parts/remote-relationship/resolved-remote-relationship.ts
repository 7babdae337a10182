import type { TableId } from '../../object-ids.ts'

/**
 * A relationship to a field of a remote schema, or to a table of another source
 * (reference/remote-schemas#relationships). Plain data.
 */
export type ResolvedRemoteRelationship = ToRemoteField | ToTable

/** The same from an object type of a remote schema, by its upstream name. */
export type ResolvedTypeRelationship = ResolvedRemoteRelationship & { readonly type: string }

export interface ToRemoteField {
  readonly kind: 'remote-field'
  readonly name: string
  readonly remote: string
  /** Columns and computed fields, or upstream fields, whose values arguments mention. */
  readonly lhs: readonly string[]
  /** From a field of the query root down, by upstream names; the last one is what the relationship shows. */
  readonly steps: readonly RemoteStep[]
}

export interface RemoteStep {
  readonly field: string
  /** Arguments that the relationship sets, by name. */
  readonly args: readonly (readonly [name: string, value: FixedValue])[]
}

export type FixedValue =
  | { readonly kind: 'variable'; readonly name: string }
  | { readonly kind: 'literal'; readonly value: string | number | boolean }
  | { readonly kind: 'object'; readonly fields: readonly (readonly [name: string, value: FixedValue])[] }
  | { readonly kind: 'list'; readonly items: readonly FixedValue[] }

export interface ToTable {
  readonly kind: 'table'
  readonly name: string
  readonly form: 'object' | 'array'
  readonly source: string
  readonly target: TableId
  /** `from`: a column or computed field of the own table, or an upstream field; `to`: a column of the target. */
  readonly mapping: readonly { readonly from: string; readonly to: string }[]
}
