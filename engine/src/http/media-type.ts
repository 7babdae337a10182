/** Media types of GraphQL over HTTP: https://graphql.github.io/graphql-over-http/draft */
import { ApiError, Path } from '../errors.ts'

export const graphqlResponseType = 'application/graphql-response+json; charset=utf-8'

/**
 * Whether an Accept header prefers application/graphql-response+json, whose errors keep their status. Of equal weights the
 * first one counts; a caller that names none of both gets application/json.
 */
export function prefersGraphqlResponse(accept: string | undefined): boolean {
  if (accept === undefined || !accept.includes('graphql-response+json')) return false
  const ranges = weightsOf(accept)
  const weightOf = (type: string) => ranges.find(([own]) => own === type)?.[1] ?? 0
  const [ours, plain] = [weightOf('application/graphql-response+json'), weightOf('application/json')]
  if (ours !== plain) return ours > plain
  return (
    ours > 0 &&
    ranges.find(([type]) => /^application\/(graphql-response\+)?json$/.test(type))?.[0] !== 'application/json'
  )
}

/** Returns what a header lists, in lower case, and how much each is wanted: `gzip;q=0.5, *`. */
export const weightsOf = (header: string): readonly (readonly [name: string, weight: number])[] =>
  header.split(',').map((item) => {
    const [name = '', ...parameters] = item.split(';').map((part) => part.trim().toLowerCase())
    const q = parameters.find((parameter) => parameter.startsWith('q='))
    return [name, q === undefined ? 1 : Number(q.slice(2))]
  })

/**
 * A body must say what it is, and any type is taken for JSON, as the reference engine does: `fetch` says text/plain of a
 * text, curl a form. Throws bad-request 415.
 */
export function checkContentType(contentType: string | undefined): void {
  if (contentType) return
  throw new ApiError('bad-request', Path.root, 'the request needs a Content-Type: application/json', { status: 415 })
}

/** Nothing compressed is understood: a few bytes could become any number. Throws bad-request 415. */
export function checkContentEncoding(encoding: string | undefined): void {
  if (encoding === undefined || encoding === '' || encoding.toLowerCase() === 'identity') return
  throw new ApiError(
    'bad-request',
    Path.root,
    `Content-Encoding: ${encoding.slice(0, 100)} is not understood, send the body as it is`,
    { status: 415 },
  )
}
