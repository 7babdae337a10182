/** The limit: each of the statements that come as JSON once a second, over a pool of 16, its rows read and dropped. */
import pg from 'pg'
import type { AskedStatement } from './limit.ts'

const chunks: Buffer[] = []
for await (const chunk of process.stdin) chunks.push(chunk)
const statements: readonly AskedStatement[] = JSON.parse(Buffer.concat(chunks).toString())
const seconds = Number(process.env.SECONDS)
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 16 })
const sleep = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))
const ask = async ({ text, values }: AskedStatement, i: number) => {
  await sleep((1000 * i) / statements.length)
  for (let tick = 0; tick < seconds; tick++) {
    const began = performance.now()
    await pool.query({ name: `s${i}`, text, values: [...values], rowMode: 'array' })
    await sleep(Math.max(0, began + 1000 - performance.now()))
  }
}
await Promise.all(statements.map(ask))
const { user, system } = process.cpuUsage()
console.log(
  `limit: a bare loop with the same ${statements.length} statements a second took ${((user + system) / 10_000 / (seconds + 1)).toFixed(0)} % of a core`,
)
await pool.end()
