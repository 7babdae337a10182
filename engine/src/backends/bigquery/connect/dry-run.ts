import { randomUUID } from 'node:crypto'
import { isRecord, type JsonObject } from '@svc/schema'
import type { DryRun } from '../../backend.ts'
import type { ApiClient } from './api-client.ts'
import { CannotDecode } from './run-job.ts'
import { type RetryLimits, withRetries } from './with-retries.ts'

/** Returns what a query would read, by a job that is not run. */
export async function dryRun(
  api: ApiClient,
  { projectId, ...retries }: RetryLimits & { readonly projectId: string },
  query: JsonObject,
): Promise<DryRun> {
  // its cost is what is requested, so it is not refused for that
  const { maximumBytesBilled: _, ...rest } = query
  const configuration = { jobType: 'QUERY', dryRun: true, query: rest }
  // an emulator wants an id
  const jobReference = { projectId, jobId: `svc_${randomUUID()}` }
  const answer = await withRetries(retries, undefined, () => api.post('/jobs', { jobReference, configuration }))
  const statistics = isRecord(answer) ? answer.statistics : undefined
  if (!isRecord(statistics) || typeof statistics.totalBytesProcessed !== 'string')
    throw new CannotDecode('Creating BigQuery job, cannot decode HTTP response: ', answer)
  return { totalBytesProcessed: statistics.totalBytesProcessed }
}
