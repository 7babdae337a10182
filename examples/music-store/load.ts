/** The music store in a database: its schema and its rows. */
import { readFileSync } from 'node:fs'
import { musicStoreRows } from './data/index.ts'

export type Statement = { readonly text: string; readonly values: readonly unknown[] }

/** What a connection of `pg` can do. */
export type Connection = { query(text: string, values?: unknown[]): Promise<{ readonly rows: readonly unknown[] }> }

export const musicStoreSchema = (): string =>
  readFileSync(new URL('migrations/default/1700000000000_store/up.sql', import.meta.url), 'utf8')

/** One INSERT for each table: the rows travel as one JSON parameter. */
export function* musicStoreInserts(): Generator<Statement> {
  for (const [table, rows] of Object.entries(musicStoreRows())) {
    const text = `INSERT INTO ${table} SELECT * FROM jsonb_populate_recordset(NULL::${table}, $1)`
    yield { text, values: [JSON.stringify(rows)] }
    if (rows[0] && 'id' in rows[0])
      yield { text: `SELECT setval(pg_get_serial_sequence('${table}', 'id'), ${rows.length})`, values: [] }
  }
}

/** Makes the tables in the first schema of the search path and fills them: all of it or, on an error, nothing. */
export async function loadMusicStore(connection: Connection): Promise<void> {
  await connection.query('BEGIN')
  try {
    await connection.query(musicStoreSchema())
    for (const { text, values } of musicStoreInserts()) await connection.query(text, [...values])
    await connection.query('COMMIT')
  } catch (error) {
    await connection.query('ROLLBACK')
    throw error
  }
  // without statistics the first queries are planned as if the tables were empty
  await connection.query('ANALYZE')
}
