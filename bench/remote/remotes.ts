/** Two GraphQL servers that answer from memory: requests are read just far enough. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buildSchema, introspectionFromSchema } from 'graphql'

export const rows = 1000

export const shopSdl = 'type Query { items: [Item!]! } type Item { id: Int!  name: String!  product_id: Int! }'
export const catalogueSdl =
  'type Query { product(id: Int!): Product  products(ids: [Int!]!): [Product!]! } type Product { id: Int!  title: String!  price: Float!  maker: String }'

export interface Remote {
  readonly url: string
  /** Requests so far. */
  readonly asked: () => number
  close(): void
}

type Answer = (query: string, variables: Readonly<Record<string, unknown>>) => string

async function serve(sdl: string, answer: Answer): Promise<Remote> {
  let asked = 0
  const introspection = JSON.stringify({ data: introspectionFromSchema(buildSchema(sdl)) })
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const { query, variables = {} } = JSON.parse(Buffer.concat(parts).toString())
    response.setHeader('content-type', 'application/json')
    if (query.includes('__schema')) return void response.end(introspection)
    asked++
    response.end(answer(query, variables))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/`,
    asked: () => asked,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

/** Under the names that each of the contestants has for them. */
function item(query: string, id: number): string {
  const own = `"id":${id},"name":"item ${id}"`
  if (query.includes('svc_join_0_0')) return `{${own},"product":"Item","svc_join_0_0":${productOf(id)}}`
  return `{"__typename":"Item",${own},"product_id":${productOf(id)}}`
}

/** All different: no contestant gains by fetching equal ones once. */
export const productOf = (id: number): number => 100_000 + id

const product = (query: string, id: unknown): string =>
  `{${query.includes('__typename') ? '"__typename":"Product",' : ''}"id":${id},"title":"the product of number ${id}","price":${id}.5,"maker":"maker ${id}"}`

export const startShop = (): Promise<Remote> => {
  const answers = new Map<string, string>()
  return serve(shopSdl, (query) => {
    const ids = Array.from({ length: rows }, (_, i) => i + 1)
    const known = answers.get(query) ?? `{"data":{"items":[${ids.map((id) => item(query, id)).join()}]}}`
    answers.set(query, known)
    return known
  })
}

export const startCatalogue = (): Promise<Remote> =>
  serve(catalogueSdl, (query, variables) => {
    const [list] = Object.values(variables)
    if (Array.isArray(list)) {
      // the alias that it is selected under
      const [, name = 'products'] = /([A-Za-z_0-9]+)\s*(?::\s*products)?\(ids/.exec(query) ?? []
      return `{"data":{"${name}":[${list.map((id) => product(query, id)).join()}]}}`
    }
    const asked = [...query.matchAll(/(f\d+):product\(id:(\d+)\)/g)]
    return `{"data":{${asked.map(([, name, id]) => `"${name}":${product(query, id)}`).join()}}}`
  })
