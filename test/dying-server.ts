/**
 * A PostgreSQL server whose connections die together with an answer: `const server = await startDyingServer(url, t)`.
 * What a restart does under load by chance happens here each time.
 */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'

type WithAfter = { after(cleanUp: () => Promise<void>): void }

export type DyingServer = {
  /** The database of the given URL, by way of this server. */
  readonly url: string
  /** The next answer is followed by the end of its connection, in one packet. Resolves when it was sent. */
  strike(): Promise<void>
}

export async function startDyingServer(databaseUrl: string, t: WithAfter): Promise<DyingServer> {
  const url = new URL(databaseUrl)
  const { hostname, port } = url
  let struck: (() => void) | null = null
  const server = createServer((client) => {
    const database = connect(Number(port || 5432), hostname)
    client.pipe(database)
    database.on('data', (chunk) => {
      if (!struck || !chunk.subarray(-readyForQuery.length).equals(readyForQuery)) return void client.write(chunk)
      client.end(Buffer.concat([chunk, terminated]))
      database.destroy()
      struck()
      struck = null
    })
    for (const [one, other] of [
      [client, database],
      [database, client],
    ] as const) {
      one.on('error', () => {})
      one.on('close', () => other.destroy())
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(async () => void server.close())
  url.hostname = '127.0.0.1'
  url.port = String((server.address() as AddressInfo).port)
  const strike = () =>
    new Promise<void>((resolve) => {
      struck = resolve
    })
  return { url: url.href, strike }
}

const readyForQuery = Buffer.from('Z\0\0\0\x05I', 'latin1')
const terminated = message('E', 'SFATAL\0VFATAL\0C57P01\0Mterminating connection due to administrator command\0\0')

function message(kind: string, body: string): Buffer {
  const bytes = Buffer.from(`${kind}\0\0\0\0${body}`, 'latin1')
  bytes.writeUInt32BE(bytes.length - 1, 1)
  return bytes
}
