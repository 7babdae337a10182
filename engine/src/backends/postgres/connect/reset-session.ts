import type { ConnectionSettings } from '../../backend.ts'
import { runScript } from './open-client.ts'
import { sessionScript } from './session-settings.ts'
import type { SourceClient } from './wire.ts'

/**
 * Makes a session as good as new after a script of a user's, and says whether it is. A new one would read the catalogue
 * anew, which takes the next question about it 10 ms. Never rejects.
 */
export async function resetSession(
  client: SourceClient,
  settings: ConnectionSettings,
  script: string,
): Promise<boolean> {
  if (client.lost || client.values.pooled !== null || client.getTransactionStatus() !== 'I') return false
  if (staysBehind.test(script)) return false
  try {
    await runScript(client, 'DISCARD ALL')
    const { rows } = await runScript(client, sessionScript(settings, client.serverProcess))
    return rows[0]?.[0] === 't'
  } catch {
    return false
  }
}

/** What only a new session is without (libraries, connections of extensions), or only a new session has (settings of roles). */
const staysBehind = /\b(load|dblink\w*|alter\s+(database|role|user|system))\b|\bplperl|\bplpython|\bpltcl|\bplv8/i
