import type { Caller, SourceConnection } from '../backends/index.ts'
import { ApiError, Path } from '../errors.ts'
import type { HttpHeader } from '../http-client/index.ts'
import type { Model } from '../model/index.ts'
import type { Session } from '../session.ts'
import type { OperationType, ReadConnection, Route, SourceState } from '../sources/index.ts'

/** What a connection is chosen by, where a source has several (docs/routing.md). */
export interface Routed {
  readonly model: Model
  readonly session: Session
  /** The request, or the poller of a subscription: each keeps its replica. */
  readonly by: object
  readonly clientHeaders?: (() => readonly HttpHeader[]) | undefined
  readonly type: OperationType
  readonly operationName: string | null
}

/** Whom a request's statements are run for. */
export const callerOf = ({ session: { role }, operationName }: Routed): Caller => ({ role, operationName })

/** The live connection of a source itself. Throws what its backend says of one that cannot be reached. */
export const sourceConnection = (model: Model, name: string): SourceConnection => readySource(model, name).connection

/** Returns the connection that a request reads from. Throws as `sourceConnection` does, and errors of templates. */
export function readConnection(routed: Routed, name: string): ReadConnection {
  const { connection, routing } = readySource(routed.model, name)
  if (!routing) return connection
  // a request that writes reads what it has written
  if (routed.type === 'mutation') return routing.writes(routeOf(routed, name))
  return routing.reads(routeOf(routed, name), routed.by)
}

/** Returns the connection of a caller that reads again and again by a route that was found before. */
export function routedConnection(model: Model, name: string, route: Route, by: object): ReadConnection {
  const { connection, routing } = readySource(model, name)
  return routing ? routing.reads(route, by) : connection
}

/** Returns the connection that a request writes to. Throws the same, and not-supported for one of a replica. */
export function writeConnection(routed: Routed, name: string): SourceConnection {
  const { connection, routing } = readySource(routed.model, name)
  return routing ? routing.writes(routeOf(routed, name)) : connection
}

/** Returns where the template of a source sends a request: `default` where it has none. */
export function routeOf({ model, session, by, clientHeaders, type, operationName }: Routed, name: string): Route {
  const { routing } = readySource(model, name)
  if (!routing) return { to: 'default' }
  const request = () => ({ session, headers: clientHeaders?.() ?? [], type, name: operationName })
  return routing.route(session.role, by, request)
}

function readySource(model: Model, name: string): SourceState & { readonly status: 'ready' } {
  const source = model.input.sources.get(name)
  if (source?.status === 'ready') return source
  if (source?.backend) throw source.backend.failures.unreachable(source.message)
  throw new ApiError('unexpected', Path.root, 'connection error', {
    status: 500,
    internal: source ? source.message : `source ${name} does not exist`,
  })
}
