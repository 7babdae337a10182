import type { ConnectionSettings } from '../../backend.ts'
import { ident, join, literal, print, type Sql, sql } from '../../sql.ts'
import { control, type Step } from './batch.ts'

/** A setting that every statement of a source runs under. */
interface Setting {
  readonly name: string
  readonly value: Sql
  /** What `current_setting` returns where it is so already; null where that is not known. */
  readonly shown: string | null
}

/**
 * What statements run under. Nothing here needs a superuser. jit: nested queries have estimates high enough for it and
 * seldom enough rows to repay it (introspection of 2,000 tables: 1.7 s with it, 0.27 s without). extra_float_digits,
 * bytea_output: a database may have been set to cut the digits of floats and to write bytes in its old form; answers
 * keep all digits and bytes are `\x…` (reference/values#json-of-column-values).
 */
function settingsOf({ isolationLevel, extensionsSchema }: ConnectionSettings): readonly Setting[] {
  const fixed = {
    jit: 'off',
    extra_float_digits: '1',
    bytea_output: 'hex',
    [ISOLATION]: isolationNames[isolationLevel],
  }
  const settings = Object.entries(fixed).map(([name, shown]) => ({ name, value: literal(shown), shown }))
  if (extensionsSchema === null) return settings
  return [...settings, { name: 'search_path', value: extendedSearchPath(extensionsSchema), shown: null }]
}

const ISOLATION = 'default_transaction_isolation'

const isolationNames = {
  'read-committed': 'read committed',
  'repeatable-read': 'repeatable read',
  serializable: 'serializable',
} as const

const extendedSearchPath = (schema: string): Sql =>
  sql`pg_catalog.concat_ws(', ', NULLIF(pg_catalog.current_setting('search_path'), ''), pg_catalog.quote_ident(${literal(schema)}))`

/**
 * Sets all of it for a new session, and returns whether that happened and the present values. Behind a pooler, which
 * has a process of another number, nothing is set: other clients would find it there.
 */
export function sessionScript(settings: ConnectionSettings, processId: number): string {
  const isOwn = sql`pg_catalog.pg_backend_pid() OPERATOR(pg_catalog.=) ${literal(String(processId))}::pg_catalog.int4`
  const columns = settingsOf(settings).map(
    ({ name, value }) =>
      sql`CASE WHEN ${isOwn} THEN pg_catalog.set_config(${literal(name)}, ${value}, false) ELSE pg_catalog.current_setting(${literal(name)}) END AS ${ident(name)}`,
  )
  return print(sql`SELECT ${isOwn} AS "own", ${join(columns, sql`, `)}`).text
}

/** What is sent with every statement of a session that is a pooler's. */
export interface PooledSession {
  /** Sets what the session lacks, or null where it lacks nothing. */
  readonly settings: Step | null
  /** Begins a transaction in the source's isolation level, or null where that is the session's default. */
  readonly begin: Step | null
}

/** Returns what a session lacks, by the row of the session script; null where the session is the source's own. */
export function pooledSession(
  settings: ConnectionSettings,
  [own, ...current]: readonly (string | null)[],
): PooledSession | null {
  if (own === 't') return null
  const wrong = settingsOf(settings).filter(({ shown }, i) => shown === null || shown !== current[i])
  const calls = wrong.flatMap(({ name, value }) =>
    name === ISOLATION ? [] : [sql`pg_catalog.set_config(${literal(name)}, ${value}, true)`],
  )
  return {
    settings: calls.length === 0 ? null : control(print(sql`SELECT ${join(calls, sql`, `)}`).text),
    begin: wrong.some(({ name }) => name === ISOLATION) ? beginStep(settings.isolationLevel) : null,
  }
}

export const beginStep = (level: ConnectionSettings['isolationLevel']): Step =>
  control(`BEGIN ISOLATION LEVEL ${isolationNames[level].toUpperCase()}`)
