import type { Replication } from '../../backends/index.ts'

/**
 * Why a database cannot be read in place of its source (docs/routing.md#read-replicas); null: it can. `own` is what the
 * source answered. What either does not say is no reason: managed services hide some of it.
 */
export function whyNoCopy(copy: Replication, own: Replication): string | null {
  const [major, ownMajor] = [copy, own].map(({ serverVersion }) => Math.floor(serverVersion / 10_000))
  if (major !== ownMajor) return `its version is ${major}, that of the source ${ownMajor}`
  if (copy.system !== null && own.system !== null && copy.system !== own.system)
    return 'it is no physical copy of the source but another cluster'
  // a source that follows another database itself may be behind its replicas
  if (own.inRecovery !== false || copy.inRecovery === null) return null
  // the source's own server may be named as a replica of it
  if (!copy.inRecovery) return copy.started === own.started ? null : 'it takes writes itself, as if it was promoted'
  if (copy.timeline !== null && own.timeline !== null && copy.timeline > own.timeline)
    return `it follows another server: its timeline is ${copy.timeline}, that of the source ${own.timeline}`
  if (copy.position !== null && own.position !== null && copy.position > own.position)
    return 'it has followed what the source has not'
  return null
}
