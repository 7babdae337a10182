/** A webhook for tests: keeps what it receives and answers as it is configured. */
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Received = {
  readonly path: string
  readonly method: string
  readonly headers: IncomingHttpHeaders
  /** Names and values as they came. */
  readonly rawHeaders: readonly string[]
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  readonly body: any
  readonly at: number
}

type Reply = {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

export type Receiver = {
  readonly url: string
  readonly received: readonly Received[]
  /** The next request, also one that came before the call: each is given once. */
  next(): Promise<Received>
  /** How requests are answered from now on; a promise that never resolves keeps them waiting. */
  answer(reply: (request: Received) => Reply | Promise<Reply>): void
  close(): Promise<void>
}

type WithAfter = { after(cleanUp: () => Promise<void>): void }

export async function startReceiver(t?: WithAfter): Promise<Receiver> {
  const received: Received[] = []
  const waiting: ((request: Received) => void)[] = []
  let given = 0
  let reply: (request: Received) => Reply | Promise<Reply> = () => ({ status: 200, body: '{}' })
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', async () => {
      const text = Buffer.concat(chunks).toString('utf8')
      const one: Received = {
        path: request.url ?? '',
        method: request.method ?? '',
        headers: request.headers,
        rawHeaders: request.rawHeaders,
        text,
        body: parse(text),
        at: performance.now(),
      }
      received.push(one)
      const next = waiting.shift()
      if (next) {
        given += 1
        next(one)
      }
      const { status, headers = {}, body = '' } = await reply(one)
      response.writeHead(status, { 'content-type': 'application/json', ...headers })
      response.end(body)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  t?.after(close)
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    next() {
      const known = received[given]
      if (!known) return new Promise((resolve) => waiting.push(resolve))
      given += 1
      return Promise.resolve(known)
    },
    answer(to) {
      reply = to
    },
    close,
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
