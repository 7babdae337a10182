import { type SourceConnection, SourceUnavailable } from '../../backend.ts'
import { loadClient } from './load-client.ts'
import { MssqlSource } from './mssql-source.ts'
import { SourcePool } from './source-pool.ts'
import type { SourceSettings } from './source-settings.ts'

/** Opens a source and makes its first connection. Rejects with a SourceUnavailable that says what the database said. */
export async function connect(settings: SourceSettings): Promise<SourceConnection> {
  const client = await loadClient()
  try {
    return new MssqlSource(client, await SourcePool.open(client, settings))
  } catch (cause) {
    throw new SourceUnavailable(cause instanceof Error ? cause.message : String(cause), { cause })
  }
}
