/** Stands before an engine's metadata API: counts requests, makes writes slow, and fails them as a test wants. */
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Spoken } from './terraform.ts'

interface Seen {
  readonly type: string
  readonly isDryRun: boolean
  readonly body: string
  readonly headers: IncomingMessage['headers']
}

/** What to do with a request in place of passing it on. */
type Fault = 'reset' | 'reset-after' | 'hang' | { readonly status: number; readonly body: unknown }

export interface MetadataProxy extends Spoken {
  readonly seen: readonly Seen[]
  /** Requests that change something. */
  readonly writes: () => readonly Seen[]
  readonly exports: () => readonly Seen[]
  forget(): void
  /** The engine behind it, from the next request on. */
  target: string
  /** Milliseconds before a write is passed on. */
  delay: number
  /** Asked for every request. */
  fault: (seen: Seen) => Fault | null
  /** Called before each write is passed on. */
  beforeWrite: (seen: Seen) => Promise<void>
}

const readOnly = new Set(['export_metadata', 'get_inconsistent_metadata', 'get_metadata_changes'])
const isWrite = ({ type, isDryRun }: Seen) => type !== '' && !isDryRun && !readOnly.has(type)

type WithAfter = { after(cleanUp: () => void): void }

export async function startMetadataProxy(engine: Spoken, t: WithAfter): Promise<MetadataProxy> {
  const seen: Seen[] = []
  const server = createServer((incoming, outgoing) => {
    answer(incoming, outgoing).catch(() => incoming.socket.destroy())
  })
  const answer = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk)
    const body = Buffer.concat(chunks)
    const one = describe(body.toString('utf8'), incoming.headers)
    seen.push(one)
    const fault = proxy.fault(one)
    if (isWrite(one)) {
      await proxy.beforeWrite(one)
      if (proxy.delay > 0) await new Promise((resolve) => setTimeout(resolve, proxy.delay))
    }
    if (fault === 'hang') return
    if (fault === 'reset') {
      incoming.socket.destroy()
      return
    }
    if (fault !== null && fault !== 'reset-after') {
      outgoing.writeHead(fault.status, { 'content-type': 'application/json' })
      outgoing.end(JSON.stringify(fault.body))
      return
    }
    passOn(proxy.target, incoming, body, outgoing, fault === 'reset-after')
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const proxy: MetadataProxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    secret: engine.secret,
    seen,
    writes: () => seen.filter(isWrite),
    exports: () => seen.filter(({ type }) => type === 'export_metadata'),
    target: engine.url,
    forget: () => {
      seen.length = 0
    },
    delay: 0,
    fault: () => null,
    beforeWrite: async () => {},
  }
  return proxy
}

function describe(body: string, headers: IncomingMessage['headers']): Seen {
  try {
    const { type = '', dry_run = false } = JSON.parse(body)
    return { type, isDryRun: dry_run !== false, body, headers }
  } catch {
    return { type: '', isDryRun: false, body, headers }
  }
}

function passOn(url: string, incoming: IncomingMessage, body: Buffer, outgoing: ServerResponse, isCut: boolean): void {
  const headers = { ...incoming.headers, host: new URL(url).host, connection: 'close' }
  const onwards = request(new URL(incoming.url ?? '/', url), { method: incoming.method, headers }, (response) => {
    if (isCut) {
      response.resume()
      response.once('end', () => incoming.socket.destroy())
      return
    }
    outgoing.writeHead(response.statusCode ?? 502, response.headers)
    response.pipe(outgoing)
  })
  onwards.once('error', () => incoming.socket.destroy())
  onwards.end(body)
}
