import { type OperationDefinitionNode, parse } from 'graphql'
import { createClient as createSocket } from 'graphql-ws'
import type { Caller, Client, Json, Operation } from '../engine/client.ts'

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

type JsonObject = Readonly<Record<string, Json>>

function objectOf(text: string, what: string): JsonObject {
  if (text.trim() === '') return {}
  try {
    const value: Json = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as JsonObject
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
  const socket = createSocket({
    url: `${client.base.replace(/^http/, 'ws')}/v1/graphql`,
    connectionParams: { headers: { ...headers, ...client.headers(caller) } },
    retryAttempts: 0,
  })
  const { query, variables, operationName } = operation
  const asked = { query, variables: variables as Record<string, unknown>, operationName }
  const stop = socket.subscribe(asked, {
    next: seen.answer,
    error: (error) => {
      seen.failed(error instanceof Error ? error : new Error(reasonOf(error)))
      seen.ended()
    },
    complete: seen.ended,
  })
  return {
    stop: () => {
      stop()
      socket.dispose()
    },
  }
}

const reasonOf = (error: unknown) =>
  error instanceof CloseEvent
    ? `The socket was closed: ${error.reason || error.code}`
    : Array.isArray(error)
      ? error.map(({ message }: { message: string }) => message).join('\n')
      : 'The subscription failed.'
