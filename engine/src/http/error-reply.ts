import { ApiError, errorBody, graphqlError, Path } from '../errors.ts'
import { type ErrorStyle, jsonBody, type Reply } from './route.ts'

/**
 * Returns an error in the shape of the route; `internal` only for roles that may see it
 * (reference/metadata-requests#errors).
 */
export function errorReply(error: ApiError, style: ErrorStyle, showInternal: boolean, preserve401 = false): Reply {
  const keepsStatus = isTransportFault(error) || (preserve401 && error.status === 401)
  return {
    status: style === 'graphql-200' && !keepsStatus ? 200 : error.status,
    body: jsonBody(style === 'api' ? errorBody(error, showInternal) : graphqlErrorBody(error, showInternal)),
    mode: 'error',
    error: errorBody(error, true),
  }
}

/** What came is no GraphQL request at all: that is reported by the status wherever it is sent. */
const isTransportFault = ({ code, status }: ApiError) =>
  code === 'invalid-json' || status === 405 || status === 413 || status === 415

export function graphqlErrorBody(error: ApiError, showInternal: boolean): unknown {
  if (error.graphqlErrors) return { data: null, errors: error.graphqlErrors }
  return { errors: [graphqlError(error, showInternal)] }
}

export const notFound = () => new ApiError('not-found', Path.root, 'resource does not exist', { status: 404 })

/** Anything thrown that is no ApiError is a bug: reported in the log, answered without a word about it. */
export const unexpectedError = (cause: unknown) =>
  new ApiError('unexpected', Path.root, 'internal error', { status: 500, cause })
