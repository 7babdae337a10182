import type { BigQuery, OAuth2Client } from '@svc/bigquery'
import type { JsonObject } from '@svc/schema'
import { parseLong } from '../../../exact-json/index.ts'
import { createHttpClient } from '../../../http-client/index.ts'
import { Stretches } from '../../../long-work.ts'
import type { Observation } from '../../../observe/index.ts'
import { SourceUnavailable } from '../../backend.ts'
import type { SourceSettings } from '../source-settings.ts'
import { fetchAccessToken } from './access-token.ts'
import { type ApiAnswer, PageTooLarge, RequestFailed } from './api-answer.ts'

export type Query = Readonly<Record<string, string>>

/** The REST API of one project. Paths follow `/bigquery/v2/projects/PROJECT`. Rejects with RequestFailed. */
export interface ApiClient {
  post(path: string, body: JsonObject, query?: Query): Promise<unknown>
  /** Metadata, which is small. */
  list(path: string, query?: Query): Promise<unknown>
  /** A page of a result. Rejects with PageTooLarge, or the signal's reason. */
  result(path: string, query: Query, options: ResultOptions): Promise<unknown>
  /** Ends idle connections. */
  close(): void
}

interface ResultOptions {
  readonly signal: AbortSignal | undefined
  /** Bytes. */
  readonly most: number
}

/** Bytes of a page: the service sends 20 MB at most. */
const mostBytes = 64_000_000

const renewedBefore = 10_000

/**
 * A client of the API over Google's library, which is loaded here. Throws SourceUnavailable where it is not installed.
 *
 * What the library cannot do is done without it (@google-cloud/bigquery 8.3). It replaces `{{projectId}}` in every text of a
 * JSON body, so bodies are sent as texts. Its retries have a schedule of their own. Of results, its `request` copies each
 * value (60 ms for 10,000 rows where parsing takes 19) and cannot be aborted, and a stream that is aborted ends the process
 * once its response arrives: results are read by the engine's HTTP client.
 */
export async function apiClient(
  settings: SourceSettings,
  report: (observation: Observation) => void,
): Promise<ApiClient> {
  const { BigQuery, OAuth2Client } = await loadLibrary()
  const auth = new OAuth2Client({ eagerRefreshThresholdMillis: renewedBefore })
  auth.refreshHandler = oneAtATime(() => fetchAccessToken(settings.account, settings.tokenEndpoint, sendForm))
  const { apiEndpoint, projectId } = settings
  const library = new BigQuery({ projectId, apiEndpoint, authClient: auth, autoRetry: false, maxRetries: 0 })
  // a variable BIGQUERY_EMULATOR_HOST would count for more than the endpoint
  library.baseUrl = `${apiEndpoint.replace(/\/+$/, '')}/bigquery/v2`
  const http = createHttpClient({
    // where it is is the operator's decision
    allowPrivateAddresses: true,
    maxResponseBytes: mostBytes,
    tlsAllowlist: () => [],
    report,
  })

  async function sendForm(form: URLSearchParams): Promise<ApiAnswer> {
    const sent = auth.transporter.request<string>({
      url: settings.tokenEndpoint,
      method: 'POST',
      data: form,
      retry: false,
      responseType: 'text',
      timeout: 60_000,
      validateStatus: () => true,
    })
    const { status, data } = await sent.catch((error) => {
      throw new RequestFailed('token', null, reasonOf(error))
    })
    return { status, json: parsed(data) }
  }

  /** A token may end before its time: one that is refused is renewed once. */
  async function authorized(send: () => Promise<unknown>): Promise<unknown> {
    try {
      return await send()
    } catch (error) {
      if (!(error instanceof RequestFailed) || error.of !== 'api' || error.answer?.status !== 401) throw error
      auth.setCredentials({})
      return send()
    }
  }

  async function result(path: string, query: Query, { signal, most }: ResultOptions): Promise<unknown> {
    const headers = await auth.getRequestHeaders()
    const url = `${library.baseUrl}/projects/${encodeURIComponent(projectId)}${path}`
    const sent = await http.send({
      method: 'GET',
      url: `${url}?${new URLSearchParams({ ...query, prettyPrint: 'false' })}`,
      shownUrl: url,
      purpose: 'bigquery',
      headers: [...headers],
      body: null,
      timeout: 60_000,
      maxResponseBytes: Math.min(most, mostBytes),
      ...(signal && { signal }),
    })
    signal?.throwIfAborted()
    if (sent.kind === 'failure') {
      if (sent.failure === 'too-large') throw new PageTooLarge()
      throw new RequestFailed('api', null, sent.message)
    }
    return answered({ status: sent.status, json: await parsedInPieces(sent.body) })
  }

  return {
    post: (path, body, query = {}) =>
      authorized(() =>
        request(library, {
          method: 'POST',
          uri: path,
          qs: query,
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        }),
      ),
    list: (path, query = {}) => authorized(() => request(library, { method: 'GET', uri: path, qs: query })),
    result: (path, query, options) => authorized(() => result(path, query, options)),
    close: () => http.close(),
  }
}

async function loadLibrary(): Promise<{ BigQuery: typeof BigQuery; OAuth2Client: typeof OAuth2Client }> {
  try {
    return await import('@svc/bigquery')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND')
      throw new SourceUnavailable('sources on BigQuery need the package @svc/bigquery: npm install @svc/bigquery')
    throw error
  }
}

function request(library: BigQuery, options: Parameters<BigQuery['request']>[0]): Promise<unknown> {
  return new Promise((resolve, reject) => {
    library.request(options, (error, answer) => {
      if (!error) return resolve(answer)
      // no token could be had
      if ((error as Error) instanceof RequestFailed) return reject(error)
      const { response } = error as { readonly response?: { readonly statusCode?: number; readonly body?: unknown } }
      if (response?.statusCode === undefined) return reject(new RequestFailed('api', null, reasonOf(error)))
      try {
        resolve(answered({ status: response.statusCode, json: parsed(response.body) }))
      } catch (failed) {
        reject(failed)
      }
    })
  })
}

/** The JSON of an answer. Throws RequestFailed, which has nothing of the request: its headers hold a token. */
function answered(answer: ApiAnswer): unknown {
  if (answer.status >= 200 && answer.status < 300) return answer.json
  throw new RequestFailed('api', answer)
}

/** Bytes that are parsed at once, in some 5 ms. */
const short = 1_000_000

/** A wide page has 20 MB: other requests are answered while it is parsed. */
async function parsedInPieces(body: Buffer): Promise<unknown> {
  if (body.length <= short) return parsed(body.toString())
  try {
    return await new Stretches().run(parseLong(body, Number.POSITIVE_INFINITY, () => new RangeError()))
  } catch {
    return body.toString()
  }
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

function parsed(body: unknown): unknown {
  if (typeof body !== 'string') return body
  try {
    return JSON.parse(body)
  } catch {
    return body
  }
}

/** Concurrent callers wait for the same token. */
function oneAtATime<T>(fetch: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | null = null
  return () => {
    running ??= fetch().finally(() => {
      running = null
    })
    return running
  }
}
