import type { ServedMetadata } from '../changes/index.ts'
import type { AuthorizedRequest } from './authorized-request.ts'
import { breakGlassOf } from './owned-objects.ts'
import type { RequestEffects } from './request-effects.ts'

/** Leaves what only running a request shows for its entry in the audit log. */
export function noteEffects(
  served: ServedMetadata,
  asked: AuthorizedRequest,
  { overruled, failed }: Pick<RequestEffects, 'overruled' | 'failed'>,
): void {
  const glass = overruled.length > 0 && served.protectsOwned ? breakGlassOf(asked) : null
  asked.facts.audit?.note({
    ...(overruled.length > 0 && { overruled }),
    ...(glass !== null && { break_glass: glass }),
    ...(failed.length > 0 && { failed_operations: failed.length }),
  })
}

/** Logs changes of what other clients own, once they are stored. */
export function reportOverruled(
  served: ServedMetadata,
  asked: AuthorizedRequest,
  { overruled }: Pick<RequestEffects, 'overruled'>,
): void {
  if (overruled.length === 0) return
  const { requestId, actor, owner = null } = asked.facts
  const breakGlass = served.protectsOwned ? breakGlassOf(asked) : null
  served.observer.report({ kind: 'owned-changed', requestId, actor, owner, overruled, breakGlass })
}
