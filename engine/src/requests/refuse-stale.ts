import type { ServedMetadata } from '../changes/index.ts'
import { Path } from '../errors.ts'

/**
 * The version is compared last, so an operation's own errors win, and also when nothing would change
 * (reference/metadata-requests#versions).
 */
export function refuseStale(referenced: number | null, served: ServedMetadata): void {
  if (referenced !== null && referenced !== served.current.resourceVersion) throw conflict(referenced)
}

/** Another instance, or the client that stored the newer version, was faster. */
export const conflict = (referenced: number) =>
  Path.root.error('conflict', `metadata resource version referenced (${referenced}) did not match current version`)

/** How often a request that is outrun by other instances is tried again. */
export const mostTries = 50
