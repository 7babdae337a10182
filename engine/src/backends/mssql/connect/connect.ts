import type { Observation } from '../../../observe/index.ts'
import { type SourceConnection, SourceUnavailable } from '../../backend.ts'
import type { SourceSettings } from './source-settings.ts'

/** Opens a source. Rejects with a SourceUnavailable. */
export async function connect(
  settings: SourceSettings,
  _report: (observation: Observation) => void,
): Promise<SourceConnection> {
  throw new SourceUnavailable(`sources of SQL Server are not opened yet: ${settings.source}`)
}
