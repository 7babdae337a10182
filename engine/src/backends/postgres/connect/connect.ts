import type { Observation } from '../../../observe/index.ts'
import { type ConnectionSettings, type SourceConnection, SourceUnavailable } from '../../backend.ts'
import { connectionError } from './from-sql-state.ts'
import { PostgresSource } from './postgres-source.ts'

/** Opens a source and makes its first connection. Throws SourceUnavailable with what the database or the network said. */
export async function connect(
  settings: ConnectionSettings,
  report: (observation: Observation) => void,
): Promise<SourceConnection> {
  let source: PostgresSource | null = null
  try {
    source = new PostgresSource(settings, report)
    await source.ping()
    return source
  } catch (error) {
    await source?.close()
    const { internal } = connectionError(error)
    throw new SourceUnavailable(String(internal ?? error), { cause: error })
  }
}
