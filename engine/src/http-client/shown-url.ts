/** A URL that was requested, in its parts: what an error shows (reference/actions#answers-of-handlers, error A). */
export interface ShownUrl {
  readonly host: string
  readonly port: number
  readonly secure: boolean
  readonly path: string
  readonly queryString: string
}

/**
 * The parts of a URL, or null for a text that is none. `configured` is its text in metadata: where that refers to the
 * environment, path and query may be secrets, and are empty.
 */
export function shownUrl(url: string, configured: string): ShownUrl | null {
  const parsed = URL.parse(url)
  if (!parsed) return null
  const secure = parsed.protocol === 'https:'
  const isHidden = configured.includes('{{')
  return {
    host: parsed.hostname,
    port: Number(parsed.port) || (secure ? 443 : 80),
    secure,
    path: isHidden ? '' : parsed.pathname,
    queryString: isHidden ? '' : parsed.search,
  }
}
