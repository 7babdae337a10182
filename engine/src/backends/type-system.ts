import type { NameRules } from '@svc/schema'
import type { Path } from '../errors.ts'
import type { DatabaseType, ValueType } from '../ir/index.ts'
import type { LongWork } from '../long-work.ts'
import type { Features } from './features.ts'

/** One operator of a comparison input (`_eq`, `_in`, `_like` …). */
export interface OperatorDeclaration {
  /** With the underscore, as GraphQL and permissions spell it. */
  readonly name: string
  /** What its value is: the column's own type, a list of it, or another type. */
  readonly argument:
    | { readonly kind: 'self' }
    | { readonly kind: 'list' }
    | { readonly kind: 'boolean' } // _is_null only
    | { readonly kind: 'type'; readonly type: DatabaseType; readonly list: boolean }
    /** An input object; its fields are the values of the IR's `right`, in this order, absent ones by their default. */
    | { readonly kind: 'object'; readonly name: string; readonly fields: readonly OperatorArgument[] }
}

/** Returns operators whose value is of the column's own type. */
export const selfOperators = (names: readonly string[]): readonly OperatorDeclaration[] =>
  names.map((name) => ({ name, argument: { kind: 'self' } }))

/** The operators of values that are compared and ordered, sorted by name. */
export const generalOperators: readonly OperatorDeclaration[] = [
  ...selfOperators(['_eq', '_gt', '_gte']),
  { name: '_in', argument: { kind: 'list' } },
  { name: '_is_null', argument: { kind: 'boolean' } },
  ...selfOperators(['_lt', '_lte', '_neq']),
  { name: '_nin', argument: { kind: 'list' } },
]

/** A field of an operator's input object: `distance: Float!`. */
export interface OperatorArgument {
  readonly name: string
  readonly type: DatabaseType
  readonly required: boolean
  /** JSON, as coerceInput takes it. */
  readonly default?: boolean
}

/** Types of a database that the engine itself needs values and columns of. */
interface CommonTypes {
  readonly text: DatabaseType
  /** A JSON value, unlike other kinds of JSON that a database may know. */
  readonly json: DatabaseType
  /** Numbers of rows, and their places in a list. */
  readonly count: DatabaseType
}

/** What the API shows of databases of one kind: types, names and features. Data and pure functions. */
export interface TypeSystem {
  /** What the names of tables and functions mean. */
  readonly names: NameRules
  readonly features: Features
  readonly common: CommonTypes
  /**
   * Arrays are scalars `_<x>` instead of lists (reference/graphql-schema#scalars, experimental
   * `disable_postgres_arrays`).
   */
  readonly arraysAreScalars?: true
  /** Stands in the names of comparison types, whose operators differ by database: `BigQuery` of `Int_BigQuery_comparison_exp`. */
  readonly comparisonInfix?: string
  /** Numbers are taken as texts too, and with more digits than as numbers: keys of joins come as such. */
  readonly numbersAsTexts?: true
  /** GraphQL scalar of a type (reference/graphql-schema#scalars), without list or `!`. */
  graphqlScalar(type: DatabaseType): string
  /** Operators of a column of this type, in the order introspection shows them (reference/filters#operators). */
  operators(type: DatabaseType): readonly OperatorDeclaration[]
  /** Those that are left where the column refers to an enum table. */
  enumOperators(type: DatabaseType): readonly OperatorDeclaration[]
  /** What `_cast` offers of such a column: `String` (text) for jsonb; each field is named after its type's scalar. */
  casts(type: DatabaseType): readonly DatabaseType[]
  /** One of those that the engine knows by name, not an array (reference/graphql-schema#scalars). */
  isKnown(type: DatabaseType): boolean
  isNumeric(type: DatabaseType): boolean
  /** May appear in max/min. */
  isComparable(type: DatabaseType): boolean
  /** Whether values of the type can be compared with `=`, which a join needs. */
  hasEquality(type: DatabaseType): boolean
  /** json and jsonb columns take `path`. */
  isJson(type: DatabaseType): boolean
  /**
   * JSON of a GraphQL literal or variable -> the database's text form (null: NULL). reference/values#values-of-input.
   * `literal` distinguishes enum literals and such from JSON strings where it matters. Throws parse-failed /
   * validation-failed at path.
   */
  coerceInput(type: ValueType, json: unknown, path: Path): string | null
  /** As `coerceInput`, in pieces, for values that take long. Absent: none takes long enough to be worth it. */
  coerceLong?(type: ValueType, json: unknown, path: Path): LongWork<string | null>
  /** A value that stands in metadata: as `coerceInput`, and what no database could read as that type is refused too. */
  coerceConstant(type: ValueType, json: unknown, path: Path): string | null
  /** A session variable's text -> the database's text form. */
  coerceSession(type: ValueType, text: string): string
  /** A base type by the database's own name of it; null where there is none of that name. */
  baseType(name: string): DatabaseType | null
  /** The type of a name as written in a GraphQL variable or a native query: Int, String, timestamptz, _int4 … */
  typeOfScalar(name: string): DatabaseType | null
}
