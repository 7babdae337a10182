import type { RequestTransform, ResponseTransform } from '@svc/schema'
import { parseExactly } from '../exact-json/index.ts'
import type { HttpHeader, HttpResponse } from '../http-client/index.ts'
import { Stretches } from '../long-work.ts'
import type { TemplateValue } from '../templates/index.ts'
import {
  applyRequestTransform,
  applyResponseTransform,
  compileRequestTransform,
  compileResponseTransform,
  requestContext,
  type TransformError,
} from '../transforms/index.ts'

/** A request that is about to be sent. */
export interface OutgoingRequest {
  readonly method: string
  readonly url: string
  readonly headers: readonly HttpHeader[]
  readonly body: string | null
  /** The body where it is JSON, for the log. */
  readonly payload: string | null
}

type MadeRequest =
  | { readonly kind: 'request'; readonly request: OutgoingRequest }
  | { readonly kind: 'errors'; readonly message: string }

type MadeResponse =
  /** Null: the body as it came. */
  { readonly kind: 'body'; readonly text: string | null } | { readonly kind: 'errors'; readonly message: string }

type SessionVariables = ReadonlyMap<string, string> | null

/** How a trigger rewrites its requests and the responses to them (reference/transforms). */
export interface WebhookTransforms {
  request(request: OutgoingRequest, session: SessionVariables): Promise<MadeRequest>
  response(request: OutgoingRequest, response: HttpResponse, session: SessionVariables): Promise<MadeResponse>
}

export type CompiledTransforms =
  | { readonly kind: 'transforms'; readonly transforms: WebhookTransforms | null }
  | { readonly kind: 'errors'; readonly message: string }

const failure = (errors: readonly TransformError[]) => ({ kind: 'errors', message: JSON.stringify(errors) }) as const

/** Parses the templates of a trigger; null where it has none. `$request` of a response is the request before its transform. */
export function compileTransforms(declared: {
  readonly request_transform?: RequestTransform | undefined
  readonly response_transform?: ResponseTransform | undefined
}): CompiledTransforms {
  const { request_transform: ofRequest, response_transform: ofResponse } = declared
  if (!ofRequest && !ofResponse) return { kind: 'transforms', transforms: null }
  const request = ofRequest ? compileRequestTransform(ofRequest) : null
  const response = ofResponse ? compileResponseTransform(ofResponse) : null
  if (request?.kind === 'errors') return failure(request.errors)
  if (response?.kind === 'errors') return failure(response.errors)
  const contextOf = (given: OutgoingRequest, session: SessionVariables) =>
    requestContext(jsonOf(given.body ?? ''), session, given.url)
  const transforms: WebhookTransforms = {
    async request(given, session) {
      if (!request) return { kind: 'request', request: given }
      const work = applyRequestTransform(request.transform, given, contextOf(given, session))
      const made = await new Stretches().run(work)
      if (made.kind === 'errors') return failure(made.errors)
      const { method, url, headers, body } = made.value
      return {
        kind: 'request',
        request: {
          method,
          url,
          headers,
          body: body.kind === 'none' ? null : body.text,
          payload: body.kind === 'json' ? body.text : null,
        },
      }
    },
    async response(given, answer, session) {
      if (!response) return { kind: 'body', text: null }
      const parts = { status: answer.status, body: jsonOf(answer.body.toString('utf8')) }
      const sent = request ? contextOf(given, session) : null
      const made = await new Stretches().run(applyResponseTransform(response.transform, parts, session, sent))
      if (made.kind === 'errors') return failure(made.errors)
      if (made.value === null) return { kind: 'body', text: null }
      return { kind: 'body', text: made.value.kind === 'none' ? 'null' : made.value.text }
    },
  }
  return { kind: 'transforms', transforms }
}

function jsonOf(text: string): TemplateValue {
  try {
    return parseExactly(text) as TemplateValue
  } catch {
    return null
  }
}
