import { eventLines } from './log-events.ts'
import { httpLogDetail, httpLogFilter, withoutInternal } from './log-http.ts'
import { type LogSettings, lineWriter, type WriteLine } from './log-line.ts'
import { queryLogDetail } from './log-query.ts'
import { websocketLogDetail, websocketLogLevel } from './log-websocket.ts'
import { maskVariables } from './mask-variables.ts'
import type { Observation } from './observation.ts'
import { type Listener, silent } from './observer.ts'

/**
 * The listener that writes the log (reference/logs). With level `debug` every observation is also printed as it is,
 * type `observation`: that is what tests of the real process wait for.
 */
export function logListener(settings: LogSettings, print: (line: string) => void): Listener {
  const write = lineWriter(settings, print)
  const listener = linesOf(settings, write)
  const isDebug = settings.level === 'debug'
  if (!isDebug && settings.maskedVariables.size === 0) return listener
  const masked = maskVariables(settings.maskedVariables)
  return Object.fromEntries(
    Object.entries(listener).map(([kind, receive]) => [
      kind,
      (reported: Observation) => {
        const observation = masked(reported)
        ;(receive as (observation: Observation) => void)(observation)
        if (isDebug) write('debug', 'observation', withoutBodies(observation))
      },
    ]),
  ) as unknown as Listener
}

/** Requests may hold anything, passwords of databases too: whether to show them is the http-log's decision. */
function withoutBodies(observation: Observation): Observation {
  if (observation.kind === 'websocket' && observation.event.kind === 'operation')
    return { ...observation, event: { ...observation.event, query: null } }
  if (observation.kind !== 'request-answered') return observation
  return { ...observation, query: null, rawQuery: null, error: observation.error && withoutInternal(observation.error) }
}

