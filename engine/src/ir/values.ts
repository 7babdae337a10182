/** Types and values of the query language. Plain data. */

/** A database type with its domain resolved to the base type. `element` is set for arrays. */
export interface DatabaseType {
  readonly schema: string
  /** As the database's catalogue names it: int4, text, timestamptz; for an array the element's name. */
  readonly name: string
  readonly kind: 'base' | 'enum' | 'composite' | 'range' | 'other'
  readonly array: boolean
  /** Of a text on SQL Server whose column has another collation than the database. */
  readonly collation?: string
  /** Of a decimal of a column on SQL Server: the digits that it holds before the point. */
  readonly wholeDigits?: number
}

/** What a slot of a statement is filled with when it runs. */
export type Value =
  /** Known when the plan was made: the database's text form. */
  | {
      readonly kind: 'constant'
      readonly text: string | null
      readonly type: ValueType
      /** It stands in a document, where another may have another value in its place. */
      readonly literal?: true
    }
  /** A GraphQL variable, or something inside one. Coerced when the statement is bound; `path` names it in errors. */
  | {
      readonly kind: 'variable'
      readonly variable: string
      readonly keys: readonly (string | number)[]
      readonly type: ValueType
      readonly path: readonly (string | number)[]
    }
  /**
   * A session variable, lower case: x-svc-user-id. Missing: not-found at `$`
   * (reference/filters#expressions-of-permissions).
   */
  | { readonly kind: 'session'; readonly variable: string; readonly type: ValueType }
  /** The value that the runner of the statement passes by this name, as the database's text. */
  | { readonly kind: 'input'; readonly name: string; readonly type: ValueType }
  /**
   * All session variables as a JSON object, for a function with an argument for them
   * (reference/database-objects#tracked-functions).
   */
  | { readonly kind: 'session-variables'; readonly type: ValueType }

export interface ValueType {
  readonly type: DatabaseType
  /** A list of such values in one slot: `_in`. */
  readonly list: boolean
}

/** Values that are the same for whatever member. Literals are not, though they may be equal now. */
export function valueKey(value: Value): Value | string {
  switch (value.kind) {
    case 'constant':
      return value
    case 'variable':
      return JSON.stringify([value.kind, value.variable, value.keys, value.type])
    case 'session':
      return JSON.stringify([value.kind, value.variable, value.type])
    case 'input':
      return JSON.stringify([value.kind, value.name, value.type])
    case 'session-variables':
      return value.kind
  }
}
