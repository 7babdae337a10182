import type { Connection } from './client-pool.ts'

/**
 * Whether what the server's process of that number runs waits for something other than its turn at a processor: a lock,
 * a sleep, the disk. Rejects with what pg or the network said.
 */
export async function waitsForOthers({ client, names }: Connection, serverProcess: number): Promise<boolean> {
  const answer = await client.values.ask({ text: WAITS, name: null, parameters: [String(serverProcess)] }, names)
  return answer[0] === TRUE
}

/**
 * Light-weight locks are held for microseconds, by a process that may wait for a processor too. `Client`: it is done,
 * or has not read its statement yet. True where the process is not known: a pooler may be in between.
 */
const WAITS = `SELECT coalesce((SELECT coalesce(wait_event_type, '') NOT IN ('', 'LWLock', 'Client')
  FROM pg_catalog.pg_stat_get_activity($1::pg_catalog.int4)), true)`
const TRUE = 0x74
