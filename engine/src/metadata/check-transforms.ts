import type { RequestTransform, ResponseTransform } from '@svc/schema'
import { ApiError, type Path } from '../errors.ts'
import {
  compileRequestTransform,
  compileResponseTransform,
  placeOfFault,
  type TransformError,
} from '../transforms/index.ts'

/** Both transforms of a webhook, where it has them. */
export interface DeclaredTransforms {
  readonly request_transform?: RequestTransform | undefined
  readonly response_transform?: ResponseTransform | undefined
}

/**
 * Throws validation-failed with every template that does not parse, the response's first
 * (reference/transforms#trying-a-transform). `below`: the path of the transforms; `at` of the error is the first
 * template that is at fault.
 */
export function checkTransforms(declared: DeclaredTransforms, path: Path, below: Path = path): void {
  const { response_transform: response, request_transform: request } = declared
  const compiledResponse = response && compileResponseTransform(response)
  if (compiledResponse?.kind === 'errors')
    throw transformFailed('response', compiledResponse.errors, path, below, placeOfFault(response ?? noTransform))
  const compiledRequest = request && compileRequestTransform(request)
  if (compiledRequest?.kind === 'errors')
    throw transformFailed('request', compiledRequest.errors, path, below, placeOfFault(request ?? noTransform))
}

const noTransform = { version: 2, template_engine: 'Kriti' } as const

export const transformFailed = (
  of: 'request' | 'response',
  errors: readonly TransformError[],
  path: Path,
  below: Path = path,
  place: readonly string[] = [],
): ApiError =>
  new ApiError('validation-failed', path, `${of} transform validation failed`, {
    internal: errors,
    at: below.at(`${of}_transform`, ...place),
  })
