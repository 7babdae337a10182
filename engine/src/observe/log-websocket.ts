import type { LogLevel, LogSettings } from './log-line.ts'
import type { ObservationOf } from './observation.ts'
import { queryHash } from './query-hash.ts'

type Websocket = ObservationOf<'websocket'>

/** `detail` of a websocket-log line (reference/logs). */
export function websocketLogDetail({ event, ...o }: Websocket, settings: LogSettings): Record<string, unknown> {
  return {
    event: eventOf(event, settings),
    connection_info: {
      websocket_id: o.websocketId,
      token_expiry: o.tokenExpiry === null ? null : new Date(o.tokenExpiry).toISOString(),
      msg: event.kind === 'error' ? event.message : null,
    },
    user_vars: o.userVariables,
  }
}

/** Errors where something went wrong. */
export function websocketLogLevel({ event }: Websocket): LogLevel {
  switch (event.kind) {
    case 'accepted':
    case 'closed':
      return 'info'
    case 'rejected':
    case 'error':
      return 'error'
    case 'operation':
      return event.type === 'proto_err' || event.type === 'query_err' ? 'error' : 'info'
  }
}

function eventOf(event: Websocket['event'], settings: LogSettings): Record<string, unknown> {
  switch (event.kind) {
    case 'accepted':
      return { type: 'accepted', detail: event.protocol === '' ? null : event.protocol }
    case 'rejected':
      return { type: 'rejected', detail: event.reason }
    case 'error':
      return { type: 'conn_err', detail: event.message }
    case 'closed':
      return { type: 'closed', detail: { code: event.code, reason: event.reason } }
    case 'operation':
      return {
        type: 'operation',
        detail: {
          operation_id: event.operationId,
          request_id: event.requestId ?? null,
          operation_name: event.operationName ?? null,
          operation_type: { type: event.type, ...(event.detail !== undefined && { detail: event.detail }) },
          ...(settings.enabledTypes.has('query-log') && event.query !== undefined && { query: event.query }),
          parameterized_query_hash: typeof event.query === 'string' ? queryHash(event.query) : null,
        },
      }
  }
}
