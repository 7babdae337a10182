/**
 * The bare server that everything is compared with: node:http, a pool of 10, one prepared statement per query, its JSON
 * passed through. GET /<number of the query>/<parameter>, POST /<task of bare-writes.ts>; it listens on PORT and takes
 * DATABASE_URL.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import pg from 'pg'
import { isBareWrite, write } from './bare-writes.ts'
import { queries, sleeping } from './queries.ts'
import { storeId } from './store.ts'

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 })
const statements = [...queries, sleeping].map(({ sql }, i) => ({ name: `q${i}`, text: sql, rowMode: 'array' as const }))

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part)
  return Buffer.concat(parts).toString()
}

const answer = (response: ServerResponse, body: string) =>
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }).end(body)

createServer(async (request, response) => {
  const task = request.url?.slice(1) ?? ''
  if (request.method === 'POST' && isBareWrite(task)) {
    answer(response, await write(pool, task, await bodyOf(request)))
    return
  }
  const [, query = '', parameter = ''] = (request.url ?? '').split('/')
  const statement = statements[Number(query)]
  if (!statement || parameter === '') {
    response.writeHead(404).end()
    return
  }
  const { rows } = await pool.query<[string]>({ ...statement, values: [decodeURIComponent(parameter), storeId] })
  answer(response, rows[0]?.[0] ?? 'null')
}).listen(Number(process.env.PORT), '127.0.0.1')
