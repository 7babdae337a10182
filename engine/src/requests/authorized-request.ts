import type { MetadataDocument, RunSqlArgs } from '@svc/schema'
import type { RunSqlRequest } from '../changes/index.ts'
import type { ApiError } from '../errors.ts'
import type { Author } from '../metadata/index.ts'
import { adminRole, ownPrefix, type Session, withPrefix } from '../session.ts'
import { traceJson } from '../tracing/index.ts'
import type { RequestFacts } from './answer.ts'
import type { AdminRequest } from './command.ts'
import { detailedError, detailsAsked } from './error-details.ts'

/** A request with its session. */
export interface AuthorizedRequest {
  readonly request: AdminRequest
  readonly session: Session
  readonly facts: RequestFacts
  readonly showInternal: boolean
}

/** Returns an error with the details that the request wants. `document`: as it was before what was refused. */
export const detailed = (
  { facts, showInternal }: Pick<AuthorizedRequest, 'facts' | 'showInternal'>,
  error: ApiError,
  document: MetadataDocument,
): ApiError => detailedError(error, detailsAsked(facts.headers), document, showInternal)

/** The author that the change log names. */
export const authorOf = ({ session, facts }: AuthorizedRequest): Author => ({
  role: session.role,
  actor: facts.actor,
  owner: facts.owner ?? null,
  userAgent: facts.userAgent,
  requestId: facts.requestId,
  sessionVariables: Object.fromEntries(session.variables),
})

/** SQL with what its transaction knows of the request. */
export function traced(args: RunSqlArgs, { facts, session: { prefix } }: AuthorizedRequest): RunSqlRequest {
  const context = facts.trace?.() ?? null
  // whatever role variables the request has, events of SQL say that the admin caused them
  // (reference/event-triggers#in-the-database)
  const admin = { role: adminRole, variables: new Map([[`${prefix ?? ownPrefix}role`, adminRole]]), backendOnly: false }
  return { ...args, trace: context && traceJson(context), session: { ...admin, ...withPrefix(prefix) } }
}
