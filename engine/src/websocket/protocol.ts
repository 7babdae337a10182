/**
 * `legacy`: subscriptions-transport-ws, whose name on the wire is graphql-ws. `transport`: graphql-transport-ws
 * (reference/websockets#handshake).
 */
export type Protocol = 'legacy' | 'transport'

const names = new Map<string, Protocol>([
  ['graphql-ws', 'legacy'],
  ['graphql-transport-ws', 'transport'],
])

/** The first supported one of those that the client offers, or null. */
export const offeredProtocol = (offered: Iterable<string>): string | null =>
  [...offered].find((name) => names.has(name)) ?? null

/** Returns the protocol of the name that was agreed on; a client that names none speaks the older one. */
export const protocolOf = (name: string): Protocol => names.get(name) ?? 'legacy'
