/**
 * The bare server that everything is compared with: node:http, a pool of 10, one prepared statement per query, its JSON
 * passed through. GET /<number of the query>/<parameter>, POST /<task of bare-writes.ts>; it listens on PORT.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type BareDatabase, isBareWrite, type Statement, write } from './bare-writes.ts'
import { queries, sleeping } from './queries.ts'
import { storeId } from './store.ts'

const statements: readonly Statement[] = [...queries, sleeping].map(({ sql }, i) => ({
  name: `q${i}`,
  text: sql,
  rowMode: 'array',
}))

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part)
  return Buffer.concat(parts).toString()
}

const answer = (response: ServerResponse, body: string) =>
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }).end(body)

export function serveBare(database: BareDatabase): void {
  createServer(async (request, response) => {
    const task = request.url?.slice(1) ?? ''
    if (request.method === 'POST' && isBareWrite(task)) {
      answer(response, await write(database, task, await bodyOf(request)))
      return
    }
    const [, query = '', parameter = ''] = (request.url ?? '').split('/')
    const statement = statements[Number(query)]
    if (!statement || parameter === '') {
      response.writeHead(404).end()
      return
    }
    const row = await database.ask(statement, [decodeURIComponent(parameter), storeId])
    answer(response, row?.[0] ?? 'null')
  }).listen(Number(process.env.PORT), '127.0.0.1')
}
