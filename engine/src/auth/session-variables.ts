/** Headers as node gives them: lower-case names, bytes as latin1. */
export type Headers = Readonly<Record<string, string | readonly string[] | undefined>>

const notVariables = new Set(['x-svc-admin-secret', 'x-svc-access-key', 'x-svc-actor', 'x-svc-error-details'])

/** Of a name in lower case. */
export const isVariable = (name: string): boolean => name.startsWith('x-svc-') && !notVariables.has(name)

/** One value of a header as text, or null. Empty counts as absent. */
export function headerText(headers: Headers, name: string): string | null {
  const value = headers[name]
  const text = typeof value === 'string' ? value : value?.join(', ')
  return text === undefined || text === '' ? null : decodeHeader(text)
}

/** Clients send UTF-8; node shows each byte as a character of latin1. */
export function decodeHeader(text: string): string {
  return /[\x80-\xff]/.test(text) ? Buffer.from(text, 'latin1').toString('utf8') : text
}

/** All X-Svc-* headers but the secrets, the actor and what errors shall say, lower case; x-svc-role becomes the effective role. */
export function sessionVariables(headers: Headers, role: string): ReadonlyMap<string, string> {
  const variables = new Map<string, string>()
  for (const name in headers) {
    if (!isVariable(name)) continue
    const value = headers[name]
    if (value !== undefined) variables.set(name, decodeHeader(typeof value === 'string' ? value : value.join(', ')))
  }
  return variables.set('x-svc-role', role)
}
