import { type ApiError, errorBody, graphqlError } from '../errors.ts'
import type { Protocol } from './protocol.ts'

/**
 * The form of the errors of an endpoint: the GraphQL shape, or on /v1alpha1/graphql the API shape
 * (reference/websockets#messages).
 */
export type ErrorShape = 'graphql' | 'api'

/** What the server has to say, whatever the protocol. */
export type ServerEvent =
  | { readonly kind: 'ack' }
  | { readonly kind: 'keep-alive' }
  | { readonly kind: 'pong'; readonly payload: string | null }
  /** The operation did not begin: it is not valid, not allowed, or came at the wrong time. */
  | { readonly kind: 'refused'; readonly id: string; readonly error: ApiError }
  /** A query or mutation failed while it ran. */
  | { readonly kind: 'failed'; readonly id: string; readonly error: ApiError }
  /** The latest poll of a subscription failed; the subscription remains. */
  | { readonly kind: 'poll-failed'; readonly id: string; readonly error: ApiError }
  | { readonly kind: 'complete'; readonly id: string }
  | { readonly kind: 'connection-error'; readonly message: string }
  /** Of an operation that came before connection_init: one text (reference/websockets#authentication-of-websockets). */
  | { readonly kind: 'refused-early'; readonly id: string; readonly error: ApiError }

/**
 * The text of an event; null where the protocol has no message for it. `internal` of errors is never shown
 * (reference/metadata-requests#errors).
 */
export function frameOf(event: ServerEvent, protocol: Protocol, shape: ErrorShape): string | null {
  const legacy = protocol === 'legacy'
  switch (event.kind) {
    case 'ack':
      return '{"type":"connection_ack"}'
    case 'keep-alive':
      return legacy ? '{"type":"ka"}' : '{"type":"ping","payload":{"message":"keepalive"}}'
    case 'pong':
      return event.payload === null ? '{"type":"pong"}' : `{"type":"pong","payload":${event.payload}}`
    case 'refused':
      return JSON.stringify({ type: 'error', id: event.id, payload: refusal(event.error, legacy, shape) })
    case 'refused-early':
      return JSON.stringify({
        type: 'error',
        id: event.id,
        payload: legacy ? refusal(event.error, legacy, shape) : event.error.message,
      })
    case 'failed':
      return legacy ? dataFrame(event.id, 'data', event.error) : errorFrame(event.id, event.error)
    case 'poll-failed':
      return dataFrame(event.id, legacy ? 'data' : 'next', event.error)
    case 'complete':
      return JSON.stringify({ type: 'complete', id: event.id })
    case 'connection-error':
      return legacy ? JSON.stringify({ type: 'connection_error', payload: event.message }) : null
  }
}

/** A result around the bytes that came from the database: `{"type":"next","id":"1","payload":` … `}`. */
export const resultOpening = (id: string, protocol: Protocol): string =>
  `{"type":"${protocol === 'legacy' ? 'data' : 'next'}","id":${JSON.stringify(id)},"payload":`

const dataFrame = (id: string, type: 'data' | 'next', error: ApiError): string =>
  JSON.stringify({ type, id, payload: { data: null, errors: graphqlErrors(error) } })

const errorFrame = (id: string, error: ApiError): string =>
  JSON.stringify({ type: 'error', id, payload: graphqlErrors(error) })

function refusal(error: ApiError, legacy: boolean, shape: ErrorShape): unknown {
  if (!legacy) return [graphqlError(error, false)]
  return shape === 'api' ? errorBody(error, false) : { errors: [graphqlError(error, false)] }
}

function graphqlErrors(error: ApiError): readonly unknown[] {
  return error.graphqlErrors ?? [graphqlError(error, false)]
}
