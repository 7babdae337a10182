import type { LongWork } from '../long-work.ts'
import type { TemplateValue } from '../templates/index.ts'
import type { CompiledResponseTransform } from './compile-transform.ts'
import { type RequestContext, type SessionVariables, sessionFunctions, sessionObject } from './context.ts'
import { type RequestBody, transformBody } from './transform-body.ts'
import { type Outcome, succeeded } from './transform-error.ts'

export interface ResponseParts {
  readonly status: number
  /** Null where it is no JSON. */
  readonly body: TemplateValue
}

/** The context of the request, where it had a transform. */
export type RespondedTo = RequestContext | null

/** The body that stands for the response's from now on; null: as it was (reference/transforms#response-transforms). */
export function* applyResponseTransform(
  transform: CompiledResponseTransform,
  response: ResponseParts,
  session: SessionVariables,
  request: RespondedTo,
): LongWork<Outcome<RequestBody | null>> {
  if (transform.body === null) return succeeded(null)
  const variables = sessionObject(session)
  return yield* transformBody(transform.body, {
    variables: new Map<string, TemplateValue>([
      ['$body', response.body],
      ['$session_variables', variables],
      ['$request', request === null ? null : requestValue(request)],
      ['$response', { status: response.status }],
    ]),
    functions: sessionFunctions(variables),
  })
}

/** Each part contains the whole context, as the contract's templates expect (reference/transforms#variables). */
function requestValue({ body, session_variables, base_url, query_params }: RequestContext): TemplateValue {
  const context = { body, session_variables, base_url, query_params }
  return { method: context, url: context, body: context, query_params: context, request_headers: context }
}
