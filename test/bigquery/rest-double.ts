/**
 * A small double of BigQuery's REST API and of its token endpoint, for what no emulator shows: quotas, errors, slow jobs,
 * pages, tokens that expire. It knows no SQL: a test says what a query is answered with.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createServiceAccount, type ServiceAccount } from './service-account.ts'

// biome-ignore lint/suspicious/noExplicitAny: bodies of every shape
type Body = any

export interface DoubleAnswer {
  readonly status?: number
  readonly body: Body
}

/** What a job does, by its SQL. */
interface DoubleJob {
  readonly fields?: readonly Body[]
  /** Values of rows, as the API writes them. */
  readonly rows?: readonly (readonly Body[])[]
  readonly pageSize?: number
  /** Polls that it takes until it is complete; Infinity: it ends when it is cancelled. */
  readonly polls?: number
  readonly failure?: DoubleAnswer
  readonly bytes?: number
}

export interface DoubleRequest {
  readonly method: string
  /** Behind `/bigquery/v2/projects/PROJECT`. */
  readonly path: string
  readonly query: URLSearchParams
  readonly body: Body
}

export interface RestDouble {
  readonly url: string
  readonly tokenUrl: string
  readonly project: string
  readonly account: ServiceAccount
  readonly requests: DoubleRequest[]
  readonly tokens: readonly Readonly<Record<string, unknown>>[]
  /** Started, by their ids. */
  readonly jobs: ReadonlyMap<string, { readonly body: Body; cancelled: boolean }>
  /** By dataset and name, as tables.get has them. */
  readonly tables: Map<string, Map<string, Body>>
  readonly routines: Map<string, Body[]>
  job: (sql: string, body: Body) => DoubleJob
  /** What a request is answered with instead; `cut`: its connection ends after it was done. */
  fault: (request: DoubleRequest) => DoubleAnswer | 'cut' | null
  /** Seconds that tokens live. */
  tokenLifetime: number
  /** All tokens so far are refused from now on. */
  revokeTokens(): void
  /** Resolves once a request fits. */
  asked(fits: (request: DoubleRequest) => boolean): Promise<DoubleRequest>
}

type WithAfter = { after(cleanUp: () => Promise<void>): void }

