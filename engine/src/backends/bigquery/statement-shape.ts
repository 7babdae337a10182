/** What a statement of this backend says in addition to its text. */
export interface StatementShape {
  /** In the order of their names: `param0`, `param1` … */
  readonly parameters: readonly StatementParameter[]
  /** How its rows become the answer. */
  readonly answer: AnswerShape
}

/** Types that parameters are declared with; values of all other types are texts which the statement casts. */
export type ParameterType = 'STRING' | 'INT64' | 'FLOAT64' | 'BOOL'

export type StatementParameter =
  /** The text of a slot; of a list the text is a JSON array of texts. */
  | { readonly kind: 'value'; readonly slot: number; readonly type: ParameterType; readonly list: boolean }
  /** The least of a slot's number, a permission's limit, and the source's global_select_limit where that is meant. */
  | {
      readonly kind: 'limit'
      readonly slot: number | null
      readonly permission: number | null
      readonly global: boolean
    }

/** `rows`: a list of objects. `row`: the first as an object, or null. */
export interface AnswerShape {
  readonly kind: 'rows' | 'row'
  readonly members: readonly MemberShape[]
}

/** A member of an object: a text that is always the same, or the value of the next column. */
export interface MemberShape {
  readonly key: string
  readonly of: { readonly kind: 'typename'; readonly name: string } | ValueShape
}

export type ValueShape =
  | { readonly kind: 'scalar'; readonly type: ScalarShape; readonly list: boolean }
  /** `absent`: the JSON of what has no value. */
  | { readonly kind: 'object'; readonly members: readonly MemberShape[]; readonly absent: string }
  | { readonly kind: 'list'; readonly members: readonly MemberShape[] }

/** How a value's text becomes JSON: values of all other types are strings. */
export type ScalarShape = 'text' | 'boolean' | 'timestamp' | 'json'