function linesOf(settings: LogSettings, write: WriteLine): Listener {
  const startup = (kind: string, info: unknown) => write('info', 'startup', { kind, info })
  const writes = (type: string) => settings.enabledTypes.has(type)
  const isInHttpLog = writes('http-log') ? httpLogFilter(settings) : () => false
  const sync = (info: unknown) => write('info', 'schema-sync', { thread_type: 'processor', info })
  return {
    'admin-secret-missing': ({ host }) =>
      write('warn', 'startup', {
        kind: 'no_admin_secret',
        info: `No admin secret is set: anyone who reaches ${host} is admin. Set SVC_GRAPHQL_ADMIN_SECRET.`,
      }),
    'reference-variables-set': ({ variables }) =>
      write('warn', 'startup', {
        kind: 'reference_variables',
        info: `Variables of the reference engine do not count: ${variables}`,
      }),
    configured: ({ settings }) => startup('server_configuration', settings),
    'startup-failed': ({ message, error }) =>
      write('error', 'startup', { kind: 'start_failed', info: { message, error: error && withoutStack(error) } }),
    'server-started': ({ url, milliseconds }) =>
      startup('server', { message: 'Starting API server', url, time_taken: milliseconds / 1000 }),
    'server-stopping': ({ signal, requestsInFlight }) =>
      startup('server', { message: 'Shutting down', signal, requests_in_flight: requestsInFlight }),
    'server-stopped': ({ milliseconds }) => startup('server', { message: 'Stopped', time_taken: milliseconds / 1000 }),
    'worker-started': ({ worker, pid, milliseconds }) =>
      startup('worker', { message: `Worker ${worker} serves`, pid, time_taken: milliseconds / 1000 }),
    'worker-stopping': ({ worker, requestsInFlight }) =>
      startup('worker', { message: `Worker ${worker} stops`, requests_in_flight: requestsInFlight }),
    'worker-ended': ({ worker, pid, code, signal }) =>
      write(code === 0 ? 'info' : 'error', 'startup', {
        kind: 'worker',
        info: { message: `Worker ${worker} ended`, pid, code, signal },
      }),
    'worker-failed': ({ worker, message, error }) =>
      write('error', 'startup', {
        kind: 'worker',
        info: { message: `Worker ${worker} cannot start: ${message}`, error: error && withoutStack(error) },
      }),
    'embedded-moved': ({ asked, directory, user }) => startup('embedded', { message: 'Moved', asked, directory, user }),
    'embedded-initialising': ({ directory }) => startup('embedded', { message: 'Creating a database', directory }),
    'embedded-leftover-stopped': ({ pid }) => startup('embedded', { message: 'Stopped a server left over', pid }),
    'embedded-started': ({ directory, user, pid, log, milliseconds }) =>
      startup('embedded', {
        message: 'PostgreSQL started',
        directory,
        user,
        pid,
        log,
        time_taken: milliseconds / 1000,
      }),
    'embedded-stopped': ({ directory }) => startup('embedded', { message: 'PostgreSQL stopped', directory }),
    'embedded-ended': ({ lastLine }) =>
      write('error', 'startup', { kind: 'embedded', info: { message: 'PostgreSQL ended by itself', log: lastLine } }),
    'catalogue-connecting': ({ url }) => startup('postgres_connection', { database_url: url }),
    'catalogue-unreachable': ({ attempt, of, error }) =>
      write('warn', 'startup', {
        kind: 'postgres_connection',
        info: { message: 'The metadata database cannot be reached', attempt, of, error: withoutStack(error) },
      }),
    'catalogue-migrated': ({ from, to, milliseconds }) =>
      startup('catalog_migrate', { message: catalogueText(from, to), from, to, time_taken: milliseconds / 1000 }),
    'metadata-loaded': ({ resourceVersion, objects, milliseconds }) =>
      startup('schema-sync', { resource_version: resourceVersion, objects, time_taken: milliseconds / 1000 }),
    'catalogue-lost': ({ error }) =>
      write('error', 'pg-client', { message: 'Lost the metadata database', error: withoutStack(error) }),
    'catalogue-back': () => write('info', 'pg-client', { message: 'The metadata database is back' }),
    'source-connected': ({ source, of, url, tables, milliseconds }) =>
      startup(`${of}_connection`, { source, database_url: url, tables, time_taken: milliseconds / 1000 }),
    'source-unavailable': ({ source, attempt, retryInMilliseconds, error }) =>
      write('warn', 'pg-client', {
        message: `The source "${source}" cannot be reached`,
        attempt,
        retry_in_seconds: retryInMilliseconds === null ? null : retryInMilliseconds / 1000,
        error: withoutStack(error),
      }),
    'remote-schema-unavailable': ({ remoteSchema, attempt, retryInMilliseconds, error }) =>
      write('warn', 'metadata', {
        message: `The remote schema "${remoteSchema}" could not be read`,
        attempt,
        retry_in_seconds: retryInMilliseconds / 1000,
        error: withoutStack(error),
      }),
    'health-checked': ({ source, status, error, timestamp, attempt, isFinal, milliseconds }) =>
      write(status === 'OK' ? 'info' : 'warn', 'health-check-log', {
        source_name: source,
        status,
        error,
        timestamp,
        attempt,
        is_final: isFinal,
        time_taken: milliseconds / 1000,
      }),
    'replica-left-out': ({ source, replica, reason, message }) =>
      write('warn', 'pg-client', {
        message: `The read replica ${replica} of source "${source}" is left out`,
        reason,
        error: message,
      }),
    'replica-serving': ({ source, replica, lagMilliseconds }) =>
      write('info', 'pg-client', {
        message: `The read replica ${replica} of source "${source}" is asked`,
        lag_in_seconds: lagMilliseconds / 1000,
      }),
    'replica-read-moved': silent, // counted; why is logged once, when the replica is left out
    'source-lost': ({ source, error }) =>
      write('error', 'pg-client', { message: `Lost the source "${source}"`, error: withoutStack(error) }),
    'source-effects-failed': ({ source, effects, error }) =>
      write('error', 'pg-client', {
        message: `The database of source "${source}" could not be changed as metadata asks`,
        effects,
        error: withoutStack(error),
      }),
    'statement-executed': silent, // a span where traces are sent; the query-log has the statements
    'job-ended': silent, // counted; its error is the request's
    'columns-left-out': ({ source, table, columns }) =>
      write('warn', 'metadata', {
        message: `Columns of ${table} in source "${source}" are not served: GraphQL has no type for theirs`,
        columns,
      }),
    'source-introspected': silent, // reported with level debug
    'prepared-statements-off': ({ source }) =>
      write('warn', 'pg-client', {
        message: `A pooler between here and the source "${source}" loses prepared statements: they are not used any more`,
      }),
    'bulk-started': silent,
    'metadata-committed': ({ resourceVersion, changed, milliseconds }) =>
      write('info', 'schema-sync', {
        thread_type: 'metadata-api',
        info: { resource_version: resourceVersion, changed, time_taken: milliseconds / 1000 },
      }),
    'owned-changed': ({ requestId, actor, owner, overruled, breakGlass }) =>
      write('warn', 'metadata', {
        message: 'What a stack or directory owns was changed by another client',
        request_id: requestId,
        actor,
        owner,
        overruled,
        ...(breakGlass !== null && { break_glass: breakGlass }),
      }),
    'metadata-outrun': ({ base }) => sync({ message: 'Another instance was first; computed again', base }),
    'metadata-inconsistent': ({ objects }) =>
      write('warn', 'metadata', { message: 'Inconsistent Metadata!', info: { objects } }),
    'model-updated': silent,
    'metadata-synchronised': ({ resourceVersion, milliseconds }) =>
      sync({ message: 'Schema synchronised', resource_version: resourceVersion, time_taken: milliseconds / 1000 }),
    'metadata-synchronisation-failed': ({ error }) =>
      write('error', 'schema-sync', { thread_type: 'processor', info: { error: withoutStack(error) } }),
    'remote-schemas-reloaded': ({ remoteSchemas, milliseconds }) =>
      sync({ message: 'Remote schemas read again', remote_schemas: remoteSchemas, time_taken: milliseconds / 1000 }),
    'sources-reloaded': ({ sources, milliseconds }) =>
      sync({ message: 'Sources read again', sources, time_taken: milliseconds / 1000 }),
    'request-answered': (o) => {
      if (isInHttpLog(o)) write(o.error ? 'error' : 'info', 'http-log', httpLogDetail(o, settings))
    },
    'operation-executed': ({ requestId, planCached, milliseconds }) =>
      write('info', 'execution-log', {
        request_id: requestId,
        statistics: { execution_time: milliseconds / 1000, plan_cached: planCached },
      }),
    'query-planned': (o) => write('info', 'query-log', queryLogDetail(o)),
    'auth-hook-answered': (o) =>
      write(o.status === 200 ? 'info' : 'error', 'webhook-log', {
        request_id: o.requestId,
        status_code: o.status,
        url: o.url,
        method: o.method,
        http_error: o.error,
        response: o.response,
        message: null,
      }),
    audited: ({ entry, isRefused }) => write(isRefused ? 'warn' : 'info', 'audit', entry),
    'audit-log-failed': ({ requestId, error }) =>
      write('error', 'audit', {
        request_id: requestId,
        message: 'The audit log could not be written',
        error: withoutStack(error),
      }),
    'usage-not-stored': ({ requests, isLost, error }) =>
      write('warn', 'usage', {
        message: isLost
          ? `The usage of ${requests} requests may not have been stored`
          : 'The usage could not be stored, and will be with the next attempt',
        requests,
        error: withoutStack(error),
      }),
    'access-token-refused': ({ requestId, reason }) =>
      write('warn', 'access-token', { request_id: requestId, message: `An access token is refused: ${reason}` }),
    'key-set-fetched': ({ url, keys }) =>
      write('info', 'jwk-refresh-log', { message: `Fetched ${keys} keys`, url, http_error: null }),
    'key-left-out': ({ url, id, message }) =>
      write('warn', 'jwk-refresh-log', { message: `A key is left out: ${message}`, url, kid: id, http_error: null }),
    'key-set-failed': ({ url, status, message }) =>
      write('critical', 'jwk-refresh-log', {
        message: 'The keys cannot be fetched',
        url,
        http_error: { status, message },
      }),
    'telemetry-started': ({ traces, metrics }) =>
      write('info', 'unstructured', { message: 'OpenTelemetry: sending', traces, metrics }),
    'telemetry-failed': ({ message }) => write('error', 'unstructured', { message: `OpenTelemetry: ${message}` }),
    'request-crashed': ({ requestId, error }) =>
      write('error', 'unhandled-internal-error', { request_id: requestId, error }),
    ...eventLines(settings, write),
    'action-called': ({ requestId, action, status, failure, requestSize, responseSize, milliseconds }) =>
      write('info', 'action-handler-log', {
        request_id: requestId,
        action_name: action,
        status,
        ...(failure !== null && { failure }),
        request_size: requestSize,
        response_size: responseSize,
        time_taken: milliseconds / 1000,
      }),
    'action-finished': silent,
    'action-interrupted': ({ id, action }) =>
      write('warn', 'asynchronous-action', {
        message: `The handler of "${action}" was being called when the engine ended; it is not called again`,
        id,
      }),
    'action-log-failed': ({ error }) =>
      write('error', 'asynchronous-action', { message: 'The log of actions failed', error: withoutStack(error) }),
    // other senders log their own; printed with level debug
    'http-request-sent': ({ purpose, requestId, method, url, status, failure, responseSize, milliseconds }) => {
      if (purpose !== 'validate-input') return
      write(status === 200 ? 'info' : 'error', 'validate-input-log', {
        request_id: requestId,
        method,
        url,
        status,
        failure,
        response_size: responseSize,
        time_taken: milliseconds / 1000,
      })
    },
    websocket: (o) => {
      if (writes('websocket-log')) write(websocketLogLevel(o), 'websocket-log', websocketLogDetail(o, settings))
      if (o.event.kind === 'accepted' || o.event.kind === 'closed')
        write('debug', 'ws-server', { websocket_id: o.websocketId, message: o.event.kind })
    },
    'subscription-begun': silent, // the websocket-log has it
    'subscription-ended': silent,
    'subscriptions-polled': ({ kind: _, milliseconds, ...poll }) =>
      write(poll.error === null ? 'info' : 'error', 'livequery-poller-log', {
        ...poll,
        time_taken: milliseconds / 1000,
      }),
    'connection-refused': ({ reason, status }) => write('warn', 'unstructured', { message: reason, status }),
  }
}

const withoutStack = ({ message, code }: { readonly message: string; readonly code: string | null }) => ({
  message,
  code,
})

function catalogueText(from: number | null, to: number): string {
  if (from === null) return `Created the catalogue, version ${to}`
  return from === to ? `The catalogue is at version ${to}` : `Migrated the catalogue from version ${from} to ${to}`
}
