/**
 * A way to a PostgreSQL server on which nothing passes after so many messages of clients, so that a test can kill the
 * client there: `const way = await startHeldConnections(url, t, 12)`.
 */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

type WithAfter = { after(cleanUp: () => Promise<void>): void }

export type HeldConnections = {
  /** The database of the given URL, this way. */
  readonly url: string
  /** What clients sent, in order. */
  readonly sent: readonly Buffer[]
  /** Resolves when a message is held. */
  readonly held: Promise<void>
}

/** With `after` that many messages of clients pass, and what follows never arrives. */
export async function startHeldConnections(
  databaseUrl: string,
  t: WithAfter,
  after = Number.POSITIVE_INFINITY,
): Promise<HeldConnections> {
  const url = new URL(databaseUrl)
  const { hostname, port } = url
  const sent: Buffer[] = []
  const open = new Set<Socket>()
  const { promise: held, resolve: hold } = Promise.withResolvers<void>()
  const server = createServer((client) => {
    const database = connect(Number(port || 5432), hostname)
    client.on('data', (chunk) => {
      sent.push(chunk)
      if (sent.length > after) hold()
      else database.write(chunk)
    })
    database.pipe(client)
    for (const [one, other] of [
      [client, database],
      [database, client],
    ] as const) {
      open.add(one)
      one.on('error', () => {})
      one.on('close', () => other.destroy())
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(async () => {
    for (const socket of open) socket.destroy()
    server.close()
  })
  url.hostname = '127.0.0.1'
  url.port = String((server.address() as AddressInfo).port)
  return { url: url.href, sent, held }
}
