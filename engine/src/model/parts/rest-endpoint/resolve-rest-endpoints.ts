import {
  address,
  addressText,
  childrenOf,
  findObject,
  type MetadataDocument,
  type ObjectAddress,
  objectValue,
  ownKey,
  type RestEndpoint,
} from '@svc/schema'
import { Kind, OperationTypeNode, parse } from 'graphql'
import type { PathSegment, ResolvedRestEndpoint } from './rest-endpoint.ts'

export interface RestEndpoints {
  readonly served: readonly ResolvedRestEndpoint[]
  /** By addressText: why an endpoint is not served. */
  readonly problems: ReadonlyMap<string, RestEndpointProblem>
}

export const noRestEndpoints: RestEndpoints = { served: [], problems: new Map() }

export interface RestEndpointProblem {
  readonly address: ObjectAddress
  readonly reason: string
  /** The collection that it lacks, or lacks the query of. */
  readonly needs: readonly ObjectAddress[]
}

/**
 * Resolves endpoints by what the document says of them (reference/stored-queries#rest-endpoints): paths, stored
 * queries, paths that clash.
 */
export function resolveRestEndpoints(document: MetadataDocument): RestEndpoints {
  const problems = new Map<string, RestEndpointProblem>()
  const sound: { readonly address: ObjectAddress; readonly endpoint: ResolvedRestEndpoint }[] = []
  for (const [own, object] of childrenOf(document, 'rest_endpoint')) {
    const at = address('rest_endpoint', own)
    const endpoint = objectValue(object, 'rest_endpoint')
    const segments = readPath(endpoint.url)
    const found = typeof segments === 'string' ? problem(segments) : storedQuery(document, endpoint)
    if (typeof segments === 'string' || 'reason' in found)
      problems.set(addressText(at), { address: at, ...(found as Problem) })
    else {
      const { name, url, methods, comment = null } = endpoint
      sound.push({ address: at, endpoint: { name, url, segments, methods, comment, query: found.query } })
    }
  }
  const groups = ambiguousGroups(sound.map(({ endpoint }) => endpoint))
  const served = sound.filter(({ address: at, endpoint }) => {
    const group = groups.get(endpoint)
    if (group) problems.set(addressText(at), { address: at, ...problem(ambiguity(group)) })
    return !group
  })
  return { served: served.map(({ endpoint }) => endpoint), problems }
}

const ambiguity = (group: readonly ResolvedRestEndpoint[]): string =>
  `Ambiguous URL paths: ${[...new Set(group.map(({ url }) => url))].sort().join(', ')}`

/** The segments of a path, or what is wrong with it. */
function readPath(url: string): readonly PathSegment[] | string {
  const segments = url
    .split('/')
    .map(
      (text): PathSegment =>
        text.startsWith(':') ? { kind: 'variable', name: text.slice(1) } : { kind: 'literal', text },
    )
  if (segments.some((segment) => (segment.kind === 'variable' ? segment.name : segment.text) === ''))
    return `Empty segments or unnamed variables are not allowed: ${url}`
  const names = segments.flatMap((segment) => (segment.kind === 'variable' ? [segment.name] : []))
  return new Set(names).size < names.length ? `Duplicate variables found in endpoint path: ${url}` : segments
}

type Problem = Omit<RestEndpointProblem, 'address'>

const problem = (reason: string, needs: readonly ObjectAddress[] = []): Problem => ({ reason, needs })

function storedQuery(
  document: MetadataDocument,
  { name, definition }: RestEndpoint,
): Problem | { readonly query: string } {
  const { collection_name, query_name } = definition.query
  const at = address('query_collection', ownKey('query_collection', { name: collection_name }))
  const wrong = (text: string, needs?: readonly ObjectAddress[]) =>
    problem(`Inconsistent object: in endpoint ${name}: ${text}`, needs)
  const declared = findObject(document, at)
  const collection = declared && objectValue(declared, 'query_collection')
  if (!collection) return wrong(`collection with name ${collection_name} does not exist`, [at])
  const stored = collection.definition.queries.find((query) => query.name === query_name)
  if (!stored) return wrong(`query with name ${query_name} does not exist in collection ${collection_name}`, [at])
  const { definitions } = parse(stored.query, { noLocation: true })
  const [first] = definitions
  if (!first) return wrong(`query with name ${query_name} has no definitions.`)
  if (definitions.length > 1 || first.kind !== Kind.OPERATION_DEFINITION)
    return wrong(`query with name ${query_name} has multiple definitions.`)
  if (first.operation === OperationTypeNode.SUBSCRIPTION)
    return wrong(`query with name ${query_name} is a subscription`)
  return { query: stored.query }
}

/** Endpoints that a request could not choose between, each with all that it clashes with, directly or over others. */
function ambiguousGroups(
  endpoints: readonly ResolvedRestEndpoint[],
): ReadonlyMap<ResolvedRestEndpoint, readonly ResolvedRestEndpoint[]> {
  const groups = new Map<ResolvedRestEndpoint, ResolvedRestEndpoint[]>()
  for (const sameLength of Map.groupBy(endpoints, ({ segments }) => segments.length).values())
    for (const [i, one] of sameLength.entries())
      for (const other of sameLength.slice(i + 1)) {
        if (!isAmbiguous(one, other)) continue
        const [mine, others] = [groups.get(one) ?? [one], groups.get(other) ?? [other]]
        const both = mine === others ? mine : [...mine, ...others]
        for (const member of both) groups.set(member, both)
      }
  return groups
}

function isAmbiguous(a: ResolvedRestEndpoint, b: ResolvedRestEndpoint): boolean {
  return (
    a.methods.some((method) => b.methods.includes(method)) &&
    a.segments.every((segment, i) => {
      const other = b.segments[i]
      return segment.kind === 'variable' || other?.kind === 'variable' || other?.text === segment.text
    })
  )
}
