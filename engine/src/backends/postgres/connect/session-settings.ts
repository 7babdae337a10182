import type { ConnectionSettings } from '../../backend.ts'
import { literal, print, type Sql, sql } from '../../sql.ts'

/**
 * What a new connection is told. Nothing here needs a superuser.
 * jit: nested queries have estimates high enough for it and seldom enough rows to repay it (introspection of 2,000
 * tables: 1.7 s with it, 0.27 s without). extra_float_digits, bytea_output: a database may have been told to cut the digits
 * of floats and to write bytes in its old form; answers keep all digits and bytes are `\x…` (spec 02 §3.5).
 */
export function sessionScript({ isolationLevel, extensionsSchema }: ConnectionSettings): string {
  const path = extensionsSchema === null ? [] : [appendToSearchPath(extensionsSchema)]
  const statements = [...always, ...isolation[isolationLevel], ...path]
  return statements.map((statement) => print(statement).text).join('; ')
}

const always: readonly Sql[] = [sql`SET jit = off`, sql`SET extra_float_digits = 1`, sql`SET bytea_output = hex`]

const isolation: Readonly<Record<ConnectionSettings['isolationLevel'], readonly Sql[]>> = {
  'read-committed': [],
  'repeatable-read': [sql`SET default_transaction_isolation = 'repeatable read'`],
  serializable: [sql`SET default_transaction_isolation = 'serializable'`],
}

const appendToSearchPath = (schema: string): Sql =>
  sql`SELECT pg_catalog.set_config('search_path', pg_catalog.concat_ws(', ', NULLIF(pg_catalog.current_setting('search_path'), ''), pg_catalog.quote_ident(${literal(schema)})), false)`
