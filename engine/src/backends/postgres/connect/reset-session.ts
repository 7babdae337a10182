import type { ConnectionSettings } from '../../backend.ts'
import type { Connection } from './client-pool.ts'
import { runScript } from './open-client.ts'
import { sessionScript } from './session-settings.ts'
import type { SourceClient } from './wire.ts'

/**
 * Resets a session after a user's script, and returns whether that succeeded. A new one would read the catalogue again,
 * which takes the next question about it 10 ms; what the engine has prepared remains, since planning it takes as long
 * again. Never rejects.
 */
export async function resetSession(
  { client, names }: Pick<Connection, 'client' | 'names'>,
  settings: ConnectionSettings,
  script: string,
): Promise<boolean> {
  if (client.lost || client.values.pooled !== null || client.getTransactionStatus() !== 'I') return false
  if (staysBehind.test(script)) return false
  try {
    const discard = planned.test(script) ? `${discardOthers}; DISCARD PLANS` : discardOthers
    const session = await runScript(client, `${discard}; ${sessionScript(settings, client.serverProcess)}`)
    const held = await preparedHere(client)
    if (held.hasOthers) await runScript(client, 'DEALLOCATE ALL')
    names.keepOnly(held.hasOthers ? new Set() : held.own)
    return session.rows[0]?.[0] === 't'
  } catch {
    return false
  }
}

/** What DISCARD ALL does, but for what is prepared. */
const discardOthers =
  'CLOSE ALL; SET SESSION AUTHORIZATION DEFAULT; RESET ALL; UNLISTEN *; SELECT pg_catalog.pg_advisory_unlock_all(); DISCARD TEMP; DISCARD SEQUENCES'

/** Settings that the script had may be what a question was planned by. */
const planned = /\b(set|set_config|do|call)\b/i

/**
 * What only a new session is without (libraries, connections of extensions, a seed of random numbers, an origin of
 * replication), or only a new session has (settings of roles).
 */
const staysBehind =
  /\b(load|dblink\w*|setseed|pg_replication_origin_session\w*|alter\s+(database|role|user|system))\b|\bplperl|\bplpython|\bpltcl|\bplv8/i

interface Prepared {
  /** What the engine has prepared by name. */
  readonly own: ReadonlySet<string>
  /** There is what a script has prepared, maybe by a name of the engine's. */
  readonly hasOthers: boolean
}

/** Reads which statements the session has prepared. Rejects with what pg says. */
export async function preparedHere(client: SourceClient): Promise<Prepared> {
  const { rows } = await runScript(
    client,
    `SELECT pg_catalog.json_agg(name) FILTER (WHERE NOT from_sql), COALESCE(pg_catalog.bool_or(from_sql), false)
  FROM pg_catalog.pg_prepared_statements`,
  )
  const [own, hasOthers] = rows[0] ?? []
  return { own: new Set(own ? (JSON.parse(own) as readonly string[]) : []), hasOthers: hasOthers === 't' }
}
