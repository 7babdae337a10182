/** What the engine refused, or why it did not answer, in words for people. */
export class EngineError extends Error {
  readonly code: string
  readonly remedy: string

  constructor(message: string, code: string, remedy: string) {
    super(message)
    this.code = code
    this.remedy = remedy
  }
}

export type Json = null | boolean | number | string | readonly Json[] | JsonObject
export interface JsonObject {
  readonly [key: string]: Json
}

export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The role and session variables of a request; null: the admin. */
export interface Caller {
  readonly role: string
  readonly variables: Readonly<Record<string, string>>
}

export interface Operation {
  readonly query: string
  readonly variables: Json
  readonly operationName: string | null
}

export interface Client {
  /** The page's address of the engine, without a slash at the end. */
  readonly base: string
  /** `X-Svc-`, or what the engine was started with. */
  readonly headerPrefix: string
  /** Of a request as that caller, the admin's secret included. */
  headers(caller: Caller | null): Readonly<Record<string, string>>
  /** Sends one metadata operation that only reads. Throws EngineError. */
  read<T>(type: string, args: Json, version?: number): Promise<T>
  /** What a metadata request would do, and what that means for roles. It changes nothing. Throws EngineError. */
  dryRun<T>(request: Readonly<Record<string, Json>>): Promise<T>
  /** Sends a metadata request that changes something, unless the metadata is of another version by now. Throws EngineError. */
  apply(request: Readonly<Record<string, Json>>, version: number | null): Promise<Json>
  /** Settings that the engine says (/v1alpha1/config); null where it does not. */
  config(): Promise<Readonly<Record<string, Json>> | null>
  /** The answer to a GraphQL request, with its errors in it. Throws EngineError where there is none. */
  graphql(operation: Operation, caller: Caller | null, headers?: Readonly<Record<string, string>>): Promise<Json>
  /** SQL and plan of each root field. Throws EngineError. */
  explain(operation: Operation, caller: Caller | null): Promise<readonly Explained[]>
}

export interface Explained {
  readonly field: string
  readonly sql: string | null
  readonly plan: readonly string[] | null
}

export function createClient(base: string, headerPrefix: string, secret: string | null): Client {
  const headers = (caller: Caller | null) => ({
    ...(secret !== null && { [`${headerPrefix}Admin-Secret`]: secret }),
    ...(caller && { ...caller.variables, [`${headerPrefix}Role`]: caller.role }),
  })
  const post = async (path: string, body: unknown, more: Readonly<Record<string, string>>): Promise<Json> => {
    const response = await fetch(base + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...more },
      body: JSON.stringify(body),
    }).catch(() => {
      throw new EngineError(
        'The engine does not answer.',
        'away',
        'Is it running? The page tries again when you reload.',
      )
    })
    const json = (await response.json().catch(() => null)) as Json
    if (response.status < 400) return json
    throw refusal(response.status, json)
  }
  return {
    base,
    headerPrefix,
    headers,
    read: async <T>(type: string, args: Json, version?: number) =>
      (await post('/v1/metadata', { type, args, ...(version !== undefined && { version }) }, headers(null))) as T,
    dryRun: async <T>(request: Readonly<Record<string, Json>>) =>
      (await post('/v1/metadata', { ...request, dry_run: { preview: true } }, headers(null))) as T,
    apply: (request, version) =>
      post(
        '/v1/metadata',
        { ...request, ...(version !== null && { resource_version: version }) },
        { ...headers(null), [`${headerPrefix}Actor`]: 'console' },
      ),
    config: async () => {
      const response = await fetch(`${base}/v1alpha1/config`, { headers: headers(null) }).catch(() => null)
      return response?.ok ? await response.json().catch(() => null) : null
    },
    graphql: (operation, caller, more = {}) => post('/v1/graphql', operation, { ...more, ...headers(caller) }),
    explain: async (operation, caller) => {
      const user = { ...caller?.variables, [`${headerPrefix}Role`]: caller?.role ?? 'admin' }
      const found = (await post('/v1/graphql/explain', { query: operation, user }, headers(null))) as unknown
      return (Array.isArray(found) ? found : [found]) as readonly Explained[]
    },
  }
}

function refusal(status: number, json: Json): EngineError {
  const { error, code } = (json ?? {}) as { error?: unknown; code?: unknown }
  const message = typeof error === 'string' ? error : `The engine answered with status ${status}.`
  if (status === 401) return new EngineError(message, 'access-denied', 'Sign in again with the admin secret.')
  if (status === 404)
    return new EngineError(
      message,
      'not-found',
      'The engine does not serve this API: --enabled-apis names what it serves.',
    )
  return new EngineError(message, typeof code === 'string' ? code : String(status), '')
}
