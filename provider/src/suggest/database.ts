import type { JsonObject } from '@svc/schema'

/** `{schema, name}`; of BigQuery `{dataset, name}`. */
export type ObjectName = JsonObject

export interface DatabaseTable {
  readonly name: ObjectName
  /** `table`, `view`, `materialized view`, `foreign table`, `partitioned table`. */
  readonly type: string
  readonly columns: readonly string[]
  /** The columns of each key that no two rows share. */
  readonly keys: readonly (readonly string[])[]
  readonly foreignKeys: readonly ForeignKey[]
}

export interface ForeignKey {
  readonly target: ObjectName
  /** Pairs of own column and the column that it refers to. */
  readonly columns: readonly (readonly [string, string])[]
}

export interface DatabaseFunction {
  readonly name: ObjectName
  /** The table whose rows it returns; null: a single value. */
  readonly returns: ObjectName | null
  /** The table whose row it computes a value of; null: its arguments are plain values. */
  readonly rowOf: ObjectName | null
}

export interface Database {
  readonly tables: readonly DatabaseTable[]
  readonly functions: readonly DatabaseFunction[]
}

/** `public.artist` */
export const nameOf = ({ schema, dataset, name }: ObjectName): string => `${String(schema ?? dataset)}.${String(name)}`
