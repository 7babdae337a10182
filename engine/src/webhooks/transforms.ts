import type { HttpHeader, HttpResponse } from '../http-client/index.ts'

/** A request that is about to be sent. */
export interface OutgoingRequest {
  readonly method: string
  readonly url: string
  readonly headers: readonly HttpHeader[]
  readonly body: string | null
  /** The body where it is JSON, for the log. */
  readonly payload: string | null
}

export type MadeRequest =
  | { readonly kind: 'request'; readonly request: OutgoingRequest }
  | { readonly kind: 'errors'; readonly message: string }

export type MadeResponse =
  /** Null: the body as it came. */
  { readonly kind: 'body'; readonly text: string | null } | { readonly kind: 'errors'; readonly message: string }

type SessionVariables = ReadonlyMap<string, string> | null

/** How a trigger rewrites its requests and the responses to them (spec 03 §5). */
export interface WebhookTransforms {
  request(request: OutgoingRequest, session: SessionVariables): MadeRequest
  response(response: HttpResponse, session: SessionVariables): MadeResponse
}
