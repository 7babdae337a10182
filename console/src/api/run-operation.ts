import { type OperationDefinitionNode, parse } from 'graphql'
import { type Caller, type Client, isObject, type Json, type JsonObject, type Operation } from '../engine/client.ts'

export interface Draft {
  readonly query: string
  readonly variables: string
  /** JSON of more headers. */
  readonly headers: string
}

/** What is to be sent of a text with several operations: that at the cursor, or the first. Throws Error in words. */
export function operationAt({ query, variables }: Draft, cursor: number): Operation & { readonly kind: string } {
  const operations = parse(query).definitions.filter(
    (one): one is OperationDefinitionNode => one.kind === 'OperationDefinition',
  )
  const chosen = operations.find(({ loc }) => loc && cursor >= loc.start && cursor <= loc.end) ?? operations[0]
  if (!chosen) throw new Error('There is no operation to run.')
  return {
    query,
    variables: declaredOf(chosen, objectOf(variables, 'variables')),
    operationName: chosen.name?.value ?? null,
    kind: chosen.operation,
  }
}

/** Those that other operations of the text declare are left out: the engine refuses what an operation does not know. */
function declaredOf({ variableDefinitions = [] }: OperationDefinitionNode, variables: JsonObject): JsonObject {
  const names = new Set(variableDefinitions.map(({ variable }) => variable.name.value))
  return Object.fromEntries(Object.entries(variables).filter(([name]) => names.has(name)))
}

function headersOf({ headers }: Draft): Readonly<Record<string, string>> {
  const entries = Object.entries(objectOf(headers, 'headers'))
  return Object.fromEntries(entries.map(([name, value]) => [name, String(value)]))
}

function objectOf(text: string, what: string): JsonObject {
  if (text.trim() === '') return {}
  try {
    const value: Json = JSON.parse(text)
    if (isObject(value)) return value
  } catch {
    // said below
  }
  throw new Error(`The ${what} are not a JSON object.`)
}

export interface Running {
  stop(): void
}

/** Sends an operation; a subscription's answers come one after another, until it is stopped. */
export function runOperation(
  client: Client,
  caller: Caller | null,
  draft: Draft,
  { kind, ...operation }: ReturnType<typeof operationAt>,
  seen: { answer(value: unknown): void; failed(error: Error): void; ended(): void },
): Running {
  const headers = headersOf(draft)
  if (kind !== 'subscription') {
    client.graphql(operation, caller, headers).then(seen.answer, seen.failed).finally(seen.ended)
    return { stop: () => {} }
  }
  return subscribe(
    `${client.base.replace(/^http/, 'ws')}/v1/graphql`,
    { ...headers, ...client.headers(caller) },
    operation,
    seen,
  )
}

/** A subscription by graphql-transport-ws on a socket of its own. */
function subscribe(
  url: string,
  headers: Readonly<Record<string, string>>,
  operation: Operation,
  seen: Parameters<typeof runOperation>[4],
): Running {
  const socket = new WebSocket(url, 'graphql-transport-ws')
  const send = (type: string, more: object) => socket.send(JSON.stringify({ type, ...more }))
  let isOver = false
  const end = (error: Error | null) => {
    if (isOver) return
    isOver = true
    if (error) seen.failed(error)
    seen.ended()
    socket.close(1000)
  }
  socket.onopen = () => send('connection_init', { payload: { headers } })
  socket.onclose = ({ reason, code }) => end(new Error(`The socket was closed: ${reason || code}`))
  socket.onmessage = ({ data }) => {
    const { type, payload } = JSON.parse(String(data)) as { readonly type: string; readonly payload?: Json }
    switch (type) {
      case 'connection_ack':
        return send('subscribe', { id: '1', payload: operation })
      case 'ping':
        return send('pong', {})
      case 'next':
        return isOver || seen.answer(payload)
      case 'error':
        return end(new Error((payload as unknown as readonly Error[]).map(({ message }) => message).join('\n')))
      case 'complete':
        return end(null)
    }
  }
  return { stop: () => end(null) }
}
