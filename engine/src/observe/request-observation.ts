import type { ErrorReport } from './error-report.ts'

/** Which requests an operation sends where (reference/logs, query-log). */
export interface QueryPlanned {
  readonly kind: 'query-planned'
  readonly requestId: string
  readonly role: string
  /** Which kind of root field (reference/logs). */
  readonly of: string
  readonly query: unknown
  /** By alias of the field; null where no database is queried. */
  readonly sql: Readonly<Record<string, LoggedStatement>> | null
}

interface LoggedStatement {
  readonly query: string
  readonly arguments: readonly (string | null)[]
  /** The variable that each argument came from: empty where it came from none, null where it may be any. */
  readonly origins: readonly (string | null)[]
}

/** One answered HTTP request, whatever became of it. */
export interface RequestAnswered {
  readonly kind: 'request-answered'
  readonly requestId: string
  readonly status: number
  readonly method: string
  readonly ip: string
  /** Path only. */
  readonly url: string
  /** The path that serves it, ending in `/*` where it serves all below; null where there is none. */
  readonly route: string | null
  /** A probe that is well, which is counted, and neither logged nor traced. */
  readonly isProbe: boolean
  readonly httpVersion: string
  readonly contentEncoding: 'gzip' | null
  /** Of its session; null: it was not authenticated. */
  readonly role: string | null
  readonly userVariables: Readonly<Record<string, string>> | null
  /** Bytes sent and before compression. */
  readonly responseSize: number
  readonly uncompressedResponseSize: number
  /** Seconds. */
  readonly requestReadTime: number
  readonly queryExecutionTime: number
  readonly mode: 'single' | 'batched' | 'non-graphql' | 'error'
  /** `type` of a metadata request. */
  readonly operation: string | null
  /** API shape with internal. */
  readonly error: Readonly<Record<string, unknown>> | null
  /** Of a batch. */
  readonly operations?: readonly BatchedOperation[] | undefined
  /** The request body; listeners decide whether it may be shown. */
  readonly query: unknown
  /** Whether `query` is one of /v1/metadata, /v1/query, /v2/query. */
  readonly isMetadata: boolean
  /** Only when the body could not be decoded. */
  readonly rawQuery: string | null
}

/** One operation of a batch, in its order. */
export interface BatchedOperation {
  readonly responseSize: number
  /** Seconds. */
  readonly queryExecutionTime: number
  /** API shape with internal. */
  readonly error: Readonly<Record<string, unknown>> | null
}

export type AuthenticationObservation =
  /** `status` is null when none came; `response` is the beginning of one that refuses or cannot be used. */
  | {
      readonly kind: 'auth-hook-answered'
      readonly requestId: string
      readonly url: string
      readonly method: string
      readonly status: number | null
      readonly error: string | null
      readonly response: string | null
    }
  /** Why an access token does not count: clients get one answer for all reasons. */
  | { readonly kind: 'access-token-refused'; readonly requestId: string; readonly reason: string }
  /** The keys at a jwk_url, or of an OIDC issuer, are in use from now on. */
  | { readonly kind: 'key-set-fetched'; readonly url: string; readonly keys: number }
  /** A key of a fetched set that verifies no tokens; `id` is its `kid`. */
  | { readonly kind: 'key-left-out'; readonly url: string; readonly id: string | null; readonly message: string }
  | {
      readonly kind: 'key-set-failed'
      readonly url: string
      readonly status: number | null
      readonly message: string
    }

export type RequestObservation =
  | RequestAnswered
  /** One operation of GraphQL, over HTTP or a websocket; `code` is that of its error. */
  | {
      readonly kind: 'operation-executed'
      readonly requestId: string
      readonly role: string
      readonly api: string
      /** Null where they are not known: the document cannot be read, or spans are not recorded. */
      readonly type: 'query' | 'mutation' | 'subscription' | null
      readonly operationName: string | null
      /** Null where it came to no plan. */
      readonly planCached: boolean | null
      readonly milliseconds: number
      readonly code: string | null
    }
  | QueryPlanned
  /** A bug of ours, or something no rule prescribes: answered 500 `unexpected`. */
  | { readonly kind: 'request-crashed'; readonly requestId: string; readonly error: ErrorReport }
  /** Malformed HTTP, a header too large, a client too slow. */
  | { readonly kind: 'connection-refused'; readonly reason: string; readonly status: number }

export type OutgoingObservation =
  /** A request that the engine made itself: to a handler, a webhook, a remote schema, a key set. */
  {
    readonly kind: 'http-request-sent'
    /** The actor of the request. */
    readonly purpose: string
    /** Of its trace; null where it has none. */
    readonly spanId: string | null
    readonly requestId: string | null
    readonly method: string
    /** As configured, environment references unresolved, without the query. */
    readonly url: string
    /** Null where there was no response: `failure` says why. */
    readonly status: number | null
    readonly failure: string | null
    /** Bytes after decompression. */
    readonly responseSize: number
    readonly milliseconds: number
  }
