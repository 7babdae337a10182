/** What the free part of the REST API says of datasets: tables.list, tables.get, routines.list. */
import { isRecord, type JsonObject } from '@svc/schema'
import type { ApiClient, Query } from '../connect/api-client.ts'
import { type RetryLimits, withRetries } from '../connect/with-retries.ts'

export interface Listing {
  readonly api: ApiClient
  readonly retries: RetryLimits
}

/** The names of a dataset's tables and views. */
export async function listTables(listing: Listing, dataset: string): Promise<readonly string[]> {
  const tables = await everyPage(listing, `/datasets/${dataset}/tables`, 'tables', {
    maxResults: '1000',
    fields: 'nextPageToken,tables(tableReference)',
  })
  return tables.flatMap(({ tableReference }) =>
    isRecord(tableReference) && typeof tableReference.tableId === 'string' ? [tableReference.tableId] : [],
  )
}

/** A table as the API describes it; its statistics, which take long, are left out. */
export const getTable = ({ api, retries }: Listing, dataset: string, name: string): Promise<unknown> =>
  withRetries(retries, undefined, () =>
    api.list(`/datasets/${dataset}/tables/${encodeURIComponent(name)}`, { view: 'BASIC' }),
  )

/** The routines of a dataset, with what table functions return. */
export const listRoutines = (listing: Listing, dataset: string): Promise<readonly JsonObject[]> =>
  everyPage(listing, `/datasets/${dataset}/routines`, 'routines', {
    maxResults: '1000',
    readMask: 'routineReference,routineType,arguments,returnTableType',
  })

async function everyPage(
  { api, retries }: Listing,
  path: string,
  key: string,
  query: Query,
): Promise<readonly JsonObject[]> {
  const all: JsonObject[] = []
  for (let pageToken: string | undefined; ; ) {
    const page = { ...query, ...(pageToken !== undefined && { pageToken }) }
    const answer = await withRetries(retries, undefined, () => api.list(path, page))
    if (!isRecord(answer)) return all
    const items = answer[key]
    if (Array.isArray(items)) all.push(...items.filter(isRecord))
    if (typeof answer.nextPageToken !== 'string' || answer.nextPageToken === '') return all
    pageToken = answer.nextPageToken
  }
}

/** Does it for all, at most `most` at a time; the results in the order of the items. Rejects with the first error. */
export async function inParallel<T, R>(items: readonly T[], most: number, work: (item: T) => Promise<R>): Promise<R[]> {
  const results = new Array<R>(items.length)
  let next = 0
  const lane = async () => {
    for (let at = next++; at < items.length; at = next++) results[at] = await work(items[at] as T)
  }
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, lane))
  return results
}
