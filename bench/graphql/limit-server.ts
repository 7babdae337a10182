/**
 * The bare server that everything is compared with: node:http, a pool of 10, one prepared statement per query, its JSON
 * passed through. GET /<number of the query>/<parameter>; it listens on PORT and takes DATABASE_URL.
 */
import { createServer } from 'node:http'
import pg from 'pg'
import { queries, sleeping } from './queries.ts'
import { storeId } from './store.ts'

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 })
const statements = [...queries, sleeping].map(({ sql }, i) => ({ name: `q${i}`, text: sql, rowMode: 'array' as const }))

createServer(async (request, response) => {
  const [, query = '', parameter = ''] = (request.url ?? '').split('/')
  const statement = statements[Number(query)]
  if (!statement || parameter === '') {
    response.writeHead(404).end()
    return
  }
  const { rows } = await pool.query<[string]>({ ...statement, values: [decodeURIComponent(parameter), storeId] })
  const body = rows[0]?.[0] ?? 'null'
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }).end(body)
}).listen(Number(process.env.PORT), '127.0.0.1')