export async function startRestDouble(t: WithAfter, project = 'shop'): Promise<RestDouble> {
  const account = createServiceAccount(project)
  const requests: DoubleRequest[] = []
  const tokens: Readonly<Record<string, unknown>>[] = []
  const jobs = new Map<string, { readonly body: Body; cancelled: boolean; polls: number }>()
  const waiting = new Set<() => void>()
  let valid = new Set<string>()

  const server = createServer(async (request, response) => {
    const text = await readText(request)
    const url = new URL(request.url ?? '/', 'http://double')
    if (url.pathname === '/token') return answer(response, token(text))
    const bearer = request.headers.authorization?.replace('Bearer ', '') ?? ''
    const prefix = `/bigquery/v2/projects/${project}`
    if (!valid.has(bearer)) return answer(response, failure(401, 'Invalid Credentials', 'authError'))
    if (!url.pathname.startsWith(prefix)) return answer(response, failure(404, 'Not Found', 'notFound'))
    const asked: DoubleRequest = {
      method: request.method ?? 'GET',
      path: url.pathname.slice(prefix.length),
      query: url.searchParams,
      body: text === '' ? null : JSON.parse(text),
    }
    requests.push(asked)
    const fault = double.fault(asked)
    const done = fault === null || fault === 'cut' ? serve(asked) : fault
    for (const wake of waiting) wake()
    if (fault === 'cut') return response.destroy()
    return answer(response, done)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  t.after(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })

  function token(form: string): DoubleAnswer {
    const given = new URLSearchParams(form)
    const claims = account.claimsOf(given.get('assertion') ?? '..')
    if (!claims || claims.aud !== double.tokenUrl)
      return { status: 400, body: { error: 'invalid_grant', error_description: 'Invalid JWT Signature.' } }
    tokens.push(claims)
    const issued = `token-${tokens.length}`
    valid.add(issued)
    return { body: { access_token: issued, token_type: 'Bearer', expires_in: double.tokenLifetime } }
  }

  function serve({ method, path, query, body }: DoubleRequest): DoubleAnswer {
    if (method === 'POST' && path === '/jobs') return start(body)
    const [, jobId = ''] = /^\/queries\/(.+)$/.exec(path) ?? []
    if (jobId !== '') return results(jobId, query)
    const [, cancelled = ''] = /^\/jobs\/(.+)\/cancel$/.exec(path) ?? []
    const running = jobs.get(cancelled)
    if (running) {
      running.cancelled = true
      return { body: { kind: 'bigquery#jobCancelResponse' } }
    }
    return listing(path)
  }

  function start(body: Body): DoubleAnswer {
    const { query } = body.configuration.query
    if (body.configuration.dryRun)
      return {
        body: { kind: 'bigquery#job', statistics: { totalBytesProcessed: String(double.job(query, body).bytes ?? 0) } },
      }
    const { jobId } = body.jobReference
    if (jobs.has(jobId)) return failure(409, `Already Exists: Job ${project}:EU.${jobId}`, 'duplicate')
    jobs.set(jobId, { body, cancelled: false, polls: double.job(query, body).polls ?? 0 })
    return {
      body: {
        kind: 'bigquery#job',
        jobReference: { projectId: project, jobId, location: 'EU' },
        status: { state: 'RUNNING' },
      },
    }
  }

  function results(jobId: string, query: URLSearchParams): DoubleAnswer {
    const running = jobs.get(jobId)
    if (!running || query.get('location') !== 'EU') return failure(404, `Not found: Job ${jobId}`, 'notFound')
    const job = double.job(running.body.configuration.query.query, running.body)
    if (running.cancelled) return failure(499, 'Job was cancelled', 'stopped')
    if (running.polls-- > 0) return { body: { kind: 'bigquery#getQueryResultsResponse', jobComplete: false } }
    if (job.failure) return job.failure
    const { rows = [], fields = [], pageSize = rows.length } = job
    const at = Number(query.get('pageToken') ?? 0)
    const most = Math.max(1, Math.min(pageSize, Number(query.get('maxResults') ?? pageSize)))
    return {
      body: {
        kind: 'bigquery#getQueryResultsResponse',
        jobReference: { projectId: project, jobId, location: 'EU' },
        schema: { fields },
        totalRows: String(rows.length),
        totalBytesProcessed: String(job.bytes ?? 0),
        jobComplete: true,
        cacheHit: false,
        rows: rows.slice(at, at + most).map((values) => ({ f: values.map((v) => ({ v })) })),
        ...(at + most < rows.length && { pageToken: String(at + most) }),
      },
    }
  }

  function listing(path: string): DoubleAnswer {
    const [, dataset = '', kind = '', name] = /^\/datasets\/([^/]+)\/(tables|routines)(?:\/(.+))?$/.exec(path) ?? []
    const tables = double.tables.get(dataset)
    if (!tables) return failure(404, `Not found: Dataset ${project}:${dataset}`, 'notFound')
    if (kind === 'routines') return { body: { routines: double.routines.get(dataset) ?? [] } }
    if (name === undefined)
      return {
        body: { tables: [...tables.keys()].map((tableId) => ({ tableReference: { datasetId: dataset, tableId } })) },
      }
    const table = tables.get(decodeURIComponent(name))
    return table ? { body: { location: 'EU', ...table } } : failure(404, `Not found: Table ${name}`, 'notFound')
  }

  const double: RestDouble = {
    url,
    tokenUrl: `${url}/token`,
    project,
    account,
    requests,
    tokens,
    jobs,
    tables: new Map(),
    routines: new Map(),
    job: () => ({}),
    fault: () => null,
    tokenLifetime: 3600,
    revokeTokens: () => {
      valid = new Set()
    },
    asked: (fits) =>
      new Promise((resolve) => {
        const look = () => {
          const found = requests.find(fits)
          if (!found) return
          waiting.delete(look)
          resolve(found)
        }
        waiting.add(look)
        look()
      }),
  }
  return double
}

/** An error as the API writes it. */
export const failure = (code: number, message: string, reason: string): DoubleAnswer => ({
  status: code,
  body: { error: { code, message, errors: [{ message, reason, domain: 'global' }], status: reason } },
})

function answer(response: ServerResponse, { status = 200, body }: DoubleAnswer): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(typeof body === 'string' ? body : JSON.stringify(body))
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}
