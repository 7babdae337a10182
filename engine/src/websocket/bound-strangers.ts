import type { Socket } from 'node:net'
import type { WebSocket } from 'ws'

/** Bytes that a client may send before its connection_init is accepted: one frame or many. */
const MOST_OF_STRANGERS = 65_536

/** The same where they are compressed: what they stand for can be a thousand times as much. */
const MOST_COMPRESSED = 16_384

/** Calls `exceeded` once a client has sent more than one may that is not acknowledged yet. The result ends that. */
export function boundStrangers(socket: WebSocket, connection: Socket, exceeded: () => void): () => void {
  let left = socket.extensions === '' ? MOST_OF_STRANGERS : MOST_COMPRESSED
  const count = (bytes: Buffer): void => {
    left -= bytes.length
    if (left >= 0) return
    stop()
    exceeded()
  }
  const stop = () => {
    connection.off('data', count)
  }
  connection.on('data', count)
  return stop
}
