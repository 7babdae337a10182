import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'

type Take = (bytes: Buffer) => void

/** How to receive what sockets made here read. */
const readers = new WeakMap<Duplex, (take: Take) => void>()

/** What is read is read before the next read, so one place for it is enough. */
const shared = Buffer.allocUnsafeSlow(65_536)

/**
 * A socket that reads into one buffer which all of them share: node would make 64 kB of memory for each read, and pass
 * what it holds through a stream, which costs more than splitting it into messages.
 */
export function sharedReadSocket(): Socket {
  let take: Take = () => {}
  const socket = new Socket({
    onread: {
      buffer: shared,
      callback: (length) => {
        take(shared.subarray(0, length))
        return true
      },
    },
  })
  readers.set(socket, (taker) => {
    take = taker
  })
  return socket
}

/** Has `take` called with whatever a stream reads; the bytes are its own only until it returns. */
export function takeReads(stream: Duplex, take: Take): void {
  const read = readers.get(stream)
  if (read) read(take)
  else stream.on('data', take)
}
