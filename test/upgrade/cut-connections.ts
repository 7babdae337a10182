/**
 * A way to a PostgreSQL server that is cut for good after so many messages, as by the death of the client:
 * `const way = await startCutConnections(url, t)`.
 */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

type WithAfter = { after(cleanUp: () => Promise<void>): void }

export type CutConnections = {
  /** The database of the given URL, this way. */
  readonly url: string
  /** What clients sent, in order. */
  readonly sent: readonly Buffer[]
}

/** With `after` that many messages of clients pass, and the next one ends it all. */
export async function startCutConnections(
  databaseUrl: string,
  t: WithAfter,
  after = Number.POSITIVE_INFINITY,
): Promise<CutConnections> {
  const url = new URL(databaseUrl)
  const { hostname, port } = url
  const sent: Buffer[] = []
  const open = new Set<Socket>()
  const cut = () => {
    for (const socket of open) socket.destroy()
  }
  const server = createServer((client) => {
    if (sent.length > after) return void client.destroy()
    const database = connect(Number(port || 5432), hostname)
    client.on('data', (chunk) => {
      sent.push(chunk)
      if (sent.length > after) cut()
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
    cut()
    server.close()
  })
  url.hostname = '127.0.0.1'
  url.port = String((server.address() as AddressInfo).port)
  return { url: url.href, sent }
}
