/** Rows as the REST API sends them. */

/** A column of a result; of a RECORD with its fields. */
export interface ResultField {
  readonly name: string
  /** STRING, INTEGER, FLOAT, RECORD …: older names than those of GoogleSQL. */
  readonly type: string
  readonly mode?: string
  readonly fields?: readonly ResultField[]
}

/** A value: null, a text, a list of `{v}` (REPEATED), or a row (RECORD). */
export type ResultValue = null | string | readonly { readonly v: ResultValue }[] | ResultRow

export interface ResultRow {
  readonly f: readonly { readonly v: ResultValue }[]
}
