import type { RequestTransform, ResponseTransform } from '@svc/schema'
import { ApiError, type Path } from '../errors.ts'
import { compileRequestTransform, compileResponseTransform, type TransformError } from '../transforms/index.ts'

/** Both transforms of a webhook, where it has them. */
export interface DeclaredTransforms {
  readonly request_transform?: RequestTransform | undefined
  readonly response_transform?: ResponseTransform | undefined
}

/** Throws validation-failed with every template that does not parse, the response's first (spec 03 §5.6). */
export function checkTransforms(declared: DeclaredTransforms, path: Path): void {
  const { response_transform: response, request_transform: request } = declared
  const compiledResponse = response && compileResponseTransform(response)
  if (compiledResponse?.kind === 'errors') throw transformFailed('response', compiledResponse.errors, path)
  const compiledRequest = request && compileRequestTransform(request)
  if (compiledRequest?.kind === 'errors') throw transformFailed('request', compiledRequest.errors, path)
}

export const transformFailed = (of: 'request' | 'response', errors: readonly TransformError[], path: Path): ApiError =>
  new ApiError('validation-failed', path, `${of} transform validation failed`, {
    internal: errors,
    at: path.at(`${of}_transform`),
  })
