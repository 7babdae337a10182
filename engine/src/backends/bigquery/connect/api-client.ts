import type { BigQuery, OAuth2Client } from '@svc/bigquery'
import type { JsonObject } from '@svc/schema'
import { SourceUnavailable } from '../../backend.ts'
import type { SourceSettings } from '../source-settings.ts'
import { fetchAccessToken } from './access-token.ts'
import { type ApiAnswer, PageTooLarge, RequestFailed } from './api-answer.ts'

export type Query = Readonly<Record<string, string>>

/** The REST API of one project. Paths follow `/bigquery/v2/projects/PROJECT`. Rejects with RequestFailed. */
export interface ApiClient {
  post(path: string, body: JsonObject, query?: Query): Promise<unknown>
  /** An answer of more than `most` bytes is not read on: PageTooLarge. */
  get(
    path: string,
    query?: Query,
    options?: { readonly signal?: AbortSignal; readonly most?: number },
  ): Promise<unknown>
}

const renewedBefore = 10_000

/**
 * A client of the API over Google's library, which is loaded here. Throws SourceUnavailable where it is not installed.
 *
 * Of the library: connections, the API's address, the life of tokens. Not its `{{projectId}}`, which it replaces in
 * every text of a JSON body, so bodies are sent as texts; not its retries, which have a schedule of their own; and results
 * are read as streams, since `request` copies each answer value by value and cannot be aborted.
 */
export async function apiClient(settings: SourceSettings): Promise<ApiClient> {
  const { BigQuery, OAuth2Client } = await loadLibrary()
  const auth = new OAuth2Client({ eagerRefreshThresholdMillis: renewedBefore })
  auth.refreshHandler = oneAtATime(() => fetchAccessToken(settings.account, settings.tokenEndpoint, sendForm))
  const { apiEndpoint, projectId } = settings
  const library = new BigQuery({ projectId, apiEndpoint, authClient: auth, autoRetry: false, maxRetries: 0 })
  // a variable BIGQUERY_EMULATOR_HOST would count for more than the endpoint
  library.baseUrl = `${apiEndpoint.replace(/\/+$/, '')}/bigquery/v2`

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

  return {
    post: (path, body, query = {}) => authorized(() => post(library, path, body, query)),
    get: (path, query = {}, options = {}) => authorized(() => get(library, path, query, options)),
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

function post(library: BigQuery, uri: string, body: JsonObject, qs: Query): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json' }
    library.request({ method: 'POST', uri, qs, headers, body: JSON.stringify(body) }, (error, answer) => {
      if (!error) return resolve(answer)
      reject(failureOf(error))
    })
  })
}

function get(
  library: BigQuery,
  uri: string,
  qs: Query,
  { signal, most = Number.POSITIVE_INFINITY }: { readonly signal?: AbortSignal; readonly most?: number },
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const stream = library.requestStream({ method: 'GET', uri, qs })
    const chunks: Buffer[] = []
    let status = 0
    let size = 0
    const end = (settle: () => void) => {
      signal?.removeEventListener('abort', aborted)
      settle()
    }
    const abandon = (reason: unknown) => {
      end(() => reject(reason))
      stream.destroy()
      // it is there once the request was sent
      ;(stream as { readonly abort?: () => void }).abort?.()
    }
    const aborted = () => abandon(signal?.reason)
    signal?.addEventListener('abort', aborted, { once: true })
    stream.on('response', (response: { readonly statusCode: number }) => {
      status = response.statusCode
    })
    stream.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > most) return abandon(new PageTooLarge())
      chunks.push(chunk)
    })
    stream.on('error', (error) => end(() => reject(failureOf(error))))
    stream.on('end', () =>
      end(() => {
        const json = parsed(Buffer.concat(chunks).toString())
        if (status >= 200 && status < 300) resolve(json)
        else reject(new RequestFailed('api', { status, json }))
      }),
    )
  })
}

/** The library's errors have the request with its headers; only what happened is taken of them. */
function failureOf(error: unknown): RequestFailed {
  if (error instanceof RequestFailed) return error
  const { response } = error as { readonly response?: { readonly statusCode?: number; readonly body?: unknown } }
  if (response?.statusCode === undefined) return new RequestFailed('api', null, reasonOf(error))
  return new RequestFailed('api', { status: response.statusCode, json: parsed(response.body) })
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

/** Those who want it meanwhile wait for the same. */
function oneAtATime<T>(fetch: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | null = null
  return () => {
    running ??= fetch().finally(() => {
      running = null
    })
    return running
  }
}
