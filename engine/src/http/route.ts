import type { Headers } from '../auth/index.ts'
import type { ApiGroup } from '../config/index.ts'
import type { LateLists } from '../exact-json/index.ts'
import { WrittenJson } from '../json-bytes/index.ts'
import type { AuditEntry, AuditRemarks } from '../metadata/index.ts'
import type { RequestAnswered } from '../observe/index.ts'
import type { Session } from '../session.ts'

/**
 * The form of errors: the API shape or the GraphQL shape, the latter always with status 200
 * (reference/metadata-requests#errors, reference/http#graphql-over-http).
 */
export type ErrorStyle = 'api' | 'graphql' | 'graphql-200'

export interface Route {
  /** One that ends in `/*` serves every path below. */
  readonly path: string
  /** `*`: any; its body is not decoded. */
  readonly method: 'GET' | 'POST' | '*'
  /** The word of --enabled-apis that governs it; null: always on. */
  readonly api: ApiGroup | null
  readonly authenticated: boolean
  /** What it changes or refuses goes into the audit log. */
  readonly isAudited?: true
  /** It checks what access tokens allow (`session.access`); routes without it refuse them. */
  readonly takesAccessTokens?: true
  /** It serves drafts too (docs/drafts.md); other routes refuse requests that are for one. */
  readonly takesDrafts?: true
  readonly errors: ErrorStyle
  /** Lists in long bodies whose members are read once, each at its turn. */
  readonly lateLists?: LateLists
  /** Of load balancers and orchestrators. */
  readonly isProbe?: true
  /** Of every answer to an authenticated request, errors included. */
  headers?(): Readonly<Record<string, string>>
  answer(asked: RouteRequest): Reply | Promise<Reply>
}

/** A request that was read and authenticated. */
export interface RouteRequest {
  readonly requestId: string
  readonly method: string
  readonly path: string
  /** Of the client, as proxies say. */
  readonly address: string
  readonly headers: Headers
  readonly query: URLSearchParams
  /** Parsed JSON of a POST; undefined otherwise. */
  readonly body: unknown
  /** Of a route for any method. */
  readonly bytes: Buffer
  /** Of a route that needs no authentication: no one's. */
  readonly session: Session
  /** Aborted when the client has gone. */
  readonly signal: AbortSignal
  /** Keeps what the audit log is to have of it, also where it fails. */
  readonly notes: { remarks: AuditRemarks }
  readonly internals: (session: Session) => boolean
}

export interface Reply {
  readonly status: number
  readonly body: readonly Buffer[]
  readonly contentType?: string
  readonly headers?: Readonly<Record<string, string | readonly string[]>>
  readonly mode: RequestAnswered['mode']
  /** Of a batch. */
  readonly operations?: RequestAnswered['operations']
  /** Something was changed, and metadata has this version then. */
  readonly changes?: { readonly resourceVersion: number } | undefined
  /** What the audit log has of it already. */
  readonly audited?: AuditEntry | null
  /** API shape, for the log; errors are not compressed. */
  readonly error: Readonly<Record<string, unknown>> | null
}

export const jsonType = 'application/json; charset=utf-8'

export const jsonBody = (value: unknown): readonly Buffer[] =>
  value instanceof WrittenJson ? value.pieces : [Buffer.from(JSON.stringify(value) ?? 'null')]

/** Returns an answer that is no GraphQL response. */
export const plain = (body: readonly Buffer[], contentType: string, status = 200): Reply => ({
  status,
  body,
  contentType,
  mode: 'non-graphql',
  error: null,
})

export const json = (value: unknown, status?: number): Reply => plain(jsonBody(value), jsonType, status)
