/** `--cors-domain` (reference/http#cors): which origins of other sites may read answers. */
export type CorsDomains =
  | { readonly kind: 'any' }
  | { readonly kind: 'listed'; readonly patterns: readonly OriginPattern[]; readonly text: string }

interface OriginPattern {
  readonly scheme: string
  /** True for `*.`: exactly one label before the host. */
  readonly anyLabel: boolean
  readonly host: string
  readonly port: string
}

export function parseCorsDomains(text: string): CorsDomains {
  if (text.trim() === '*') return { kind: 'any' }
  const items = text.split(',').map((item) => item.trim())
  return { kind: 'listed', patterns: items.map(parsePattern), text }
}

function parsePattern(item: string): OriginPattern {
  const match = /^([a-z][a-z0-9+.-]*):\/\/(\*\.)?([^/*:\s]+|\[[0-9a-f:]+\])(?::(\d+))?\/?$/i.exec(item)
  const [, scheme, wildcard, host, port] = match ?? []
  if (scheme === undefined || host === undefined || neverOrigins.has(scheme.toLowerCase()))
    throw new Error(
      `invalid domain: '${item}'. Each domain is "scheme://host[:port]", with "*." before the host for any one label, or "*" alone for all`,
    )
  return {
    scheme: scheme.toLowerCase(),
    anyLabel: wildcard !== undefined,
    host: host.toLowerCase(),
    port: port ?? defaultPort(scheme),
  }
}

/** No page is at these. */
const neverOrigins = new Set(['ftp', 'ftps', 'ws', 'wss', 'file', 'data', 'blob'])

const defaultPort = (scheme: string) => ({ http: '80', https: '443' })[scheme.toLowerCase()] ?? ''

/** `https://*.a.io` allows `https://x.a.io`, not `https://a.io` nor `https://y.x.a.io`. */
export function isOriginListed(domains: CorsDomains, origin: string): boolean {
  if (domains.kind === 'any') return true
  const parts = /^([a-z][a-z0-9+.-]*):\/\/([^/:]+|\[[0-9a-f:]+\])(?::(\d+))?$/i.exec(origin)
  if (!parts) return false
  const scheme = (parts[1] ?? '').toLowerCase()
  const host = (parts[2] ?? '').toLowerCase()
  const port = parts[3] ?? defaultPort(scheme)
  return domains.patterns.some(
    (pattern) => pattern.scheme === scheme && pattern.port === port && isHostOf(pattern, host),
  )
}

function isHostOf(pattern: OriginPattern, host: string): boolean {
  if (!pattern.anyLabel) return host === pattern.host
  const dot = host.indexOf('.')
  return dot > 0 && host.slice(dot + 1) === pattern.host
}

/** `http://localhost:3000`, `http://127.0.0.1`, `http://[::1]:5173`: pages of this machine. */
export function isLocalOrigin(origin: string): boolean {
  return /^https?:\/\/(localhost|[a-z0-9-]+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i.test(origin)
}
