/**
 * ApiError: the only error that reaches a client. Code, HTTP status and path (reference/metadata-requests#errors).
 * This file is the one place that knows the table of codes.
 */

/** Codes answered with a status other than 400. */
const statuses = {
  'access-denied': 400,
  'already-exists': 400,
  'already-tracked': 400,
  'already-untracked': 400,
  'bad-request': 400,
  'batch-limit-exceeded': 400,
  'bigquery-error': 400,
  busy: 400,
  'coercion-error': 400,
  'concurrent-update': 400,
  conflict: 409,
  'constraint-error': 400,
  'constraint-violation': 400,
  'cyclic-dependency': 400,
  'data-connector-error': 400,
  'data-exception': 400,
  'dependency-error': 400,
  'depth-limit-exceeded': 400,
  'invalid-configuration': 400,
  'invalid-headers': 400,
  'invalid-json': 400,
  'invalid-jwt': 400,
  'invalid-params': 400,
  'jwt-invalid-claims': 400,
  'jwt-missing-role-claims': 400,
  'metadata-warnings': 400,
  'method-not-allowed': 405,
  'node-limit-exceeded': 400,
  'not-exists': 400,
  'not-found': 400,
  'not-supported': 400,
  'parse-failed': 400,
  'permission-denied': 400,
  'permission-error': 400,
  'postgres-error': 400,
  'postgres-max-connections-error': 500,
  'rate-limit-exceeded': 429,
  'remote-schema-conflicts': 400,
  'remote-schema-error': 400,
  'start-failed': 400,
  'time-limit-exceeded': 400,
  timeout: 500,
  unexpected: 400,
  'unexpected-payload': 400,
  'validation-failed': 400,
} as const

export type ErrorCode = keyof typeof statuses

export type PathKey = string | number

/** Where in a request something is: `$.args[0].table`. Immutable; `at` goes one step down. */
const nowhere: readonly string[] = []

export class Path {
  readonly keys: readonly PathKey[]
  /** Of a place in a GraphQL document: where its values stand in the answer, lists left out. */
  readonly response: readonly string[]
  static readonly root = new Path([])

  constructor(keys: readonly PathKey[], response: readonly string[] = nowhere) {
    this.keys = keys
    this.response = response
  }

  at(...keys: readonly PathKey[]): Path {
    return new Path([...this.keys, ...keys], this.response)
  }

  /** A field of a selection set, which the answer has by its response key. */
  field(name: string, as: string): Path {
    return new Path([...this.keys, name], [...this.response, as])
  }

  /** An error that is answered with this path, where the value at fault is `keys` below it. */
  error(code: ErrorCode, message: string, ...keys: readonly PathKey[]): ApiError {
    return new ApiError(code, this, message, { at: this.at(...keys) })
  }

  /** Identifier keys as `.key`, indices as `[0]`, others as `["odd key"]` (reference/metadata-requests#paths). */
  toString(): string {
    return this.keys.reduce<string>((text, key) => text + renderKey(key), '$')
  }
}

function renderKey(key: PathKey): string {
  if (typeof key === 'number') return `[${key}]`
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`
}

export interface ApiErrorOptions {
  /** Only where the status is not the code's own: `unexpected` is 400 or 500, `not-found` 404 for URLs, `access-denied` 401 for credentials. */
  readonly status?: number
  /** Shown to the admin only. */
  readonly internal?: unknown
  /** For the log; never sent. */
  readonly cause?: unknown
  /** The message with what only the admin may see: `message` is for everyone. */
  readonly adminMessage?: string
  /** In GraphQL answers instead of path and code: what another server says. */
  readonly extensions?: unknown
  /** The whole list of errors of a GraphQL answer: what a remote schema says. */
  readonly graphqlErrors?: readonly unknown[]
  /** The wrong value's path where it is deeper than `path` (dry runs report it as `at`). */
  readonly at?: Path
  /** In GraphQL answers: where in the text of the query. */
  readonly locations?: readonly SourceLocation[]
  /** More keys of its body: those that the request wanted (docs/metadata-api.md, X-Svc-Error-Details), a handler's code. */
  readonly details?: Readonly<Record<string, unknown>>
}

/** Line and column of a GraphQL document, from 1. */
export interface SourceLocation {
  readonly line: number
  readonly column: number
}

export class ApiError extends Error {
  readonly code: ErrorCode
  readonly path: Path
  readonly status: number
  readonly internal: unknown
  readonly extensions: unknown
  readonly graphqlErrors: readonly unknown[] | undefined
  readonly at: Path | undefined
  readonly adminMessage: string | undefined
  readonly details: Readonly<Record<string, unknown>> | undefined
  readonly locations: readonly SourceLocation[] | undefined

  constructor(code: ErrorCode, path: Path, message: string, options: ApiErrorOptions = {}) {
    super(message, { cause: options.cause })
    this.name = 'ApiError'
    this.code = code
    this.path = path
    this.status = options.status ?? statuses[code]
    this.internal = options.internal
    this.extensions = options.extensions
    this.graphqlErrors = options.graphqlErrors
    this.at = options.at
    this.adminMessage = options.adminMessage
    this.details = options.details
    this.locations = options.locations
  }

  /** The same error seen from further up: a bulk member's `$.args` becomes `$.args[2].args`. */
  under(prefix: Path, strip = 0): ApiError {
    const moved = (path: Path) => prefix.at(...path.keys.slice(strip))
    return new ApiError(this.code, moved(this.path), this.message, {
      status: this.status,
      internal: this.internal,
      extensions: this.extensions,
      cause: this.cause,
      ...(this.at && { at: moved(this.at) }),
      ...(this.adminMessage !== undefined && { adminMessage: this.adminMessage }),
      ...(this.locations && { locations: this.locations }),
    })
  }
}

/** What is requested is not valid. */
export const invalid = (path: Path, message: string): ApiError => new ApiError('validation-failed', path, message)

/** The same error with more keys in its body. */
export function withDetails(error: ApiError, details: Readonly<Record<string, unknown>>): ApiError {
  const { code, path, message, status, internal, cause, extensions, graphqlErrors, at, adminMessage, locations } = error
  return new ApiError(code, path, message, {
    status,
    internal,
    cause,
    extensions,
    details,
    ...(graphqlErrors && { graphqlErrors }),
    ...(at && { at }),
    ...(adminMessage !== undefined && { adminMessage }),
    ...(locations && { locations }),
  })
}

/** An error as a role may see it; anything that is no ApiError is passed through. */
export function errorForRole(error: unknown, role: string): unknown {
  if (!(error instanceof ApiError) || error.adminMessage === undefined || role !== 'admin') return error
  const { code, path, adminMessage, status, internal, cause, at } = error
  return new ApiError(code, path, adminMessage, { status, internal, cause, ...(at && { at }) })
}

/** The API shape of an error, keys in the order of reference/metadata-requests#errors. */
export function errorBody(error: ApiError, showInternal: boolean): Record<string, unknown> {
  const body = { error: error.message, path: error.path.toString(), code: error.code, ...error.details }
  return showInternal && error.internal !== undefined ? { ...body, internal: error.internal } : body
}

/** An error of a GraphQL answer: what another server said of it stands for our own extensions. */
export function graphqlError(
  error: ApiError,
  showInternal: boolean,
): { readonly message: unknown; readonly locations?: readonly SourceLocation[]; readonly extensions: unknown } {
  const { error: message, ...own } = errorBody(error, showInternal)
  return { message, ...(error.locations && { locations: error.locations }), extensions: error.extensions ?? own }
}
