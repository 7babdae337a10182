import { randomUUID } from 'node:crypto'
import { isRecord, type JsonObject } from '@svc/schema'
import { untilAborted } from '../../../within.ts'
import type { ResultField, ResultRow } from '../assemble/result-rows.ts'
import { RequestFailed } from './api-answer.ts'
import type { ApiClient, Query } from './api-client.ts'
import { type RetryLimits, waited, withRetries } from './with-retries.ts'

/** A query as the API takes it: `configuration.query`, and the labels of its job. */
export interface QueryJob {
  readonly query: JsonObject
  readonly labels: Readonly<Record<string, string>>
}

export interface JobOptions {
  readonly api: ApiClient
  readonly projectId: string
  readonly retries: RetryLimits
  /** Where jobs of the source run, for one whose own answer was lost; null: not known. */
  readonly location: string | null
  readonly signal?: AbortSignal | undefined
  /** Bytes that one page may have. */
  readonly most: number
}

/** A page of a result, as it came. */
export interface ResultPage {
  /** The first page has it; null: the statement has no result. */
  readonly fields: readonly ResultField[] | null
  readonly rows: readonly ResultRow[]
  readonly location: string | null
  readonly bytesBilled: number
}

/** Rows of a page, at most: what is parsed at once. */
const pageRows = '5000'

/**
 * Runs one query as one job, and yields its pages. The job has an id of ours, so that a request whose answer was lost
 * is sent again without running twice. Where the caller's signal aborts, or no one reads on, a job that still runs is
 * cancelled.
 */
export async function* runJob(job: QueryJob, options: JobOptions): AsyncGenerator<ResultPage> {
  const { api, retries, signal } = options
  signal?.throwIfAborted()
  const jobId = `svc_${randomUUID()}`
  const started = startJob(jobId, job, options)
  let isComplete = false
  try {
    const location = await (signal ? untilAborted(signal, started) : started)
    const place: Query = location === null ? {} : { location }
    for (let pageToken: string | undefined; ; ) {
      const query = { ...place, maxResults: pageRows, ...(pageToken !== undefined && { pageToken }) }
      const answer = await withRetries(retries, signal, () =>
        api.result(`/queries/${jobId}`, query, { signal, most: options.most }),
      )
      if (!isRecord(answer))
        throw new CannotDecode('Fetching BigQuery job status, cannot decode HTTP response; ', answer)
      if (answer.jobComplete !== true) {
        await waited(1000, signal)
        continue
      }
      isComplete = true
      yield pageOf(answer, location)
      if (typeof answer.pageToken !== 'string' || answer.pageToken === '') return
      pageToken = answer.pageToken
    }
  } catch (error) {
    // the service refused it, so there is nothing to cancel
    if (error instanceof RequestFailed && error.answer !== null && !error.isTemporary) isComplete = true
    throw error
  } finally {
    if (!isComplete) void cancelJob(jobId, started, options)
  }
}

/** The location of the job. */
async function startJob(jobId: string, job: QueryJob, options: JobOptions): Promise<string | null> {
  const { api, projectId, retries, location, signal } = options
  const body: JsonObject = {
    jobReference: { projectId, jobId },
    configuration: { jobType: 'QUERY', query: job.query, labels: job.labels },
  }
  const answer = await withRetries(retries, signal, async () => {
    try {
      return await api.post('/jobs', body)
    } catch (error) {
      // an earlier try has arrived: its result is there to be read
      if (error instanceof RequestFailed && error.answer?.status === 409) return null
      throw error
    }
  })
  if (answer === null) return location
  const reference = isRecord(answer) ? answer.jobReference : undefined
  if (!isRecord(reference)) throw new CannotDecode('Creating BigQuery job, cannot decode HTTP response: ', answer)
  return typeof reference.location === 'string' && reference.location !== '' ? reference.location : null
}

async function cancelJob(jobId: string, started: Promise<string | null>, { api, retries }: JobOptions): Promise<void> {
  try {
    const location = await started
    const query: Query = location === null ? {} : { location }
    await withRetries(retries, undefined, () => api.post(`/jobs/${jobId}/cancel`, {}, query))
  } catch {
    // it was not started, or ends by itself
  }
}

function pageOf(answer: JsonObject, location: string | null): ResultPage {
  const { schema, rows } = answer
  const fields = isRecord(schema) && Array.isArray(schema.fields) ? schema.fields : null
  return {
    fields: fields as unknown as readonly ResultField[] | null,
    rows: (Array.isArray(rows) ? rows : []) as unknown as readonly ResultRow[],
    location,
    bytesBilled: bytesBilled(answer),
  }
}

const megabyte = 1_048_576

/**
 * Bytes that a query is billed for: what the service says, or what follows from the bytes it has read (whole megabytes,
 * at least ten; nothing for results that were cached).
 */
function bytesBilled({ totalBytesProcessed: processed, totalBytesBilled: billed, cacheHit }: JsonObject): number {
  if (typeof billed === 'string') return Number(billed)
  const read = cacheHit === true || typeof processed !== 'string' ? 0 : Number(processed)
  return read === 0 ? 0 : Math.max(10, Math.ceil(read / megabyte)) * megabyte
}

/** An answer that is no job or result of a job. */
export class CannotDecode extends Error {
  readonly answer: unknown

  constructor(message: string, answer: unknown) {
    super(message + (typeof answer === 'string' ? answer.slice(0, 200) : 'unexpected JSON'))
    this.answer = answer
  }
}
