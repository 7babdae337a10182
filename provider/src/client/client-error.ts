/** What a request to an engine can end with. The message is one line for people: what is wrong and what to do. */
export type ClientProblem =
  | 'unreachable'
  | 'untrusted'
  /** The file of certificates to trust cannot be read: nothing was sent. */
  | 'certificate-authority'
  | 'unauthorised'
  /** There is no access token, or the engine does not accept it. */
  | 'token'
  /** Another catalogue than the one that is wanted: nothing was read or written. */
  | 'other-catalog'
  /** The draft that an apply must match is unknown: nothing was written. */
  | 'no-draft'
  | 'not-an-engine'
  | 'older-engine'
  | 'conflict'
  | 'refused'
  | 'interrupted'

export class ClientError extends Error {
  readonly problem: ClientProblem
  /** The body of an engine's refusal (reference/metadata-requests#errors). */
  readonly body: EngineErrorBody | null

  constructor(problem: ClientProblem, message: string, body: EngineErrorBody | null = null) {
    super(message)
    this.name = 'ClientError'
    this.problem = problem
    this.body = body
  }
}

/** Another client changed the metadata after `version` was read. */
export const conflictOf = (version: number | undefined, body: EngineErrorBody | null) =>
  new ClientError(
    'conflict',
    `another client changed the metadata meanwhile (version ${version ?? '?'} is no longer the current one): nothing was stored, run it again`,
    body,
  )

export interface EngineErrorBody {
  readonly error: string
  readonly path: string
  readonly code: string
  readonly internal?: unknown
  /** The value at fault, deeper than `path`. This and what follows comes from engines that know the header of details. */
  readonly at?: unknown
  readonly needs?: unknown
  /** The error for people: the reasons of what would be inconsistent, what a database said. */
  readonly summary?: unknown
}

/** What a refusal says to people. */
export const summaryOf = ({ summary, error }: EngineErrorBody): string =>
  typeof summary === 'string' ? summary : error

/** Where the value at fault stands in the request. */
export const placeOfFault = ({ at, path }: EngineErrorBody): string => (typeof at === 'string' ? at : path)

export function isEngineErrorBody(json: unknown): json is EngineErrorBody {
  if (typeof json !== 'object' || json === null) return false
  const body = json as Record<string, unknown>
  return typeof body.error === 'string' && typeof body.code === 'string' && typeof body.path === 'string'
}
