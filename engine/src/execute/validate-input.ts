import { type HandlerServices, handlerHeaders } from '../actions/index.ts'
import { ApiError, invalid, Path } from '../errors.ts'
import { expandEnvironment, type HeaderEntry, type HttpHeader, resolveHeaders } from '../http-client/index.ts'
import type { Session } from '../session.ts'
import type { Validation } from './write-unit.ts'

export interface ValidationRequest {
  readonly session: Session
  readonly clientHeaders: readonly HttpHeader[]
  readonly requestId: string
  readonly signal: AbortSignal | undefined
  readonly services: HandlerServices
}

/**
 * Calls a webhook, which says whether this may be written (reference/mutations#validation-of-input). Throws
 * validation-failed with what it says, unexpected 500 for every other answer but success.
 */
export async function validateInput({ by, input }: Validation, asked: ValidationRequest): Promise<void> {
  const { session, clientHeaders, requestId, signal, services } = asked
  const url = expandEnvironment(by.url, services.environment)
  if (url.kind === 'missing')
    throw Path.root.error('unexpected', `Value for environment variables not found: ${url.variables.join(', ')}`)
  const configured = resolveHeaders(by.headers as unknown as readonly HeaderEntry[], services.environment)
  if (configured.kind === 'missing') throw new ApiError('not-found', Path.root, configured.message)
  const headers = handlerHeaders({
    client: by.forwardClientHeaders ? clientHeaders : [],
    ignored: new Set(),
    configured: configured.headers,
    configuredFirst: services.configuredHeadersFirst,
  })
  const body = JSON.stringify({
    version: 1,
    role: session.role,
    session_variables: Object.fromEntries(session.variables),
    data: { input },
  })
  const result = await services.http.send({
    method: 'POST',
    url: url.value,
    shownUrl: by.url,
    purpose: 'validate-input',
    requestId,
    headers,
    body,
    timeout: by.timeout * 1000,
    ...(signal && { signal }),
  })
  if (result.kind === 'failure') {
    signal?.throwIfAborted()
    throw new ApiError('unexpected', Path.root, 'http exception when validating input data', {
      status: 500,
      internal: { type: result.failure, message: result.message },
    })
  }
  if (result.status >= 200 && result.status < 300) return
  const message = result.status === 400 ? messageOf(result.body) : null
  if (message !== null) throw invalid(Path.root, message)
  throw new ApiError('unexpected', Path.root, 'internal error when validating input data', {
    status: 500,
    internal: { status: result.status, body: result.body.toString('utf8').slice(0, 10_000) },
  })
}

function messageOf(body: Buffer): string | null {
  try {
    const json: unknown = JSON.parse(body.toString('utf8'))
    const isObject = typeof json === 'object' && json !== null && 'message' in json
    return isObject && typeof json.message === 'string' ? json.message : null
  } catch {
    return null
  }
}
