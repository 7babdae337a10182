import { ApiError, Path } from '../errors.ts'
import type { ResolvedRestEndpoint, RestMethod } from '../model/index.ts'

export interface MatchedEndpoint {
  readonly endpoint: ResolvedRestEndpoint
  /** What the path binds, decoded. */
  readonly variables: ReadonlyMap<string, string>
}

const methods: readonly string[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] satisfies readonly RestMethod[]

/**
 * The endpoint of a request (reference/stored-queries#matching-of-paths); `path` is what follows /api/rest/. Throws
 * bad-request for other methods, not-found (404), method-not-allowed (405).
 */
export function matchEndpoint(
  endpoints: readonly ResolvedRestEndpoint[],
  method: string,
  path: string,
): MatchedEndpoint {
  if (!methods.includes(method)) throw new ApiError('bad-request', Path.root, `Method ${method} not supported.`)
  const segments = path.split('/').map(decoded)
  const fitting = endpoints.flatMap((endpoint) => {
    const variables = bind(endpoint, segments)
    return variables ? [{ endpoint, variables }] : []
  })
  const [matched, another] = fitting.filter(({ endpoint }) => endpoint.methods.some((one) => one === method))
  if (another) throw new ApiError('unexpected', Path.root, 'Multiple endpoints match request', { status: 500 })
  if (matched) return matched
  if (fitting.length === 0) throw new ApiError('not-found', Path.root, 'Endpoint not found', { status: 404 })
  const allowed = methods.filter((one) => fitting.some(({ endpoint }) => endpoint.methods.some((own) => own === one)))
  throw new ApiError('method-not-allowed', Path.root, `Allowed methods: ${allowed.join(', ')}`)
}

function bind({ segments }: ResolvedRestEndpoint, given: readonly string[]): ReadonlyMap<string, string> | null {
  if (segments.length !== given.length) return null
  const variables = new Map<string, string>()
  for (const [i, segment] of segments.entries()) {
    const text = given[i] ?? ''
    if (segment.kind === 'variable') variables.set(segment.name, text)
    else if (segment.text !== text) return null
  }
  return variables
}

/** Decodes once; what is no encoding is unchanged. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
