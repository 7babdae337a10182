import { findObject, type HealthCheck, sourceAddress } from '@svc/schema'
import type { MetadataService } from '../admin/index.ts'
import type { Observer } from '../observe/index.ts'
import { SourceHealth } from '../sources/index.ts'

export interface RunningHealthChecks {
  readonly health: SourceHealth
  close(): void
}

/** Runs the health checks of sources as metadata is served. */
export function startSourceHealth(metadata: MetadataService, observer: Observer): RunningHealthChecks {
  const health = new SourceHealth((observation) => observer.report(observation))
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
