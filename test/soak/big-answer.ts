/**
 * `npm run soak -- big-answer [MEGABYTES]`: an answer of 700 MB arrives whole, plain and compressed, with an engine that
 * takes at most 2.2 times its size; with a smaller `--max-response-size` it is refused.
 */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { createGunzip } from 'node:zlib'
import pg from 'pg'
import { startEngine } from '../engine.ts'
import { createTestDatabase } from '../postgres.ts'

const megabytes = Number(process.argv[2] ?? 700)
const rows = megabytes * 10
const text = 'x'.repeat(99_970)

const database = await createTestDatabase()
const client = new pg.Client({ connectionString: database.url })
await client.connect()
await client.query('CREATE TABLE big (id int PRIMARY KEY, t text NOT NULL)')
await client.query(`INSERT INTO big SELECT n, repeat('x', ${text.length}) FROM generate_series(1, $1::int) n`, [rows])
await client.end()

/** Of the answer: `{"data":{"big":[{"id":1,"t":"x…"}, …]}}`, with the separators that PostgreSQL writes. */
const expected = createHash('sha256').update('{"data":{"big":[')
for (let id = 1; id <= rows; id++) expected.update(`${id === 1 ? '' : ', '}{"id":${id},"t":"${text}"}`)
const digest = expected.update(']}}').digest('hex')

for (const encoding of ['identity', 'gzip']) {
  const engine = await startEngine({ databaseUrl: database.url })
  await engine.metadata('pg_track_table', { table: 'big' })
  await engine.post('/v1/graphql', { query: '{ big(limit: 1) { id } }' })
  const before = rss(engine.pid, 'VmRSS')
  const response = await ask(engine.url, engine.secret, encoding)
  const hash = createHash('sha256')
  let size = 0
  for await (const chunk of encoding === 'gzip' ? response.pipe(createGunzip()) : response) {
    hash.update(chunk)
    size += chunk.length
  }
  assert.equal(hash.digest('hex'), digest, `the answer (${encoding}) is not the one expected`)
  const most = rss(engine.pid, 'VmHWM')
  const times = (most * 1e6) / size
  console.log(
    `${encoding}: ${(size / 1e6).toFixed(0)} MB arrived; RSS ${before} MB before, ${most} MB at most: ${times.toFixed(2)} times`,
  )
  assert.ok(times <= 2.2, 'the engine took too much memory')
  await engine.stop()
}

const careful = await startEngine({ databaseUrl: database.url, env: { SVC_GRAPHQL_MAX_RESPONSE_SIZE: '1000000' } })
const refused = await careful.post('/v1/graphql', { query: '{ big(limit: 100) { id t } }' })
assert.equal(refused.body.errors[0].extensions.code, 'bad-request')
await careful.stop()
console.log('refused where a setting says so')
process.exit(0)

function ask(url: string, secret: string, encoding: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'x-svc-admin-secret': secret, 'accept-encoding': encoding }
    const sent = request(`${url}/v1/graphql`, { method: 'POST', headers }, resolve)
    sent.once('error', reject)
    sent.end(JSON.stringify({ query: '{ big(order_by: {id: asc}) { id t } }' }))
  })
}

/** Megabytes. */
function rss(pid: number, field: 'VmRSS' | 'VmHWM'): number {
  const [, kilobytes = '0'] = new RegExp(`${field}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Math.round((Number(kilobytes) * 1024) / 1e6)
}
