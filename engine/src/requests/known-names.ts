/** Operations on agents, which no backend is: the contract knows them. */
const ofAgents: ReadonlySet<string> = new Set(['dc_add_agent', 'dc_delete_agent'])

/**
 * Whether the contract knows an operation by that name although none is served by it: one on agents, or one that sources of
 * another prefix have, called with that of an agent (`sqlite_track_table`).
 */
export function isKnownName(type: string, served: ReadonlySet<string>, prefixes: readonly string[]): boolean {
  if (ofAgents.has(type)) return true
  const [, prefix = '', name = ''] = /^([A-Za-z][A-Za-z0-9]*)_(.+)$/.exec(type) ?? []
  return name !== '' && !prefixes.includes(prefix) && prefixes.some((other) => served.has(`${other}_${name}`))
}
