import { isRecord } from '@svc/schema'
import { ApiError, Path } from '../errors.ts'

/**
 * What a handler answered instead of a result, in its own words: message, code and extensions
 * (reference/actions#answers-of-handlers). Where no GraphQL is answered (REST endpoints), its code and its status, 4xx,
 * are those of the answer.
 */
export class HandlerError extends ApiError {
  /** Of the handler: any text. */
  readonly handlerCode: string

  constructor(message: string, code: string | null, extensions: unknown, status = 400) {
    const handlerCode = code ?? 'unexpected'
    super('unexpected', Path.root, message, {
      status,
      extensions: extensions ?? { path: '$', code: handlerCode },
      details: { code: codeIn(extensions) ?? handlerCode },
    })
    this.handlerCode = handlerCode
  }
}

const codeIn = (extensions: unknown): string | null =>
  isRecord(extensions) && typeof extensions.code === 'string' ? extensions.code : null
