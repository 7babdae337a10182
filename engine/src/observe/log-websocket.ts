import { createHash } from 'node:crypto'
import { Kind, parse, print, stripIgnoredCharacters, type ValueNode, visit } from 'graphql'
import type { LogLevel, LogSettings } from './log-line.ts'
import type { ObservationOf } from './observation.ts'

const mostKept = 1000
/** Characters. */
const longest = 10_000
const kept = new Map<string, string | null>()

/**
 * The same for queries that differ in the values of their arguments only (reference/logs, websocket-log); null for what is
 * no query, and for long ones, whose parsing would take longer than what is logged of them is worth.
 */
function queryHash(query: string): string | null {
  const known = kept.get(query)
  if (known !== undefined) return known
  if (query.length > longest) return null
  const hash = hashOf(query)
  if (kept.size === mostKept) kept.clear()
  kept.set(query, hash)
  return hash
}

const placeholder: ValueNode = { kind: Kind.NULL }

function hashOf(query: string): string | null {
  try {
    const document = visit(parse(query, { noLocation: true }), {
      Argument: (node) => ({ ...node, value: placeholder }),
      VariableDefinition: ({ defaultValue: _, ...node }) => node,
    })
    return createHash('sha1')
      .update(stripIgnoredCharacters(print(document)))
      .digest('hex')
  } catch {
    return null
  }
}

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
