import { setTimeout } from 'node:timers/promises'
import { isRecord, type Json, type JsonObject, parseExactly } from '@svc/schema'
import type { Got, Response } from 'got'
import { lazily } from '../lazily.ts'
import { trustedCertificates } from './certificates.ts'
import { ClientError, conflictOf, isEngineErrorBody } from './client-error.ts'
import { type Credentials, credentialOf } from './credential.ts'
import { explainFailure } from './explain-failure.ts'
import { longestTimer } from './longest-timer.ts'

export interface Connection extends Credentials {
  /** Base address, with or without a slash at its end. */
  readonly endpoint: string
  /** The prefix of session variables, lower case: x-svc- unless it is another engine. */
  readonly headerPrefix?: string
  readonly actor: string
  /** The stack or directory whose declarations it writes (docs/ownership.md). */
  readonly owner?: string | undefined
  /** Why it changes what other clients own. */
  readonly breakGlass?: string | undefined
  readonly userAgent: string
  readonly insecure?: boolean
  /** A file with certificates to trust in addition those of Node. */
  readonly certificateAuthority?: string | undefined
  readonly signal?: AbortSignal
  /** For one request, from sending to the end of the answer; without it, as long as it takes. */
  readonly timeoutMilliseconds?: number | undefined
  /** Called after each request for metadata. */
  readonly observe?: ((request: ObservedRequest) => void) | undefined
}

/** What a log may say of a request: no arguments and no answer, since either may hold secrets. */
export interface ObservedRequest {
  readonly operation: string
  /** Of a bulk: how many of each type. */
  readonly members?: Readonly<Record<string, number>>
  readonly dryRun: boolean
  /** Null: no answer came. */
  readonly status: number | null
  /** Of a refusal. */
  readonly code?: string
  readonly milliseconds: number
}

export interface Answer {
  readonly body: Json
  /** Of answers by this engine (docs/metadata-api.md#versions); null from an older one. */
  readonly catalogId: string | null
  readonly resourceVersion: number | null
  /** Of the access token that it was sent with; absent where that does not expire. */
  readonly tokenExpiresAt?: string
}

export interface Envelope {
  readonly type: string
  readonly args: Json
  readonly version?: 1 | 2
  readonly resource_version?: number
  readonly dry_run?: true | { readonly plan?: string; readonly preview?: boolean | 'step'; readonly draft?: boolean }
}

interface DumpRequest {
  readonly source: string
  readonly opts: readonly string[]
  readonly clean_output: boolean
}

export interface MetadataClient {
  readonly endpoint: string
  /** Sends one operation to /v1/metadata. Throws ClientError. */
  send(envelope: Envelope): Promise<Answer>
  /** Sends one operation on a database to /v2/query. Throws ClientError. */
  query(envelope: Envelope): Promise<Answer>
  /** The answer to a GraphQL request, sent with more headers: those of another role, say. Throws ClientError. */
  graphql(request: object, headers: Readonly<Record<string, string>>): Promise<Json>
  /** What PostgreSQL's pg_dump writes of a source's database with these options. Throws ClientError. */
  dump(source: string, options: readonly string[]): Promise<string>
  /** The engine's version, from /v1/version. Throws ClientError. */
  engineVersion(): Promise<string>
  /**
   * How session variables begin in addition to `X-Svc-`, in lower case: from /v1alpha1/config, x-svc- where it says nothing. Throws
   * ClientError.
   */
  headerPrefix(): Promise<string>
}

const ownPrefix = 'x-svc-'

const retryPauses = [200, 1000]
/** Failures that may be gone a moment later; a refused connection is reported at once. */
const passing = new Set(['ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EAI_AGAIN'])

/** What may be sent again after a broken connection: it changes nothing. */
const readOnly = new Set(['export_metadata', 'get_cron_triggers', 'get_inconsistent_metadata', 'get_metadata_changes'])

