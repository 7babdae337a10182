import { isRecord } from '@svc/schema'

/** A message of either protocol's client: each is understood in both (reference/websockets#messages). */
export type ClientMessage =
  | { readonly kind: 'init'; readonly headers: ReadonlyMap<string, string> }
  | { readonly kind: 'start'; readonly id: string; readonly payload: unknown }
  | { readonly kind: 'stop'; readonly id: string }
  | { readonly kind: 'terminate' }
  /** The payload as JSON; null where it has none. */
  | { readonly kind: 'ping'; readonly payload: string | null }
  | { readonly kind: 'pong' }

export type ReadMessage =
  | { readonly ok: true; readonly message: ClientMessage }
  | { readonly ok: false; readonly reason: string }

/** Parsed JSON -> message, or what is wrong with it. `isLong`: its text was so long that it was parsed in pieces. */
export function readClientMessage(json: unknown, isLong = false): ReadMessage {
  if (!isRecord(json)) return wrong('expected Object')
  const { type, id, payload } = json
  if (typeof type !== 'string') return wrong('key "type" not found')
  switch (type) {
    case 'connection_init':
      return readInit(payload)
    case 'start':
    case 'subscribe':
      if (typeof id !== 'string') return wrong('key "id" not found')
      if (!isRecord(payload)) return wrong('key "payload" not found')
      return right({ kind: 'start', id, payload })
    case 'stop':
    case 'complete':
      return typeof id === 'string' ? right({ kind: 'stop', id }) : wrong('key "id" not found')
    case 'connection_terminate':
      return right({ kind: 'terminate' })
    case 'ping':
      return isLong ? wrong('payload: it is too long') : readPing(payload)
    case 'pong':
      return right({ kind: 'pong' })
    default:
      return wrong(`unexpected type "${type.slice(0, 100)}"`)
  }
}

function readPing(payload: unknown): ReadMessage {
  if (payload === undefined) return right({ kind: 'ping', payload: null })
  try {
    return right({ kind: 'ping', payload: JSON.stringify(payload) })
  } catch {
    // it can be parsed with any number of levels, but not written
    return wrong('payload: it has too many levels')
  }
}

function readInit(payload: unknown): ReadMessage {
  const headers = new Map<string, string>()
  if (payload === undefined || payload === null) return right({ kind: 'init', headers })
  if (!isRecord(payload)) return wrong('payload: expected Object')
  if (payload.headers === undefined || payload.headers === null) return right({ kind: 'init', headers })
  if (!isRecord(payload.headers)) return wrong('payload.headers: expected Object')
  for (const [name, value] of Object.entries(payload.headers)) {
    if (typeof value !== 'string') return wrong(`payload.headers.${name.slice(0, 100)}: expected String`)
    // what could not have come over HTTP must not reach those whom headers are forwarded to
    if (!/^[!#$%&'*+\-.^_`|~0-9a-z]+$/i.test(name) || !/^[^\0\r\n]*$/.test(value))
      return wrong(`payload.headers: ${JSON.stringify(name.slice(0, 100))} is no header`)
    headers.set(name.toLowerCase(), value)
  }
  return right({ kind: 'init', headers })
}

const right = (message: ClientMessage): ReadMessage => ({ ok: true, message })
const wrong = (reason: string): ReadMessage => ({ ok: false, reason })
