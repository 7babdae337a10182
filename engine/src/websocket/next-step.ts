import { ApiError, Path } from '../errors.ts'
import type { ClientMessage, ReadMessage } from './client-message.ts'
import { type Closing, initRepeated, serverError, terminated } from './close-reason.ts'
import type { ServerEvent } from './frames.ts'
import type { Protocol } from './protocol.ts'

/** How far a connection has come. */
export type Phase =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'ready' }
  /** The last connection_init failed. */
  | { readonly kind: 'refused'; readonly reason: string }

/** What the connection does about a message, in this order. */
export type Step =
  | { readonly kind: 'send'; readonly event: ServerEvent }
  | { readonly kind: 'close'; readonly closing: Closing }
  | { readonly kind: 'authenticate'; readonly headers: ReadonlyMap<string, string> }
  | { readonly kind: 'start'; readonly id: string; readonly payload: unknown }
  | { readonly kind: 'stop'; readonly id: string }

/**
 * Whether a message waits for those before it: other messages are read at once, stop among them
 * (reference/websockets#rules-of-operations).
 */
export const waitsItsTurn = ({ kind }: ClientMessage): boolean => kind === 'init' || kind === 'start'

/**
 * reference/websockets#messages, reference/websockets#authentication-of-websockets. `isLive`: a subscription of that id
 * is active.
 */
export function stepsFor(
  message: ClientMessage,
  phase: Phase,
  protocol: Protocol,
  isLive: (id: string) => boolean,
): readonly Step[] {
  switch (message.kind) {
    case 'init':
      // the older protocol has no word against it
      if (protocol === 'transport' && phase.kind !== 'waiting') return [{ kind: 'close', closing: initRepeated }]
      return [{ kind: 'authenticate', headers: message.headers }]
    case 'start': {
      const problem = startProblem(message.id, phase, isLive)
      return problem === null
        ? [{ kind: 'start', id: message.id, payload: message.payload }]
        : refuseStart(message.id, problem, protocol)
    }
    case 'stop':
      return [{ kind: 'stop', id: message.id }]
    case 'terminate':
      return [{ kind: 'close', closing: terminated }]
    case 'ping':
      return [{ kind: 'send', event: { kind: 'pong', payload: message.payload } }]
    case 'pong':
      return []
  }
}

/** A message that is none. */
export function stepsForUnread({ reason }: ReadMessage & { readonly ok: false }, protocol: Protocol): readonly Step[] {
  if (protocol === 'transport')
    return [{ kind: 'close', closing: serverError(4400, `Parsing client message failed: ${reason}`) }]
  const message = `parsing ClientMessage failed: ${reason}`
  return [{ kind: 'send', event: { kind: 'connection-error', message } }]
}

function startProblem(id: string, phase: Phase, isLive: (id: string) => boolean): string | null {
  switch (phase.kind) {
    case 'waiting':
      return 'start received before the connection is initialised'
    case 'refused':
      return `cannot start as connection_init failed with: ${phase.reason}`
    case 'ready':
      return isLive(id) ? `an operation already exists with this id: ${id}` : null
  }
}

function refuseStart(id: string, problem: string, protocol: Protocol): readonly Step[] {
  const error = new ApiError('start-failed', Path.root, problem)
  const refused: Step = { kind: 'send', event: { kind: 'refused-early', id, error } }
  return protocol === 'legacy'
    ? [refused, { kind: 'send', event: { kind: 'complete', id } }]
    : [refused, { kind: 'close', closing: serverError(4400, problem) }]
}
