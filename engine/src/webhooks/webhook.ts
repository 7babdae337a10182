import type { Environment } from '../config/index.ts'
import type { EnvironmentReference, HeaderEntry, HttpHeader } from '../http-client/index.ts'
import { expandEnvironment, readEnvironment, resolveHeaders } from '../http-client/index.ts'

export type { Environment }

/** Where to send something, with all references to the environment resolved. */
export interface Webhook {
  readonly url: string
  /** As configured: what logs show. */
  readonly shownUrl: string
  readonly headers: readonly HttpHeader[]
  /** As configured, for the log of invocations. */
  readonly shownHeaders: readonly HeaderEntry[]
}

export type ResolvedWebhook =
  | { readonly kind: 'webhook'; readonly webhook: Webhook }
  /** `message` is the text of the inconsistency (reference/actions#webhooks). */
  | { readonly kind: 'missing'; readonly message: string; readonly variables: readonly string[] }

/** Resolves a URL and its headers (reference/actions#webhooks). */
export function resolveWebhook(
  address: EnvironmentReference,
  headers: readonly HeaderEntry[],
  environment: Environment,
): ResolvedWebhook {
  const url = resolveAddress(address, environment)
  if (url.kind === 'missing')
    return {
      ...url,
      message:
        typeof address === 'string'
          ? `Value for environment variables not found: ${url.variables.join(', ')}`
          : `environment variable '${address.from_env}' not set`,
    }
  const resolved = resolveHeaders(headers, environment)
  if (resolved.kind === 'missing') return { ...resolved, variables: [] }
  const shownUrl = typeof address === 'string' ? address : `{{${address.from_env}}}`
  return {
    kind: 'webhook',
    webhook: { url: url.value, shownUrl, headers: resolved.headers, shownHeaders: headers },
  }
}

function resolveAddress(address: EnvironmentReference, environment: Environment) {
  if (typeof address === 'string') return expandEnvironment(address, environment)
  const value = readEnvironment(environment, address.from_env)
  if (value === undefined) return { kind: 'missing', variables: [address.from_env] } as const
  return { kind: 'value', value } as const
}
