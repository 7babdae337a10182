import { findObject, type HealthCheck, sourceAddress } from '@svc/schema'
import type { MetadataService } from '../admin/index.ts'
import type { Observer } from '../observe/index.ts'
import { SourceHealth } from '../sources/index.ts'
import type { Peers } from '../workers/index.ts'

export interface RunningHealthChecks {
  readonly health: SourceHealth
  close(): void
}

/** Starts the health checks of sources as metadata is served; of several workers the first one runs them, for all. */
export function startSourceHealth(
  metadata: MetadataService,
  observer: Observer,
  peers: Peers | null,
): RunningHealthChecks {
  const health = new SourceHealth((observation) => observer.report(observation))
  if (peers && peers.worker !== 1) return { health, close: () => {} }
  const follow = () => {
    const { document, model } = metadata.current()
    health.follow(
      [...model.input.sources.values()].flatMap((state) => {
        const check = findObject(document, sourceAddress(state.name))?.value.health_check
        return check ? [{ state, check: check as HealthCheck }] : []
      }),
    )
  }
  const unsubscribe = observer.subscribe(({ kind }) => {
    if (kind === 'model-updated') follow()
  })
  follow()
  return {
    health,
    close() {
      unsubscribe()
      health.close()
    },
  }
}
