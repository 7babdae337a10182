import { ApiError, type ErrorCode, Path } from '../../../errors.ts'
import { RequestFailed } from './api-answer.ts'
import { CannotDecode } from './run-job.ts'

/**
 * Returns an error of the API as requests are answered with it: the service's own message is for admins only
 * (reference/values: errors). Anything else is passed through.
 */
export function jobFailure(error: unknown, code: ErrorCode = 'unexpected', path: Path = Path.root): unknown {
  const status = code === 'unexpected' ? 500 : 400
  if (error instanceof CannotDecode)
    return new ApiError(code, path, error.message, { status, internal: { response: error.answer } })
  if (!(error instanceof RequestFailed)) return error
  if (error.answer === null || error.of === 'token')
    return requestFailure(
      {
        exception: error.of === 'token' ? `no access token: ${error.message}` : error.message,
        ...(error.answer && { rest_request_non_ok: error.answer.json }),
      },
      code,
      path,
    )
  return new ApiError(code, path, error.message, { status, internal: { rest_request_non_ok: error.answer.json } })
}

export const REQUEST_FAILURE = 'Cannot execute BigQuery request'

/** Returns the error for a service that could not be reached, or answered no request. */
export const requestFailure = (internal: unknown, code: ErrorCode = 'unexpected', path: Path = Path.root): ApiError =>
  new ApiError(code, path, REQUEST_FAILURE, { status: code === 'unexpected' ? 500 : 400, internal })
