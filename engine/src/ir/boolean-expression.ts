/** Boolean expressions: GraphQL `where`, permission filters and checks (reference/filters). */
import type { DatabaseType, Value } from './values.ts'

export interface QualifiedName {
  readonly schema: string
  readonly name: string
}

/** How rows of one table reach rows of another: pairs of column names. */
export interface Join {
  readonly table: QualifiedName
  readonly columns: readonly { readonly from: string; readonly to: string }[]
  /**
   * The columns are those of a foreign key to a key of the other table: there is one row at most, and there is one unless a
   * column is NULL or the key is not checked yet.
   */
  readonly unique?: boolean
  /** The rows are those that this returns, not those of the table. */
  readonly query?: QueryText
}

/** A query in SQL from metadata, with values in it (reference/database-objects#native-queries). */
export interface QueryText {
  readonly parts: readonly (string | Value)[]
}

/**
 * A stored procedure, its arguments by name, and the columns of the rows that it returns
 * (reference/database-objects#native-queries).
 */
export interface ProcedureCall {
  readonly procedure: QualifiedName
  readonly arguments: readonly { readonly name: string; readonly value: Value }[]
  readonly columns: readonly { readonly name: string; readonly type: DatabaseType; readonly nullable: boolean }[]
}

/** A function called for the current row. */
export interface FunctionCall {
  readonly function: QualifiedName
  /** It returns any number of rows; else one, which may be null. */
  readonly set: boolean
  /** It may do more than answer, so it must not be called twice for one request. */
  readonly volatile?: boolean
  readonly arguments: readonly FunctionArgument[]
}

/** An argument of a call, by name where it has one, else by position. */
export interface FunctionArgument {
  readonly name: string | null
  readonly of:
    | { readonly kind: 'row' }
    /** Of the row. */
    | { readonly kind: 'column'; readonly name: string }
    | { readonly kind: 'value'; readonly value: Value }
}

export type Operand =
  /** A column of the current row, or of the row that the whole expression started from (`["$", "c"]`). */
  | { readonly kind: 'column'; readonly of: 'row' | 'root'; readonly name: string; readonly type: DatabaseType }
  /** `_cast`: the operand seen as another type. */
  | { readonly kind: 'cast'; readonly of: Operand; readonly to: DatabaseType }
  /** What a function makes of the current row. */
  | { readonly kind: 'computed'; readonly call: FunctionCall; readonly type: DatabaseType }
  /**
   * NULL but for the rows that satisfy `where`, whose `row` and `root` are the current row (reference/queries#masking).
   */
  | { readonly kind: 'masked'; readonly of: Operand; readonly where: BooleanExpression }
  /**
   * Over the rows that the join reaches and that satisfy `where`, inside which `row` is such a row and `root` is
   * unchanged.
   */
  | {
      readonly kind: 'aggregate'
      readonly join: Join
      readonly where: BooleanExpression
      readonly function: PredicateFunction
      /** Columns of these rows. None: of `count`, the rows themselves. */
      readonly of: readonly Operand[]
      readonly distinct: boolean
      readonly type: DatabaseType
    }

/**
 * What an aggregation predicate may compare of the rows that a relationship leads to
 * (reference/filters#aggregates-of-relationships).
 */
export type PredicateFunction =
  | 'avg'
  | 'bool_and'
  | 'bool_or'
  | 'corr'
  | 'count'
  | 'covar_samp'
  | 'max'
  | 'min'
  | 'stddev_samp'
  | 'sum'
  | 'var_samp'

/** Operators by their GraphQL name without `_`; what each means in SQL is the backend's to say. */
export type ComparisonOperator = string

export type BooleanExpression =
  | { readonly kind: 'and'; readonly of: readonly BooleanExpression[] }
  | { readonly kind: 'or'; readonly of: readonly BooleanExpression[] }
  | { readonly kind: 'not'; readonly of: BooleanExpression }
  | {
      readonly kind: 'compare'
      readonly left: Operand
      readonly operator: ComparisonOperator
      /** One per argument: most operators take one, `_st_d_within` several. */
      readonly right: readonly Value[]
      /**
       * Permission `_eq`/`_ne` on a nullable column, and the scalar shorthand: NULL equals NULL
       * (reference/filters#expressions-of-permissions).
       */
      readonly nullSafe: boolean
    }
  | {
      readonly kind: 'compare-columns'
      readonly left: Operand
      readonly operator: ComparisonOperator
      readonly right: Operand
    }
  | { readonly kind: 'is-null'; readonly of: Operand; readonly negated: boolean }
  /** Some row that the join reaches satisfies `where`. Inside, `row` is that row; `root` is unchanged. */
  | { readonly kind: 'exists-related'; readonly join: Join; readonly where: BooleanExpression }
  /** Some row that the function returns for the current one satisfies `where`; inside, as above. */
  | { readonly kind: 'exists-computed'; readonly call: FunctionCall; readonly where: BooleanExpression }
  /** `_exists`: some row of the table satisfies `where`. */
  | { readonly kind: 'exists'; readonly table: QualifiedName; readonly where: BooleanExpression }
  /**
   * From here on `root` is the current row: a target's own filter inside someone's `where`
   * (reference/filters#relationships-and-computed-fields).
   */
  | { readonly kind: 'rooted'; readonly of: BooleanExpression }

export const always: BooleanExpression = { kind: 'and', of: [] }

/** The column of the current row that an operand is, masked or not; null for anything else. */
export function columnOf(operand: Operand): string | null {
  switch (operand.kind) {
    case 'column':
      return operand.of === 'row' ? operand.name : null
    case 'masked':
      return columnOf(operand.of)
    case 'cast':
    case 'computed':
    case 'aggregate':
      return null
  }
}

/** Returns the type of the values of an operand. */
export function operandType(operand: Operand): DatabaseType {
  switch (operand.kind) {
    case 'cast':
      return operand.to
    case 'masked':
      return operandType(operand.of)
    case 'column':
    case 'computed':
    case 'aggregate':
      return operand.type
  }
}

/** Returns whether a condition is true for every row. */
export const isAlways = (e: BooleanExpression): boolean => e.kind === 'and' && e.of.length === 0

/** Returns a disjunction with constants folded away. */
export function anyOf(parts: readonly BooleanExpression[]): BooleanExpression {
  if (parts.some(isAlways)) return always
  const flat = parts.flatMap((part) => (part.kind === 'or' ? part.of : [part]))
  const [only] = flat
  return flat.length === 1 && only ? only : { kind: 'or', of: flat }
}

/** Returns a conjunction with constants folded away. */
export function allOf(parts: readonly BooleanExpression[]): BooleanExpression {
  const flat = parts.flatMap((part) => (part.kind === 'and' ? part.of : [part]))
  const [only] = flat
  return flat.length === 1 && only ? only : { kind: 'and', of: flat }
}
