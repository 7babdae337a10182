/**
 * The least a server over BigQuery does: one job, its rows as objects, no GraphQL. BENCH_CLIENT=library: as the manual of
 * Google's client has it; else with the engine's own use of it, which spares most of its cost.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { BigQuery, OAuth2Client } from '@svc/bigquery'
import { apiClient } from '../../engine/src/backends/bigquery/connect/api-client.ts'
import type { SourceSettings } from '../../engine/src/backends/bigquery/source-settings.ts'

const settings: SourceSettings = JSON.parse(process.env.BENCH_SETTINGS ?? '{}')
const [sql = '', ...names] = (process.env.BENCH_QUERY ?? '').split('|')
const api = await apiClient(settings, () => {})
let jobs = 0

type Row = { readonly f: readonly { readonly v: unknown }[] }

async function askEngineClient(): Promise<readonly unknown[]> {
  const jobId = `bare_${process.pid}_${++jobs}`
  const query = { query: sql, useLegacySql: false }
  await api.post('/jobs', {
    jobReference: { projectId: settings.projectId, jobId },
    configuration: { jobType: 'QUERY', query },
  })
  const rows: Row[] = []
  for (let pageToken: string | undefined; ; ) {
    const place = { location: 'EU', maxResults: '5000', ...(pageToken && { pageToken }) }
    const page = (await api.result(`/queries/${jobId}`, place, { signal: undefined, most: 1e9 })) as {
      readonly rows: readonly Row[]
      readonly pageToken?: string
    }
    rows.push(...page.rows)
    pageToken = page.pageToken
    if (!pageToken) break
  }
  return rows.map(({ f }) => Object.fromEntries(names.map((name, i) => [name, f[i]?.v])))
}

const authClient = new OAuth2Client()
authClient.setCredentials({ access_token: process.env.BENCH_TOKEN ?? '', expiry_date: Date.now() + 3_600_000 })
const library = new BigQuery({ projectId: settings.projectId, apiEndpoint: settings.apiEndpoint, authClient })

async function askLibrary(): Promise<readonly unknown[]> {
  const [job] = await library.createQueryJob({ query: sql, useLegacySql: false, location: 'EU' })
  const [rows] = await job.getQueryResults({ wrapIntegers: true })
  return rows
}

const ask = process.env.BENCH_CLIENT === 'library' ? askLibrary : askEngineClient
const server = createServer(async (request, response) => {
  for await (const _ of request);
  const rows = await ask()
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify({ data: { shop_sale: rows } }))
}).listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
