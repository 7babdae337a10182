/** The bare server over `pg`. It takes DATABASE_URL. */
import pg from 'pg'
import type { Ask, Row } from './bare-writes.ts'
import { serveBare } from './serve-bare.ts'

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 })

const askOf =
  (client: pg.Pool | pg.PoolClient): Ask =>
  async (statement, values) =>
    (await client.query<[...Row]>({ ...statement, values: [...values] })).rows[0]

serveBare({
  ask: askOf(pool),
  async connect() {
    const client = await pool.connect()
    return { ask: askOf(client), query: (text) => client.query(text), release: () => client.release() }
  },
})
