/** The least a server over BigQuery does, with the engine's own client: one job, its rows as objects, no GraphQL. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { apiClient } from '../../engine/src/backends/bigquery/connect/api-client.ts'
import type { SourceSettings } from '../../engine/src/backends/bigquery/source-settings.ts'

const settings: SourceSettings = JSON.parse(process.env.BENCH_SETTINGS ?? '{}')
const [sql = '', ...names] = (process.env.BENCH_QUERY ?? '').split('|')
const api = await apiClient(settings, () => {})
let jobs = 0

type Row = { readonly f: readonly { readonly v: unknown }[] }

const server = createServer(async (request, response) => {
  for await (const _ of request);
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
  const objects = rows.map(({ f }) => Object.fromEntries(names.map((name, i) => [name, f[i]?.v])))
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify({ data: { shop_sale: objects } }))
}).listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
