/** A request that the engine makes, and what can become of it: plain data. */
import type { TraceContext } from '../tracing/index.ts'

/** Name as written, value; a name may come several times. */
export type HttpHeader = readonly [name: string, value: string]

export interface HttpRequest {
  readonly method: string
  /** Absolute, http or https; environment references already resolved. */
  readonly url: string
  /**
   * The URL as configured, with its environment references unresolved: what observations show.
   * Queries and passwords of URLs are never shown.
   */
  readonly shownUrl: string
  /** The part of the engine that sends it, for observations. */
  readonly purpose: string
  readonly requestId?: string
  /** The trace it belongs to where no request is being answered. */
  readonly cause?: TraceContext
  /** A User-Agent of the engine's is added where there is none, unless `isComplete`. */
  readonly headers: readonly HttpHeader[]
  readonly isComplete?: boolean
  readonly body: string | Uint8Array | null
  /** Milliseconds for everything: name lookup, connecting, redirects, the whole body. Null: no limit. */
  readonly timeout: number | null
  /** How many redirects are followed, 10 by default: 302 and 303 as GET without body, 301, 307 and 308 as they were. */
  readonly redirects?: number
  /** Bytes of a response body after decompression; by default the client's. */
  readonly maxResponseBytes?: number
  /** Cancels the request wherever it is; its end is the failure `aborted`. */
  readonly signal?: AbortSignal
}

export interface HttpResponse {
  readonly kind: 'response'
  readonly status: number
  /** As received, with repeated ones. */
  readonly headers: readonly HttpHeader[]
  readonly body: Buffer
  readonly milliseconds: number
}

export type FailureKind =
  | 'aborted'
  | 'connection'
  | 'invalid-request'
  | 'invalid-url'
  | 'refused-address'
  | 'timeout'
  | 'tls'
  | 'too-large'
  | 'too-many-redirects'

export interface HttpFailure {
  readonly kind: 'failure'
  readonly failure: FailureKind
  /** One line, without the URL. */
  readonly message: string
  /** The system's or the TLS library's word for it, `ECONNREFUSED` say. */
  readonly code: string | null
  readonly milliseconds: number
}

export type HttpResult = HttpResponse | HttpFailure
