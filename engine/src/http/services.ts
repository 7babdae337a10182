import type { AdminAnswer, AdminEndpoint, RequestFacts } from '../admin/index.ts'
import type { Headers } from '../auth/index.ts'
import type { Allowance, GraphqlAnswer } from '../execute/index.ts'
import type { Api } from '../graphql/index.ts'
import type { RequestLimits } from '../limits/index.ts'
import type { AuditEntry } from '../metadata/index.ts'
import type { ResolvedRestEndpoint } from '../model/index.ts'
import type { Access, Session } from '../session.ts'
import type { HealthStatus } from '../sources/index.ts'

/** What an operation is run with. */
interface OperationRequest {
  readonly session: Session
  readonly requestId: string
  readonly signal: AbortSignal
  readonly answerSize: Allowance
  readonly api: Api
  readonly begun?: () => void
  /** Of the request: what actions may forward. */
  readonly headers?: Headers
}

/** What the routes call; server/ puts it together. */
export interface Services {
  /** Sources that cannot be reached now, in order. */
  unreachableSources(): Promise<readonly string[]>
  /** Whether the catalogue answers, and whether the served model has inconsistent objects. */
  health(): Promise<{
    readonly reachable: boolean
    /** But for what this version cannot serve. */
    readonly consistent: boolean
    /** Sources of kinds that this version cannot serve, and what refers to them, by name. */
    readonly notServed: readonly string[]
    /** Why no events are sent; null where they are. */
    readonly withheld: string | null
  }>
  /** How sources answered their health checks last, by name (reference/http#health). */
  sourceHealth(): Promise<Readonly<Record<string, HealthStatus>>>
  /** Throws ApiError. */
  admin(endpoint: AdminEndpoint, body: unknown, session: Session, facts: RequestFacts): Promise<AdminAnswer>
  /** One operation of a parsed body. Throws ApiError. */
  graphql(operation: unknown, asked: OperationRequest): Promise<GraphqlAnswer>
  /** Whether the chosen operation of a parsed body is a mutation. Throws ApiError, as parsing and choosing do. */
  isMutation(operation: unknown): boolean
  /**
   * Logs an entry, and stores it unless it is stored already; resolves once it is, or is not going to be. Never
   * rejects.
   */
  audit(entry: AuditEntry, isKept: boolean): Promise<void>
  /** Of the schema that is served now, or of the draft that the request is for, as are explained plans. */
  restEndpoints(headers: Headers): Promise<readonly ResolvedRestEndpoint[]>
  openApi(headers: Headers): Promise<unknown>
  /** The body of an answer to explain. Throws ApiError. */
  explain(body: unknown, headers: Headers, access: Access | null): Promise<unknown>
  /** The output of pg_dump on a source. Throws not-found, not-supported, unexpected. */
  dump(source: string, options: readonly string[], signal: AbortSignal): Promise<readonly Buffer[]>
  readonly limits: Pick<RequestLimits, 'countRequest' | 'checkBatch' | 'checkOperation'>
  /** What is subscribed to (/dev/subscriptions). */
  subscriptions(extended: boolean): Promise<unknown>
  /** Of every answer of /v1/metadata, errors included (docs/metadata-api.md#versions). */
  adminHeaders(): Readonly<Record<string, string>>
}
