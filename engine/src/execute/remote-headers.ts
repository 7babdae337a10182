import { type HttpHeader, notForwarded } from '../http-client/index.ts'
import type { VisibleRemote } from '../model/index.ts'
import type { RemoteEndpoint } from '../remote-schemas/index.ts'
import { ownPrefix } from '../session.ts'
import type { RemoteRequest } from './run-remote.ts'

/** Who the client is, in addition to headers that are the engine's own now. */
const facts: ReadonlyMap<string, string> = new Map([
  ['host', 'X-Forwarded-Host'],
  ['user-agent', 'X-Forwarded-User-Agent'],
  ['origin', 'X-Forwarded-Origin'],
])

const forwarded = (client: readonly HttpHeader[]): readonly HttpHeader[] =>
  client.flatMap(([name, value]): readonly HttpHeader[] => {
    const key = name.toLowerCase()
    const as = facts.get(key)
    if (as) return [[as, value]]
    return notForwarded.has(key) || key.startsWith('x-svc-') ? [] : [[name, value]]
  })

/** Of several headers of a name the first is sent. */
export function remoteHeaders(
  { remote }: VisibleRemote,
  endpoint: RemoteEndpoint,
  { session, clientHeaders }: RemoteRequest,
): readonly HttpHeader[] {
  const { forward_client_headers } = remote.definition
  const fixed: readonly HttpHeader[] = [['Content-Type', 'application/json']]
  const own: readonly HttpHeader[] = [...session.variables, [`${session.prefix ?? ownPrefix}role`, session.role]]
  const seen = new Set<string>()
  return [...fixed, ...endpoint.headers, ...own, ...(forward_client_headers ? forwarded(clientHeaders) : [])].filter(
    ([name]) => seen.size < seen.add(name.toLowerCase()).size,
  )
}
