import { once } from 'node:events'
import { connect, isIP, type Socket } from 'node:net'
import { type ConnectionOptions, connect as connectTls } from 'node:tls'

/** Where a connection leads and what identifies it to the server. */
export interface CancelTarget {
  /** A folder where it begins with `/`. */
  readonly host: string
  readonly port: number
  /** The TLS options of the connection, or null without TLS. `isDirect`: TLS from the first byte on. */
  readonly tls: { readonly options: ConnectionOptions; readonly isDirect: boolean } | null
  readonly processId: number
  readonly secretKey: number
}

/**
 * Sends a server the request to cancel what runs on a connection. Resolves when the server, or a pooler, has ended the
 * request's connection, which is never ended from here before: PgBouncer 1.18 exits when it is. Never rejects.
 */
export async function requestCancel(target: CancelTarget): Promise<void> {
  const { host, port } = target
  const socket = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host)
  // a server that does not react does not keep the process from ending
  const timer = setTimeout(() => socket.destroy(), TAKEN_WITHIN).unref()
  const ended = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  socket.on('error', () => {})
  try {
    await once(socket, 'connect')
    const stream = target.tls ? await secured(socket, host, target.tls) : socket
    stream.on('error', () => socket.destroy())
    stream.resume()
    stream.write(cancelRequest(target))
    await ended
  } catch {
    socket.destroy()
  } finally {
    clearTimeout(timer)
  }
}

const TAKEN_WITHIN = 30_000

/** Returns the socket under TLS. Rejects where the server does not offer it, although the connection has it. */
async function secured(
  socket: Socket,
  host: string,
  { options, isDirect }: NonNullable<CancelTarget['tls']>,
): Promise<Socket> {
  if (!isDirect) {
    socket.write(SSL_REQUEST)
    const [answer] = await once(socket, 'data')
    if (String(answer) !== 'S') throw new Error('the server takes no TLS')
  }
  const stream = connectTls({
    ...options,
    socket,
    host,
    ...(isIP(host) === 0 && { servername: host }),
    ...(isDirect && { ALPNProtocols: ['postgresql'] }),
  })
  await once(stream, 'secureConnect')
  return stream
}

const SSL_REQUEST = message(80877103)

const cancelRequest = ({ processId, secretKey }: CancelTarget) => message(80877102, processId, secretKey)

function message(...numbers: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 + 4 * numbers.length)
  bytes.writeInt32BE(bytes.length, 0)
  numbers.forEach((number, i) => {
    bytes.writeInt32BE(number, 4 + 4 * i)
  })
  return bytes
}
