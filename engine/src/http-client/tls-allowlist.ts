/**
 * An entry of the metadata's `network.tls_allowlist` (reference/metadata-operations#roles-limits-telemetry): hosts
 * whose certificate is not verified.
 */
export interface TlsAllowedHost {
  readonly host: string
  /** The port, where only one is meant. */
  readonly suffix?: string | null | undefined
}

/** `*.example.com` means every name below example.com; a name means itself. */
export function isTlsAllowed(allowlist: readonly TlsAllowedHost[], url: URL): boolean {
  const port = url.port === '' ? '443' : url.port
  return allowlist.some(({ host, suffix }) => {
    const wanted = suffix?.replace(/^:/, '')
    return hostMatches(host.toLowerCase(), url.hostname) && (!wanted || wanted === port)
  })
}

function hostMatches(pattern: string, hostname: string): boolean {
  if (pattern.startsWith('*.')) return hostname.endsWith(pattern.slice(1))
  return pattern === hostname || `[${pattern}]` === hostname
}
