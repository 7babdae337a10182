/** Stands between a provider and an engine: counts requests, and may delay, cut off or precede any of them. */
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'

interface SeenRequest {
  readonly type: string
  /** Members of a bulk. */
  readonly members: number
  readonly dryRun: boolean
}

export interface Proxy {
  readonly url: string
  readonly secret: string
  readonly seen: readonly SeenRequest[]
  /** Bulks that were to be stored. */
  writes(): readonly SeenRequest[]
  exports(): number
  /** Called before a request is handed on; `cut` closes the connection once the engine has answered. */
  before: (seen: SeenRequest) => Promise<'cut' | 'refuse' | undefined> | undefined
}

type WithAfter = { after(cleanUp: () => Promise<void>): void }

export async function startProxy(
  engine: { readonly url: string; readonly secret: string },
  t: WithAfter,
): Promise<Proxy> {
  const seen: SeenRequest[] = []
  const server = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
    incoming.on('end', async () => {
      const body = Buffer.concat(chunks)
      const one = describe(body)
      seen.push(one)
      const fate = await proxy.before(one)
      if (fate === 'refuse') {
        incoming.socket.destroy()
        return
      }
      const url = new URL(incoming.url ?? '/', engine.url)
      const sent = request(url, { method: incoming.method, headers: incoming.headers }, (answer) => {
        if (fate === 'cut') {
          answer.resume()
          answer.on('end', () => incoming.socket.destroy())
          return
        }
        outgoing.writeHead(answer.statusCode ?? 500, answer.headers)
        answer.pipe(outgoing)
      })
      sent.on('error', () => incoming.socket.destroy())
      sent.end(body)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(async () => {
    server.closeAllConnections()
    server.close()
  })
  const proxy: Proxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    secret: engine.secret,
    seen,
    writes: () => seen.filter(({ type, dryRun }) => type.startsWith('bulk') && !dryRun),
    exports: () => seen.filter(({ type }) => type === 'export_metadata').length,
    before: () => undefined,
  }
  return proxy
}

function describe(body: Buffer): SeenRequest {
  const { type, args, dry_run } = JSON.parse(body.toString('utf8') || '{}')
  return {
    type: String(type),
    members: Array.isArray(args) ? args.length : 0,
    dryRun: dry_run !== undefined,
  }
}
