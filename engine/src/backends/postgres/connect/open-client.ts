import type pg from 'pg'
import type { ConnectionSettings } from '../../backend.ts'
import { pooledSession, sessionScript } from './session-settings.ts'
import { Script, type ScriptResult } from './statements.ts'
import { SourceClient } from './wire.ts'

export interface OpenClient {
  readonly client: SourceClient
  /** Milliseconds that a statement took which does next to nothing. */
  readonly roundTrip: number
}

/** A new connection to a source, with the settings that every one gets. Rejects with what pg or the network said; nothing is left open. */
export async function openClient(settings: ConnectionSettings, config: pg.ClientConfig): Promise<OpenClient> {
  const client = new SourceClient(config)
  try {
    await client.connect()
    const started = performance.now()
    const { rows } = await runScript(client, sessionScript(settings, client.serverProcess))
    const roundTrip = performance.now() - started
    const current = rows[0] ?? []
    client.values.pooled = pooledSession(settings, current)
    return { client, roundTrip }
  } catch (error) {
    await endClient(client)
    throw error
  }
}

/**
 * Resolves when the server has closed the connection, so that another one can take its place, or does not answer.
 * Never rejects.
 */
export async function endClient(client: SourceClient): Promise<void> {
  const timer = setTimeout(() => client.destroy(), ENDS_WITHIN)
  await (client.dismissed ? client.ended : client.end().catch(() => {}))
  clearTimeout(timer)
}

/** Milliseconds. A server that is gone never says good-bye. */
const ENDS_WITHIN = 3000

export function runScript(client: SourceClient, script: string): Promise<ScriptResult> {
  return new Promise((resolve, reject) => client.run(new Script(script, { resolve, reject })))
}
