/**
 * Whether a Host header names this machine. An engine that trusts everyone who reaches it must not be reached by a page
 * whose own name was pointed at 127.0.0.1 (architecture, decision 10).
 */
export function isLocalHost(host: string): boolean {
  const name = host.replace(/:\d+$/, '').toLowerCase()
  return /^(localhost|[a-z0-9-]+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(name)
}
