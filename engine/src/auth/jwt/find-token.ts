import { ApiError, Path } from '../../errors.ts'
import { type Headers, headerText } from '../session-variables.ts'
import type { TokenPlace } from './jwt-secret.ts'

/**
 * The token that a request carries at a place, or null. Throws invalid-headers for an Authorization that is not
 * `Bearer <token>` (reference/authentication#jwt).
 */
export function tokenAt(place: TokenPlace, headers: Headers): string | null {
  switch (place.kind) {
    case 'authorization': {
      const text = headerText(headers, 'authorization')
      if (text === null) return null
      const [scheme = '', token, ...more] = text.split(/ +/).filter((word) => word !== '')
      if (scheme.toLowerCase() !== 'bearer' || token === undefined || more.length > 0)
        throw new ApiError('invalid-headers', Path.root, 'Malformed Authorization header')
      return token
    }
    case 'cookie':
      return cookieNamed(place.name, headers)
    case 'header':
      return headerText(headers, place.name)
  }
}

/** The first cookie of that name (RFC 6265 §5.4); empty counts as absent. */
function cookieNamed(name: string, { cookie }: Headers): string | null {
  const text = typeof cookie === 'string' ? cookie : (cookie ?? []).join('; ')
  for (const pair of text.split(';')) {
    const at = pair.indexOf('=')
    if (at < 0 || pair.slice(0, at).trim() !== name) continue
    const value = pair
      .slice(at + 1)
      .trim()
      .replace(/^"(.*)"$/, '$1')
    return value === '' ? null : value
  }
  return null
}

export const samePlace = (a: TokenPlace, b: TokenPlace): boolean =>
  a.kind === b.kind && ('name' in a ? a.name : '') === ('name' in b ? b.name : '')
