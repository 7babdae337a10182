/** Handlers of actions for tests: a server in this process that answers what a test says, and keeps what it was asked. */
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

type HandlerCall = {
  readonly path: string
  readonly method: string
  readonly headers: IncomingMessage['headers']
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  readonly body: any
  readonly text: string
}

type Handle = (asked: HandlerCall) => HandlerReply | Promise<HandlerReply>
type HandlerReply = {
  readonly status?: number
  readonly json?: unknown
  readonly text?: string
  readonly headers?: Readonly<Record<string, string | string[]>>
}

export type Handlers = {
  readonly url: string
  readonly asked: HandlerCall[]
  /** What is answered at a path from now on. */
  on(path: string, handle: Handle): void
  close(): Promise<void>
}

export async function startHandlers(): Promise<Handlers> {
  const paths = new Map<string, Handle>()
  const asked: HandlerCall[] = []
  const server = createServer((request, response) => {
    let text = ''
    request.setEncoding('utf8')
    request.on('data', (chunk: string) => {
      text += chunk
    })
    request.on('end', async () => {
      const { url = '', method = '', headers } = request
      const one = { path: url, method, headers, text, body: parsed(text) }
      asked.push(one)
      const reply = (await paths.get(url.replace(/\?.*/, ''))?.(one)) ?? {
        status: 404,
        json: { message: 'no handler' },
      }
      response.writeHead(reply.status ?? 200, { 'Content-Type': 'application/json', ...reply.headers })
      response.end(reply.text ?? JSON.stringify(reply.json ?? null))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    on: (path, handle) => void paths.set(path, handle),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