/** A client of one engine's metadata API. It sends nothing by itself. Throws ClientError on a wrong endpoint. */
export function createMetadataClient(connection: Connection): MetadataClient {
  const endpoint = connection.endpoint.replace(/\/+$/, '')
  if (!/^https?:\/\/[^/]/.test(endpoint))
    throw new ClientError(
      'unreachable',
      `the endpoint "${connection.endpoint}" is not an address like http://localhost:8080`,
    )
  const certificateAuthority =
    connection.certificateAuthority === undefined
      ? {}
      : { certificateAuthority: trustedCertificates(connection.certificateAuthority) }
  const prefix = connection.headerPrefix ?? ownPrefix
  // loaded when first used: half of what a provider loads before it can send its schema
  const library = lazily(() => import('got'))
  const http = lazily(async (): Promise<Got> => {
    const { got } = await library()
    return got.extend({
      throwHttpErrors: false,
      retry: { limit: 0 }, // of its own: got's ends a second attempt of a POST with an error of the socket's
      followRedirect: false,
      timeout: {
        connect: 10_000,
        ...(connection.timeoutMilliseconds !== undefined && {
          request: Math.min(connection.timeoutMilliseconds, longestTimer),
        }),
      },
      headers: {
        'user-agent': connection.userAgent,
        'x-svc-actor': connection.actor,
        ...(connection.owner !== undefined && { 'x-svc-owner': connection.owner }),
        ...(connection.breakGlass !== undefined && { 'x-svc-break-glass': connection.breakGlass }),
        [`${prefix}role`]: 'admin',
        'x-svc-error-details': 'at, needs, summary',
      },
      https: {
        rejectUnauthorized: !connection.insecure,
        ...certificateAuthority,
      },
      ...(connection.signal && { signal: connection.signal }),
    })
  })

  const credential = credentialOf(connection, prefix)
  const once = async (path: string, body?: object): Promise<Response<string>> => {
    const [send, headers] = await Promise.all([http(), credential()])
    const url = `${endpoint}${path}`
    return body ? send.post(url, { json: body, headers }) : send.get(url, { headers })
  }

  const request = async (path: string, body?: Envelope | DumpRequest): Promise<Response<string>> => {
    const changes = body !== undefined && 'type' in body && !readOnly.has(body.type)
    const pauses = changes ? [] : retryPauses
    for (let attempt = 0; ; attempt++) {
      try {
        return await once(path, body)
      } catch (error) {
        const pause = pauses[attempt]
        if (!(error instanceof (await library()).RequestError)) throw error
        if (pause === undefined || !passing.has(error.code)) throw explainFailure(error, endpoint, changes)
        await setTimeout(pause, undefined, connection.signal && { signal: connection.signal })
      }
    }
  }

  const operation = async (path: string, envelope: Envelope): Promise<Answer> => {
    const begin = performance.now()
    const report = (status: number | null, code?: unknown) =>
      connection.observe?.(observed(envelope, status, code, performance.now() - begin))
    const response = await request(path, envelope).catch((error) => {
      report(null)
      throw error
    })
    const body = parse(response, endpoint)
    report(response.statusCode, isEngineErrorBody(body) ? body.code : undefined)
    if (response.statusCode !== 200) throw refusal(response, body, endpoint, envelope, connection)
    return { body, ...versionOf(response) }
  }

  return {
    endpoint,
    send: (envelope) => operation('/v1/metadata', envelope),
    query: (envelope) => operation('/v2/query', envelope),
    async graphql(request, headers) {
      const send = await http()
      const response = await send.post(`${endpoint}/v1/graphql`, { json: request, headers }).catch((error) => {
        throw explainFailure(error, endpoint, false)
      })
      return parse(response, endpoint)
    },
    async dump(source, options) {
      const response = await request('/v1alpha1/pg_dump', { source, opts: options, clean_output: true })
      if (response.statusCode === 200) return response.body
      if (response.statusCode === 404)
        throw new ClientError('not-an-engine', `${endpoint} has no pg_dump API: is "pgdump" among its enabled APIs?`)
      const body = parse(response, endpoint)
      const said = isEngineErrorBody(body) && typeof body.internal === 'string' ? body.internal : ''
      const refused = refusal(response, body, endpoint, { type: 'pg_dump', args: { source } }, connection)
      throw said === '' ? refused : new ClientError(refused.problem, `${refused.message}: ${said}`, refused.body)
    },
    async engineVersion() {
      const response = await request('/v1/version')
      const body = parse(response, endpoint) as JsonObject
      return response.statusCode === 200 && typeof body?.version === 'string' ? body.version : 'unknown'
    },
    async headerPrefix() {
      const response = await request('/v1alpha1/config')
      if (response.statusCode !== 200) return ownPrefix
      const { header_prefix: prefix } = parse(response, endpoint) as JsonObject
      return typeof prefix === 'string' ? prefix.toLowerCase() : ownPrefix
    },
  }
}

