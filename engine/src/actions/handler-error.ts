import { ApiError, Path } from '../errors.ts'

/** What a handler answered instead of a result, in its own words: message, code and extensions (spec 03 §2.5). */
export class HandlerError extends ApiError {
  /** Of the handler: any text. */
  readonly handlerCode: string

  constructor(message: string, code: string | null, extensions: unknown) {
    const handlerCode = code ?? 'unexpected'
    super('unexpected', Path.root, message, {
      extensions: extensions ?? { path: '$', code: handlerCode },
    })
    this.handlerCode = handlerCode
  }
}
