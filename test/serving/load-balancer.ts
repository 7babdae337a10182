/** A load balancer for tests: each request to the next engine that takes it; websockets too. */
import { once } from 'node:events'
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'

export interface LoadBalancer {
  readonly url: string
  /** Those that get requests; one that refuses a connection is passed over. */
  engines: readonly string[]
  close(): void
}

export async function startLoadBalancer(engines: readonly string[]): Promise<LoadBalancer> {
  let next = 0
  // shorter than the engine keeps them, so that the engine never closes one that is about to be used
  const agent = new Agent({ keepAlive: true, timeout: 20_000 })
  const balancer = { engines, url: '', close: () => {} }
  const order = () => {
    next += 1
    return balancer.engines.map((_, i) => balancer.engines[(next + i) % balancer.engines.length] ?? '')
  }

  const pass = async (from: IncomingMessage, to: ServerResponse): Promise<void> => {
    const parts: Buffer[] = []
    for await (const part of from) parts.push(part as Buffer)
    const body = Buffer.concat(parts)
    for (const engine of order())
      if (await new Promise<boolean>((resolve) => forward(engine, from, body, to, resolve))) return
    to.writeHead(503).end()
  }

  const forward = (
    engine: string,
    { method = 'GET', url = '/', headers }: IncomingMessage,
    body: Buffer,
    to: ServerResponse,
    done: (taken: boolean) => void,
  ) => {
    const sent = request(new URL(url, engine), { method, agent, headers: { ...headers, connection: 'keep-alive' } })
    sent.once('response', (answer) => {
      const { connection: _, ...kept } = answer.headers
      to.writeHead(answer.statusCode ?? 502, kept)
      answer.pipe(to)
      done(true)
    })
    // refused, or closed before anything was read of a connection that was kept
    sent.once('error', () => (to.headersSent ? to.destroy() : done(false)))
    sent.end(body)
  }

  const upgrade = (from: IncomingMessage, socket: Socket, head: Buffer) => {
    const [engine = ''] = order()
    const { hostname, port } = new URL(engine)
    const behind = connect(Number(port), hostname, () => {
      const lines: string[] = []
      for (let i = 0; i < from.rawHeaders.length; i += 2) lines.push(`${from.rawHeaders[i]}: ${from.rawHeaders[i + 1]}`)
      behind.write(`GET ${from.url} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`)
      behind.write(head)
      socket.pipe(behind).pipe(socket)
    })
    for (const [one, other] of [
      [socket, behind],
      [behind, socket],
    ] as const)
      one.on('error', () => other.destroy())
  }

  const server = createServer((from, to) => void pass(from, to))
  server.on('upgrade', (from, socket, head) => upgrade(from, socket as Socket, head))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  balancer.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  balancer.close = () => {
    agent.destroy()
    server.close()
    server.closeAllConnections()
  }
  return balancer
}
