import pg from 'pg'
import type { DatabaseTable, EnumValues } from '../../backend.ts'
import { ident, integer, sql, tableName } from '../../sql.ts'
import { isConnectionError } from '../connect/from-sql-state.ts'
import type { Ask } from './ask.ts'
import { enumShape } from './enum-shape.ts'

/** A table that someone marked by mistake must not fill the memory: its values go into every schema. */
const mostValues = 10_000

/**
 * The rows of an enum table (reference/database-objects#enum-tables). What the database refuses becomes a reason;
 * rejects when the connection is lost.
 */
export async function readEnum(ask: Ask, table: DatabaseTable): Promise<EnumValues> {
  const shape = enumShape(table)
  if (!shape.ok) return { status: 'none' }
  const comment = shape.comment === null ? sql`NULL::text` : ident(shape.comment)
  const query = sql`SELECT ${ident(shape.key)}, ${comment} FROM ${tableName(table.table)} LIMIT ${integer(mostValues + 1)}`
  try {
    const rows = await ask(query)
    if (rows.length > mostValues) return { status: 'failed', reason: `the table must have at most ${mostValues} rows` }
    const values = rows.map(([value, description]) => ({ name: value ?? '', description: description ?? null }))
    return { status: 'read', values: values.sort((a, b) => (a.name < b.name ? -1 : 1)) }
  } catch (error) {
    if (isConnectionError(error) || !(error instanceof pg.DatabaseError)) throw error
    return { status: 'failed', reason: error.message }
  }
}
