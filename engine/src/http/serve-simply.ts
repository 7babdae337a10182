import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { type Serving, SimpleConnection } from './simple-connection.ts'

/**
 * Has a server's new connections read as simple ones, which are in `connections` meanwhile; node's own listener gets those
 * that turn out not to be.
 */
export function serveSimply(
  server: Server,
  connections: Set<SimpleConnection>,
  serving: Omit<Serving, 'handOver'>,
): void {
  const [listener] = server.listeners('connection')
  if (!listener) throw new Error('node has no listener for connections')
  server.removeAllListeners('connection')
  server.on('connection', (socket: Socket) => {
    const handOver = () => {
      connections.delete(connection)
      listener.call(server, socket)
    }
    const connection = new SimpleConnection(socket, { ...serving, handOver })
    connections.add(connection)
    socket.once('close', () => connections.delete(connection))
  })
}
