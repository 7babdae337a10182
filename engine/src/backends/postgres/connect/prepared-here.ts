import type { ScriptResult } from './statements.ts'

/** Reads which statements the session has prepared. */
export const preparedHere = `SELECT pg_catalog.json_agg(name) FILTER (WHERE NOT from_sql), COALESCE(pg_catalog.bool_or(from_sql), false)
  FROM pg_catalog.pg_prepared_statements`

interface Held {
  /** What the engine has prepared by name. */
  readonly own: ReadonlySet<string>
  /** There is what a script has prepared, maybe by a name of the engine's. */
  readonly hasOthers: boolean
}

/** Of the answer. */
export function heldOf({ rows: [row] }: ScriptResult): Held {
  const [own, hasOthers] = row ?? []
  return { own: new Set(own ? (JSON.parse(own) as readonly string[]) : []), hasOthers: hasOthers === 't' }
}
