import type { HttpHeader } from '../../http-client/index.ts'

/**
 * When a key set expires by the headers of its response (reference/authentication#jwt), in milliseconds since 1970;
 * null where they do not say.
 */
export function keySetExpiry(headers: readonly HttpHeader[], now: number): number | null {
  const cacheControl = valuesOf(headers, 'cache-control')
  if (cacheControl.length > 0) {
    const directives = cacheControl
      .join(',')
      .toLowerCase()
      .split(',')
      .map((text) => text.trim())
    const maxAge = directives
      .map((text) => /^(?:s-)?max-?age="?(\d{1,9})"?$/.exec(text)?.[1])
      .find((age) => age !== undefined)
    const after = maxAge === undefined ? null : now + Number(maxAge) * 1000
    if (directives.includes('must-revalidate')) return after ?? now
    if (directives.some((text) => /^no-(cache|store)\b/.test(text))) return now
    if (after !== null) return after
  }
  const expires = Date.parse(valuesOf(headers, 'expires')[0] ?? '')
  return Number.isNaN(expires) ? null : expires
}

const valuesOf = (headers: readonly HttpHeader[], name: string): readonly string[] =>
  headers.filter(([given]) => given.toLowerCase() === name).map(([, value]) => value)
