/** Lines from 0, columns from 1, the end exclusive (reference/transforms#errors-of-templates). */
export interface SourceSpan {
  readonly start_line: number
  readonly start_column: number
  readonly end_line: number
  readonly end_column: number
}

export type TemplateErrorCode =
  | 'Attribute Error'
  | 'Function Error'
  | 'Index Error'
  | 'Lex Error'
  | 'Limit Error'
  | 'Name Error'
  | 'Parse Error'
  | 'Type Error'

/** As it is shown to the user, keys in the order of the wire. */
export interface TemplateError {
  readonly error_code: TemplateErrorCode
  readonly message: string
  readonly source_position: SourceSpan
}

/** Thrown inside this module only. */
export class TemplateFailure extends Error {
  readonly code: TemplateErrorCode
  readonly span: SourceSpan

  constructor(code: TemplateErrorCode, message: string, span: SourceSpan) {
    super(message)
    this.code = code
    this.span = span
  }

  toError(): TemplateError {
    return { error_code: this.code, message: this.message, source_position: this.span }
  }
}

/** What a function throws; its place is added by a caller that called it. */
export class FunctionFailure extends Error {}
