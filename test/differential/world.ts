/** What a differential test is about: tables with rows, how they are related, and what roles may see of them. */

export type ColumnType = 'int4' | 'int8' | 'numeric' | 'text' | 'bool' | 'date' | 'uuid' | 'jsonb'

/** As JSON shows it. Numerics are small enough to be numbers. */
export type Value = number | string | boolean | null | { readonly [key: string]: number }

export type Row = Readonly<Record<string, Value>>

export interface Column {
  readonly name: string
  readonly type: ColumnType
  readonly nullable: boolean
}

export interface Table {
  readonly name: string
  readonly columns: readonly Column[]
  readonly key: readonly string[]
  readonly rows: readonly Row[]
}

export interface Relationship {
  readonly table: string
  readonly name: string
  readonly kind: 'object' | 'array'
  readonly target: string
  readonly columns: readonly (readonly [from: string, to: string])[]
  /** Declared by a foreign key of the database, on this side or on the other. */
  readonly foreignKey: 'own' | 'other' | null
}

/** What a comparison is with. A list only for `in` and `nin`. */
export type Operand =
  | { readonly kind: 'constant'; readonly value: Value | readonly Value[] }
  | { readonly kind: 'session'; readonly variable: SessionVariable }

export type Operator =
  | 'eq'
  | 'neq'
  | 'gt'
  | 'lt'
  | 'gte'
  | 'lte'
  | 'in'
  | 'nin'
  | 'like'
  | 'ilike'
  | 'contains'
  | 'has_key'

/** How many rows lie behind an array relationship. */
export interface Counted {
  readonly relationship: string
  /** Those with something in the column; several columns: all. */
  readonly columns: readonly string[]
  readonly distinct: boolean
  readonly filter: Condition | null
  readonly operator: 'eq' | 'neq' | 'gt' | 'lte'
  readonly value: number
}

/** A permission's filter, or a `where`; the last two only in the former. */
export type Condition =
  | { readonly kind: 'and' | 'or'; readonly of: readonly Condition[] }
  | { readonly kind: 'not'; readonly of: Condition }
  | { readonly kind: 'compare'; readonly column: string; readonly operator: Operator; readonly operand: Operand }
  | { readonly kind: 'is-null'; readonly column: string; readonly is: boolean }
  | { readonly kind: 'related'; readonly relationship: string; readonly of: Condition }
  | ({ readonly kind: 'count' } & Counted)
  | { readonly kind: 'exists'; readonly table: string; readonly of: Condition }
  | {
      readonly kind: 'columns'
      readonly column: string
      readonly operator: 'eq' | 'neq' | 'gt' | 'lte'
      readonly other: string
      /** Of the row that the whole expression is about. */
      readonly root: boolean
    }

export interface Permission {
  readonly columns: readonly string[]
  readonly filter: Condition
  readonly limit: number | null
  readonly aggregations: boolean
}

export interface Role {
  readonly name: string
  /** By table. An inherited role may have its own for some. */
  readonly permissions: ReadonlyMap<string, Permission>
  /** Empty: it inherits nothing. */
  readonly parents: readonly string[]
}

export type SessionVariable = 'x-svc-user-id' | 'x-svc-word' | 'x-svc-ids'

export interface World {
  readonly tables: ReadonlyMap<string, Table>
  readonly relationships: readonly Relationship[]
  readonly roles: ReadonlyMap<string, Role>
}

export const columnOf = (table: Table, name: string): Column => {
  const column = table.columns.find((one) => one.name === name)
  if (!column) throw new Error(`no column ${name} in ${table.name}`)
  return column
}

export const tableOf = (world: World, name: string): Table => {
  const table = world.tables.get(name)
  if (!table) throw new Error(`no table ${name}`)
  return table
}

export const relationshipOf = (world: World, table: string, name: string): Relationship => {
  const found = world.relationships.find((one) => one.table === table && one.name === name)
  if (!found) throw new Error(`no relationship ${name} of ${table}`)
  return found
}
