/** What a statement of this backend says beside its text. */
export interface StatementShape {
  /**
   * Places of the slots that limit rows: each is bound to at most the source's global_select_limit, and to that where its
   * text is null.
   */
  readonly limits: readonly number[]
  /** How its rows become the answer. */
  readonly answer: AnswerShape
}

/** `rows`: a list of objects. `row`: the first as an object, or null. */
export type AnswerShape = { readonly kind: 'rows' | 'row' }
