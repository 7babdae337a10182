import type { Headers } from '../auth/index.ts'
import { isLocalHost } from '../auth/index.ts'
import { isLocalOrigin, isOriginListed, type ServerConfig } from '../config/index.ts'
import { ApiError, Path } from '../errors.ts'

export interface OriginPolicy {
  /** Throws access-denied for a page that must not reach an engine that trusts everyone (architecture, decision 10). */
  check(headers: Headers): void
  /** Whether a browser's cookies count as credentials: a page of another site can have any request sent with them. */
  takesCookies(headers: Headers): boolean
  /** CORS headers of an answer (reference/http#cors). */
  headers(headers: Headers): Readonly<Record<string, string>>
  /** Those of the answer to OPTIONS; null when the origin is not allowed. */
  preflight(headers: Headers): Readonly<Record<string, string>> | null
}

type Settings = Pick<ServerConfig, 'localPagesOnly' | 'serverHost' | 'corsDomain' | 'disableCors' | 'secrets'>

const exposed = 'X-Svc-Query-Cache-Key,X-Svc-Query-Family-Cache-Key,Warning'

export function originPolicy(settings: Settings): OriginPolicy {
  const { localPagesOnly, serverHost, corsDomain, disableCors, secrets } = settings
  const loopbackOnly = secrets.length === 0 && serverHost === null
  const isAllowed = (origin: string) => (localPagesOnly ? isLocalOrigin(origin) : isOriginListed(corsDomain, origin))

  const check = (headers: Headers) => {
    const host = text(headers.host) ?? ''
    if (loopbackOnly && !isLocalHost(host)) throw refused(`Host: ${host}`)
    const origin = text(headers.origin)
    if (localPagesOnly && origin !== null && !isLocalOrigin(origin) && !isOwnPage(origin, host))
      throw refused(`Origin: ${origin}`)
  }

  const takesCookies = (headers: Headers) => {
    const origin = text(headers.origin)
    if (origin === null || isOwnPage(origin, text(headers.host) ?? '')) return true
    return !disableCors && isAllowed(origin)
  }

  const corsHeaders: OriginPolicy['headers'] = (headers) => {
    const origin = text(headers.origin)
    if (origin === null || disableCors) return {}
    if (!isAllowed(origin)) return { vary: 'Origin' }
    return {
      'access-control-allow-origin': origin,
      'access-control-allow-credentials': 'true',
      'access-control-allow-methods': 'GET,POST,PUT,PATCH,DELETE,OPTIONS',
      'access-control-expose-headers': exposed,
      vary: 'Origin',
    }
  }

  const preflight: OriginPolicy['preflight'] = (headers) => {
    const allowed = corsHeaders(headers)
    if (!allowed['access-control-allow-origin']) return null
    const asked = text(headers['access-control-request-headers'])
    return {
      ...allowed,
      'access-control-max-age': '1728000',
      ...(asked !== null && { 'access-control-allow-headers': asked }),
      'content-length': '0',
      'content-type': 'text/plain charset=UTF-8',
    }
  }

  return { check, takesCookies, headers: corsHeaders, preflight }
}

const text = (value: string | readonly string[] | undefined) => (typeof value === 'string' ? value : null)

const isOwnPage = (origin: string, host: string) =>
  origin.replace(/^https?:\/\//i, '').toLowerCase() === host.toLowerCase()

const refused = (what: string) =>
  new ApiError(
    'access-denied',
    Path.root,
    `without an admin secret only this machine and its pages are answered, not ${what.slice(0, 200)}: ` +
      'set SVC_GRAPHQL_ADMIN_SECRET, or SVC_GRAPHQL_SERVER_HOST and SVC_GRAPHQL_CORS_DOMAIN for others to reach it',
  )
