import { ApiError, Path } from '../errors.ts'
import type { Api, GraphqlSettings } from '../graphql/index.ts'
import type { HttpHeader } from '../http-client/index.ts'
import type { Model } from '../model/index.ts'
import type { Session } from '../session.ts'
import type { Allowance } from './allowance.ts'
import type { DraftUse } from './check-draft.ts'
import type { GraphqlCaches } from './graphql-caches.ts'
import type { GraphqlRequest } from './graphql-request.ts'
import type { BoundRoots, LogQuery } from './log-query.ts'
import type { ActionServices } from './run-action.ts'
import type { RemoteRequest, RemoteServices } from './run-remote.ts'
import type { Routed } from './source-connection.ts'
import type { TallyOf } from './tally.ts'
import type { TraceOf } from './write-unit.ts'

export interface GraphqlExecution {
  readonly model: Model
  readonly request: GraphqlRequest
  /** Whose schema; Relay's has nodes and connections. */
  readonly api?: Api
  readonly session: Session
  readonly caches: GraphqlCaches
  readonly settings: GraphqlSettings
  /** Of the data, used up as it arrives: an operation may have thousands of root fields. */
  readonly answerSize: Allowance
  /** The client left, or the role's time is over. */
  readonly signal?: AbortSignal
  /** The client left: what is still read once rows are stored ends for nothing else. */
  readonly gone?: AbortSignal
  readonly requestId?: string
  /** What triggers of the tables that are written find as svc.tracecontext. */
  readonly trace?: TraceOf
  /** What actions may forward. */
  readonly clientHeaders?: () => readonly HttpHeader[]
  /** Absent: no remote schema can be queried. */
  readonly remotes?: RemoteServices
  /** Absent: no action can be called. */
  readonly actions?: ActionServices
  /** Called once nothing is wrong with the request itself, before anything is sent. */
  readonly begun?: (() => void) | undefined
  /** Absent: executions are not counted. */
  readonly tallyOf?: TallyOf | undefined
  /** The model is that of a draft, through which the request came. */
  readonly draft?: DraftUse | undefined
  /** Receives which requests go where; absent: the query-log is off. */
  readonly logQuery?: LogQuery | undefined
}

/** A request while its root fields run. */
export interface Running extends GraphqlExecution {
  /** Which of the sources' connections it uses. */
  readonly routed: Routed
  /** Those of handlers, in the order of the root fields. */
  readonly cookies: string[]
  /** Results that may still change, by their response keys. */
  readonly open: string[]
  /** For the query-log. */
  readonly bound?: BoundRoots | undefined
}

/** Returns what its requests to handlers, webhooks and remote schemas are made with. */
export function outgoingRequest({ model, request, session, signal, requestId = '', clientHeaders }: Running) {
  const { variables, query, operationName } = request
  return { model, session, variables, query, operationName, clientHeaders: clientHeaders?.() ?? [], requestId, signal }
}

/** Returns what its requests to remote schemas are made with. Throws not-supported where none are sent. */
export function remoteRequest(execution: Running, allowance: Allowance): RemoteRequest {
  const { remotes: services } = execution
  if (!services) throw new ApiError('not-supported', Path.root, 'remote schemas cannot be asked here')
  return { ...outgoingRequest(execution), allowance, services }
}
