/** A connection to a database that tests can pause and cut. */

import type { AddressInfo } from 'node:net'
import { connect, createServer, type Socket } from 'node:net'

export interface TcpProxy {
  /** The URL of the database by way of it. */
  readonly url: string
  /** Bytes wait, in both directions; connections stay open. */
  pause(): void
  /** Ends all connections, and takes none. */
  cut(): void
  /** As it was in the beginning. What waited goes on. */
  mend(): void
  close(): Promise<void>
}

/** `filter`: what a connection passes on of the database's answers; one is made for each. */
export async function startTcpProxy(
  databaseUrl: string,
  filter: () => (bytes: Buffer) => Buffer = () => (bytes) => bytes,
): Promise<TcpProxy> {
  const target = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  let state: 'open' | 'paused' | 'cut' = 'open'
  const hold = (socket: Socket) => (state === 'paused' ? socket.pause() : socket.resume())
  const server = createServer((client) => {
    if (state === 'cut') return void client.destroy()
    const database = connect(Number(target.port || 5432), target.hostname)
    const passes = filter()
    for (const [one, other] of [
      [client, database],
      [database, client],
    ] as const) {
      sockets.add(one)
      one.on('data', (bytes) => void other.write(one === database ? passes(bytes) : bytes))
      one.on('error', () => {})
      one.on('close', () => {
        sockets.delete(one)
        other.destroy()
      })
      hold(one)
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = new URL(databaseUrl)
  url.hostname = '127.0.0.1'
  url.port = String((server.address() as AddressInfo).port)
  const become = (now: typeof state) => {
    state = now
    for (const socket of sockets) hold(socket)
  }
  const cut = () => {
    become('cut')
    for (const socket of sockets) socket.destroy()
  }
  return {
    url: url.href,
    pause: () => become('paused'),
    cut,
    mend: () => become('open'),
    async close() {
      cut()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
