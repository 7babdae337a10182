/**
 * The bare server over `postgres` (porsager), which sends statements over a connection before those before them are answered. Its
 * statements are prepared by their text. It takes DATABASE_URL.
 */
import postgres from 'postgres'
import { serveBare } from '../serve-bare.ts'

const sql = postgres(process.env.DATABASE_URL, { max: 10 })

const askOf = (client) => async (statement, values) => {
  const rows = await client.unsafe(statement.text, values, { prepare: true }).values()
  return rows[0]
}

serveBare({
  ask: askOf(sql),
  async connect() {
    const client = await sql.reserve()
    return { ask: askOf(client), query: (text) => client.unsafe(text), release: () => client.release() }
  },
})
