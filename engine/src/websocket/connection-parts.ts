import type { Socket } from 'node:net'
import type { WebSocket } from 'ws'
import type { Headers } from '../auth/index.ts'
import type { ShortWork } from '../long-work.ts'
import type { Observer } from '../observe/index.ts'
import type { Accepted } from './handshake.ts'
import type { WebsocketServices } from './operation.ts'
import type { UnsentBytes } from './unsent-bytes.ts'

export interface ConnectionSettings {
  /** Milliseconds. */
  readonly keepAlive: number
  readonly initTimeout: number
  /** For a client that reads nothing of what it is sent. */
  readonly stallTimeout: number
  /** Values of one message. */
  readonly maxValues: number
  readonly maxSubscriptions: number
}

export interface ConnectionParts extends Accepted {
  readonly socket: WebSocket
  readonly connection: Socket
  /** Of the upgrade request. */
  readonly headers: Headers
  /** The prefix of the engine's headers in addition to X-Svc-, lower case. */
  readonly headerPrefix: string
  readonly services: WebsocketServices
  readonly settings: ConnectionSettings
  readonly observer: Observer
  /** Of all sockets. */
  readonly unsent: UnsentBytes
  readonly starts: ShortWork
}
