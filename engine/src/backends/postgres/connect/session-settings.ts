import type { ConnectionSettings } from '../../backend.ts'
import { literal, print, type Sql, sql } from '../../sql.ts'

/**
 * What a new connection is told. Nothing here needs a superuser.
 * jit: nested queries have estimates high enough for it and seldom enough rows to repay it (introspection of 2,000
 * tables: 1.7 s with it, 0.27 s without).
 */
export function sessionScript({ isolationLevel, extensionsSchema }: ConnectionSettings): string {
  const path = extensionsSchema === null ? [] : [appendToSearchPath(extensionsSchema)]
  const statements = [sql`SET jit = off`, ...isolation[isolationLevel], ...path]
  return statements.map((statement) => print(statement).text).join('; ')
}

const isolation: Readonly<Record<ConnectionSettings['isolationLevel'], readonly Sql[]>> = {
  'read-committed': [],
  'repeatable-read': [sql`SET default_transaction_isolation = 'repeatable read'`],
  serializable: [sql`SET default_transaction_isolation = 'serializable'`],
}

const appendToSearchPath = (schema: string): Sql =>
  sql`SELECT pg_catalog.set_config('search_path', pg_catalog.concat_ws(', ', NULLIF(pg_catalog.current_setting('search_path'), ''), pg_catalog.quote_ident(${literal(schema)})), false)`
