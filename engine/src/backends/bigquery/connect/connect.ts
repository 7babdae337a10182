import type { Observation } from '../../../observe/index.ts'
import type { SourceConnection } from '../../backend.ts'
import type { SourceSettings } from '../source-settings.ts'
import { apiClient } from './api-client.ts'
import { BigquerySource } from './bigquery-source.ts'

/** Loads the client. Nothing is sent before the source is introspected. Throws SourceUnavailable. */
export async function connect(
  settings: SourceSettings,
  report: (observation: Observation) => void,
): Promise<SourceConnection> {
  return new BigquerySource(settings, await apiClient(settings, report), report)
}
