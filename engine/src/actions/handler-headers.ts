import { builtInHeaders, clientFacts, type HttpHeader } from '../http-client/index.ts'

export interface HeaderSources {
  /** Of the client's request, where they are forwarded. */
  readonly client: readonly HttpHeader[]
  /** Lower case; never forwarded. */
  readonly ignored: ReadonlySet<string>
  /** Of the action, references to variables resolved. */
  readonly configured: readonly HttpHeader[]
  /** Whether the configured ones win. */
  readonly configuredFirst: boolean
}

/** Returns the headers of a call: of several of a name the first (reference/actions#the-request-to-a-handler). */
export function handlerHeaders({ client, ignored, configured, configuredFirst }: HeaderSources): readonly HttpHeader[] {
  const forwarded = [...client.filter(([name]) => isForwarded(name.toLowerCase(), ignored)), ...forwardedFacts(client)]
  const order = configuredFirst ? [configured, builtInHeaders, forwarded] : [forwarded, builtInHeaders, configured]
  const seen = new Set<string>()
  return order.flat().filter(([name]) => {
    const key = name.toLowerCase()
    return seen.size < seen.add(key).size
  })
}

/** Session variables are sent in the body, and what guards the engine is not sent. */
const isForwarded = (name: string, ignored: ReadonlySet<string>) => !ignored.has(name) && !name.startsWith('x-svc-')

const forwardedFacts = (client: readonly HttpHeader[]): readonly HttpHeader[] =>
  client.flatMap(([name, value]): readonly HttpHeader[] => {
    const as = clientFacts.get(name.toLowerCase())
    return as ? [[as, value]] : []
  })
