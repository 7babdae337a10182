import { isRecord } from '@svc/schema'
import { type HttpHeader, notForwarded } from '../../http-client/index.ts'
import type { AuthenticationRequest } from '../authentication.ts'
import { configuredHeader, decodeHeader, type Headers } from '../session-variables.ts'

export interface HookSettings {
  readonly url: string
  readonly method: 'GET' | 'POST'
  /** Of the method POST. */
  readonly sendRequestBody: boolean
}

/** Headers and body of the call of a hook. */
export async function hookRequest(
  { method, sendRequestBody }: HookSettings,
  request: AuthenticationRequest,
  prefix?: string,
): Promise<{ readonly headers: readonly HttpHeader[]; readonly body: string | null }> {
  const own: readonly HttpHeader[] = [
    ['Content-Type', 'application/json'],
    ['x-request-id', request.requestId],
  ]
  const given = pairsOf(request.headers, prefix).filter(([name]) => name !== 'x-request-id')
  if (method === 'GET') return { headers: [...given.filter(([name]) => !notForwarded.has(name)), ...own], body: null }
  const decoded = given.map(([name, value]) => [name, decodeHeader(value)] as const)
  const headers = Object.fromEntries([...decoded, ['x-request-id', request.requestId] as const])
  const body = sendRequestBody ? { headers, request: shownRequest(await request.graphqlRequest()) } : { headers }
  return { headers: own, body: JSON.stringify(body) }
}

function pairsOf(headers: Headers, prefix?: string): readonly HttpHeader[] {
  return Object.entries(headers).flatMap(([name, value]) =>
    value === undefined
      ? []
      : [[configuredHeader(name, prefix), typeof value === 'string' ? value : value.join(', ')] as const],
  )
}

/** One operation or a batch of them; null for what is no GraphQL request. */
function shownRequest(body: unknown): unknown {
  if (!Array.isArray(body)) return shownOperation(body)
  const operations = body.map(shownOperation)
  return operations.includes(null) ? null : operations
}

function shownOperation(operation: unknown): unknown {
  if (!isRecord(operation) || typeof operation.query !== 'string') return null
  const { query, variables = null, operationName = null } = operation
  return { query, ...(variables !== null && { variables }), ...(operationName !== null && { operationName }) }
}
