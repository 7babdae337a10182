/** What a differential test is about: tables with rows, how they are related, and what roles may see of them. */

/** `mood`: an enum of PostgreSQL. `hue`: text that refers to the enum table of that name. */
export type ColumnType =
  | 'int2'
  | 'float4'
  | 'timestamptz'
  | 'mood'
  | 'interval'
  | 'time'
  | 'bytea'
  | 'int4range'
  | 'bpchar'
  | 'int4'
  | 'int8'
  | 'numeric'
  | 'float8'
  | 'text'
  | 'citext'
  | 'ltree'
  | 'bool'
  | 'date'
  | 'uuid'
  | 'jsonb'
  | 'int4[]'
  | 'text[]'
  | 'hue'

/** As JSON shows it. Numbers are small enough to be numbers, fractions are quarters. */
export type Value =
  | number
  | string
  | boolean
  | null
  | { readonly [key: string]: JsonMember }
  | readonly (number | string | null)[]

export type Row = Readonly<Record<string, Value>>

export type JsonMember = number | string | null | readonly number[]

export interface Column {
  readonly name: string
  /** Its name in GraphQL, where that is another one. */
  readonly field?: string
  /** The domain that it is of, or a type of a bounded length: no other values, and nothing else in GraphQL. */
  readonly spelled?: string
  readonly type: ColumnType
  readonly nullable: boolean
}

export interface Table {
  readonly name: string
  /** A view has the rows of another table with an even id; a model those that native queries give. */
  readonly kind: 'table' | 'enum' | 'model' | { readonly view: string; readonly materialised: boolean }
  readonly columns: readonly Column[]
  /** A column before the others was dropped, or its rows lie in partitions. */
  readonly built?: 'with a gap' | 'of partitions'
  /** Empty: it has none. */
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
  /** The native query that gives the rows, which then are no conditions and no orders. */
  readonly query?: string
}

export interface Argument {
  readonly name: string
  readonly type: 'int4' | 'text'
  /** Left out: it has to be given. */
  readonly fallback?: number | string
}

/** A computed field's function, or a tracked one. */
export interface Routine {
  readonly name: string
  /** Whose rows it takes; null: a tracked function. */
  readonly table: string | null
  /** The row is its last argument that has no default. */
  readonly rowLast: boolean
  readonly session: boolean
  readonly arguments: readonly Argument[]
  readonly unnamed: boolean
  readonly body: ScalarBody | RowsBody
}

/** Of a column and the argument: `plus` adds, `joined` appends. `word`: the session's, and the row's id. */
export interface ScalarBody {
  readonly kind: 'plus' | 'joined' | 'double' | 'json' | 'word'
  readonly returns: ColumnType
  readonly column: string
}

/** Rows of the target whose ids begin at the row's id, an argument or the session's user, as many ids as the last argument says. */
interface RowsBody {
  readonly kind: 'rows'
  readonly target: string
  readonly from: 'row' | 'argument' | 'session'
  readonly single: boolean
}

/** Rows of a table from the id `low` to the id `high`, if that is given. */
export interface NativeQuery {
  readonly name: string
  readonly model: string
  readonly of: string
}

/** What a comparison is with. */
export type Operand =
  | { readonly kind: 'constant'; readonly value: Value | readonly Value[] }
  /** Upper and lower case are alike. */
  | { readonly kind: 'session'; readonly variable: SessionVariable; readonly spelled?: string }

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
  | 'nlike'
  | 'ilike'
  | 'nilike'
  | 'similar'
  | 'nsimilar'
  | 'regex'
  | 'nregex'
  | 'iregex'
  | 'niregex'
  | 'contains'
  | 'contained_in'
  | 'has_key'
  | 'has_keys_any'
  | 'has_keys_all'
  | 'ancestor'
  | 'descendant'
  | 'ancestor_any'
  | 'descendant_any'
  | 'matches'

export type PredicateFunction =
  | 'count'
  | 'avg'
  | 'max'
  | 'min'
  | 'sum'
  | 'stddev_samp'
  | 'var_samp'
  | 'corr'
  | 'covar_samp'
  | 'bool_and'
  | 'bool_or'

/** An aggregate of the rows behind an array relationship, and what it is compared with. */
export interface Predicate {
  readonly relationship: string
  readonly function: PredicateFunction
  /** Of `count`: those with something in the column; several columns: all. Of `corr` and `covar_samp`: X, Y. */
  readonly columns: readonly string[]
  readonly distinct: boolean
  readonly filter: Condition | null
  readonly operator: 'eq' | 'neq' | 'gt' | 'lte'
  readonly value: number | boolean
}

/** A permission's filter, or a `where`; the last two only in the former. */
export type Condition =
  | {
      readonly kind: 'and' | 'or'
      readonly of: readonly Condition[]
      /** Of what is true always: spelled as an object of nothing, or as this column compared with nothing. */
      readonly empty?: string
    }
  | { readonly kind: 'not'; readonly of: Condition }
  | {
      readonly kind: 'compare'
      /** Or a computed field. */
      readonly column: string
      readonly operator: Operator
      readonly operand: Operand
      /** Its text is compared. */
      readonly cast?: boolean
      /** How a permission spells it: `$eq`, or the value alone. */
      readonly spelling?: 'dollar' | 'short'
    }
  | { readonly kind: 'is-null'; readonly column: string; readonly is: boolean }
  | { readonly kind: 'related'; readonly relationship: string; readonly of: Condition }
  /** Rows of a computed field. */
  | { readonly kind: 'computed'; readonly field: string; readonly of: Condition }
  | ({ readonly kind: 'aggregate' } & Predicate)
  | { readonly kind: 'exists'; readonly table: string; readonly of: Condition }
  | {
      readonly kind: 'columns'
      readonly column: string
      readonly operator: 'eq' | 'neq' | 'gt' | 'gte' | 'lt' | 'lte'
      readonly other: string
      /** Of the row that the whole expression is about. */
      readonly root: boolean
    }

export interface Permission {
  readonly columns: readonly string[]
  /** Scalar ones. */
  readonly computed: readonly string[]
  readonly filter: Condition
  readonly limit: number | null
  readonly aggregations: boolean
  /** Null: all. */
  readonly roots: readonly RootField[] | null
}

export type RootField = 'select' | 'select_by_pk' | 'select_aggregate'

export interface Role {
  readonly name: string
  /** By table. An inherited role may have its own for some. */
  readonly permissions: ReadonlyMap<string, Permission>
  /** Empty: it inherits nothing. */
  readonly parents: readonly string[]
}

export type SessionVariable =
  | 'x-svc-user-id'
  | 'x-svc-word'
  | 'x-svc-ids'
  | 'x-svc-words'
  | 'x-svc-flag'
  | 'x-svc-uuid'
  | 'x-svc-json'
  | 'x-svc-path'
  | 'x-svc-pattern'

export interface World {
  readonly tables: ReadonlyMap<string, Table>
  readonly relationships: readonly Relationship[]
  readonly routines: readonly Routine[]
  readonly queries: readonly NativeQuery[]
  readonly roles: ReadonlyMap<string, Role>
}