function observed(
  { type, args, dry_run }: Envelope,
  status: number | null,
  code: unknown,
  milliseconds: number,
): ObservedRequest {
  const members = type.startsWith('bulk') && Array.isArray(args) ? countTypes(args) : undefined
  return {
    operation: type,
    ...(members && { members }),
    dryRun: dry_run !== undefined,
    status,
    ...(typeof code === 'string' && { code }),
    milliseconds: Math.round(milliseconds),
  }
}

function countTypes(members: readonly Json[]): Readonly<Record<string, number>> {
  const counts = new Map<string, number>()
  for (const member of members) {
    const type = isRecord(member) ? String(member.type) : '?'
    counts.set(type, (counts.get(type) ?? 0) + 1)
  }
  return Object.fromEntries(counts)
}

function versionOf({ headers }: Response<string>): Omit<Answer, 'body'> {
  const expiresAt = headers['x-svc-token-expires-at']
  const catalogId = headers['x-svc-catalog-id']
  const version = Number(headers['x-svc-resource-version'] ?? Number.NaN)
  return {
    catalogId: typeof catalogId === 'string' ? catalogId : null,
    resourceVersion: Number.isInteger(version) ? version : null,
    ...(typeof expiresAt === 'string' && { tokenExpiresAt: expiresAt }),
  }
}

function parse(response: Response<string>, endpoint: string): Json {
  try {
    return parseExactly(response.body) as Json
  } catch {
    const type = response.headers['content-type'] ?? 'no content type'
    throw new ClientError(
      'not-an-engine',
      `${endpoint} does not answer like an engine (HTTP ${response.statusCode}, ${type}): is the endpoint right?`,
    )
  }
}

function refusal(
  response: Response<string>,
  body: Json,
  endpoint: string,
  envelope: Envelope,
  connection: Connection,
): ClientError {
  const { statusCode } = response
  if (!isEngineErrorBody(body))
    return new ClientError(
      'not-an-engine',
      `${endpoint} does not answer like an engine (HTTP ${statusCode}): is the endpoint right?`,
    )
  if (statusCode === 401 && connection.token !== undefined)
    return new ClientError('token', `the engine at ${endpoint} does not accept the access token`, body)
  if (statusCode === 401)
    return new ClientError(
      'unauthorised',
      connection.adminSecret === undefined
        ? `the engine at ${endpoint} wants an admin secret: give --admin-secret, SVC_GRAPHQL_ADMIN_SECRET or admin_secret in config.yaml, or an access token`
        : `the engine at ${endpoint} does not accept the admin secret`,
      body,
    )
  if (statusCode === 404)
    return new ClientError(
      'not-an-engine',
      `${endpoint} has no metadata API: is the endpoint right, and is "metadata" among its enabled APIs?`,
      body,
    )
  if (statusCode === 409) return conflictOf(envelope.resource_version, body)
  const { resourceVersion } = versionOf(response)
  // an operation's own error comes before the comparison of versions, but is only its consequence
  if (
    envelope.resource_version !== undefined &&
    resourceVersion !== null &&
    resourceVersion !== envelope.resource_version
  )
    return conflictOf(envelope.resource_version, body)
  // what this client sends is well-formed: only its type can be unknown
  if (body.code === 'parse-failed' && body.path === '$')
    return new ClientError(
      'older-engine',
      `the engine at ${endpoint} does not know ${envelope.type}: it is older than this svc`,
      body,
    )
  return new ClientError('refused', `${body.error} (${body.code} at ${body.path})`, body)
}
