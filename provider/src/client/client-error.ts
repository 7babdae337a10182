/** What a request to an engine can end with. The message is one line for people: what is wrong and what to do. */
export type ClientProblem =
  | 'unreachable'
  | 'untrusted'
  | 'unauthorised'
  | 'not-an-engine'
  | 'older-engine'
  | 'conflict'
  | 'refused'
  | 'interrupted'

export class ClientError extends Error {
  readonly problem: ClientProblem
  /** The body of an engine's refusal (spec 01 §1.4). */
  readonly body: EngineErrorBody | null

  constructor(problem: ClientProblem, message: string, body: EngineErrorBody | null = null) {
    super(message)
    this.name = 'ClientError'
    this.problem = problem
    this.body = body
  }
}

export interface EngineErrorBody {
  readonly error: string
  readonly path: string
  readonly code: string
  readonly internal?: unknown
}

export function isEngineErrorBody(json: unknown): json is EngineErrorBody {
  if (typeof json !== 'object' || json === null) return false
  const body = json as Record<string, unknown>
  return typeof body.error === 'string' && typeof body.code === 'string' && typeof body.path === 'string'
}
