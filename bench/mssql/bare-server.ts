/** A bare Node server with the engine's client: parses the request, sends the best hand-written FOR JSON, passes its text on. */
import { createServer } from 'node:http'
import mssql from 'mssql'

const [port = '0', databasePort = '0', password = ''] = process.argv.slice(2)
const pool = new mssql.ConnectionPool({
  server: '127.0.0.1',
  port: Number(databasePort),
  user: 'sa',
  password,
  database: 'svc',
  requestTimeout: 0,
  pool: { max: 50 },
  options: { encrypt: false },
})
await pool.connect()

const byKey = `SELECT ISNULL((SELECT [id], [name] FROM [dbo].[track] WHERE [id] = @p
  FOR JSON PATH, INCLUDE_NULL_VALUES, WITHOUT_ARRAY_WRAPPER), 'null') AS [root]`
const list = `SELECT ISNULL((SELECT [id], [name] FROM [dbo].[track] ORDER BY [id] OFFSET 0 ROWS FETCH NEXT 100 ROWS ONLY
  FOR JSON PATH, INCLUDE_NULL_VALUES), '[]') AS [root]`

createServer(async (request, response) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const { variables } = JSON.parse(Buffer.concat(chunks).toString())
  const sent = pool.request()
  if (variables.id !== undefined) sent.input('p', mssql.Int, variables.id)
  const { recordset } = await sent.query(variables.id === undefined ? list : byKey)
  const field = variables.id === undefined ? 'track' : 'track_by_pk'
  response.setHeader('content-type', 'application/json')
  response.end(`{"data":{"${field}":${recordset[0].root}}}`)
}).listen(Number(port), '127.0.0.1', () => console.log('ready'))
