/** A GraphQL server of a test's own, from SDL and resolvers, that remembers what it was asked. */
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buildSchema, graphql } from 'graphql'

export interface RemoteServer {
  readonly url: string
  readonly asked: readonly Asked[]
  /** Forgets what it was asked so far. */
  forget(): void
  /** Answers with this instead, until it is null. */
  answerWith(answer: { readonly status: number; readonly text: string } | null): void
  /** Takes requests and answers none, until asked to. */
  hang(hangs: boolean): void
  /** Answers the requests that hang. */
  release(): void
  /** Another schema from now on. */
  serve(sdl: string): void
  close(): Promise<void>
}

interface Asked {
  readonly body: RemoteBody
  /** The body as it came. */
  readonly text: string
  readonly headers: IncomingHttpHeaders
}

interface RemoteBody {
  readonly query: string
  readonly variables?: Readonly<Record<string, unknown>>
  readonly operationName?: string
}

export async function startRemoteServer(sdl: string, root: object): Promise<RemoteServer> {
  let schema = buildSchema(sdl)
  let hangs = false
  const hanging: (() => void)[] = []
  let fixed: { readonly status: number; readonly text: string } | null = null
  let asked: Asked[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const text = Buffer.concat(chunks).toString()
    const body: RemoteBody = JSON.parse(text)
    asked.push({ body, text, headers: request.headers })
    if (hangs) await new Promise<void>((resolve) => hanging.push(resolve))
    response.setHeader('set-cookie', 'remote=1')
    if (fixed) {
      response.statusCode = fixed.status
      response.end(fixed.text)
      return
    }
    const { query: source, variables: variableValues, operationName } = body
    const answer = await graphql({
      schema,
      source,
      rootValue: root,
      ...(variableValues && { variableValues }),
      ...(operationName !== undefined && { operationName }),
    })
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(answer))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/graphql`,
    get asked() {
      return asked
    },
    forget() {
      asked = []
    },
    answerWith(answer) {
      fixed = answer
    },
    hang(now) {
      hangs = now
    },
    release() {
      for (const answer of hanging.splice(0)) answer()
    },
    serve(other) {
      schema = buildSchema(other)
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
