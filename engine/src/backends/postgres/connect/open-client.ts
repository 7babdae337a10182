import type pg from 'pg'
import type { ConnectionSettings } from '../../backend.ts'
import type { Step } from './batch.ts'
import type { PreparedNames } from './prepared-names.ts'
import { pooledSession, sessionScript } from './session-settings.ts'
import { RowsStatement, Script, type ScriptResult, type TextRow } from './statements.ts'
import type { Prepared } from './value-queue.ts'
import { SourceClient } from './wire.ts'

export interface OpenClient {
  readonly client: SourceClient
  /** The milliseconds that a statement took which does next to nothing. */
  readonly roundTrip: number
}

/** Opens a connection to a source, with the settings that each has. Rejects with the error of pg or the network. */
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

/** Milliseconds that a server has to close the connection. */
const ENDS_WITHIN = 3000

/** Runs a script in the simple protocol. Rejects with the error of pg. */
export function runScript(client: SourceClient, script: string): Promise<ScriptResult> {
  return new Promise((resolve, reject) => client.run(new Script(script, { resolve, reject })))
}

/** Runs a statement and returns all its rows as text. `before` goes with it where the session is a pooler's. */
export const askRows = (
  client: SourceClient,
  statement: Prepared,
  names: PreparedNames,
  before: Step | null = null,
): Promise<readonly TextRow[]> =>
  new Promise((resolve, reject) => client.run(new RowsStatement(statement, names, { resolve, reject }, before)))
