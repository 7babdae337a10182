import type { ServedMetadata } from '../changes/index.ts'
import type { Overruled } from './answer.ts'
import type { AuthorizedRequest } from './authorized-request.ts'
import { changesSomething, writesRows } from './command.ts'
import { breakGlassOf } from './owned-objects.ts'
import type { RanAlready, RequestEffects } from './request-effects.ts'

/** Adds to a request's entry in the audit log what is known only once it has run. */
export function noteEffects(
  served: ServedMetadata,
  asked: AuthorizedRequest,
  { overruled, failed }: Pick<RequestEffects, 'overruled' | 'failed'>,
): void {
  const glass = overruled.length > 0 && served.protectsOwned ? breakGlassOf(asked) : null
  asked.facts.audit?.note({
    ...(overruled.length > 0 && { overruled: byOwner(overruled) }),
    ...(glass !== null && { break_glass: glass }),
    ...(failed.length > 0 && { failed }),
  })
}

/** Adds to it that the request failed after some of it had run that cannot be undone. */
export function noteRan({ facts }: Pick<AuthorizedRequest, 'facts'>, done: RanAlready): void {
  const ran = [...done.keys()].filter((command) => changesSomething(command) || writesRows(command))
  // in place of what was noted of its success
  facts.audit?.note({ ...(ran.length > 0 && { ran_operations: ran.length }) })
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
  const summed = byOwner(overruled)
  served.observer.report({ kind: 'owned-changed', requestId, actor, owner, overruled: summed, breakGlass })
}

const mostOwners = 100

/** A bulk may change what one owner has with thousands of members. */
function byOwner(overruled: readonly Overruled[]): readonly Overruled[] {
  const counts = new Map<string, number>()
  for (const { owner, objects } of overruled) counts.set(owner, (counts.get(owner) ?? 0) + objects)
  return [...counts].slice(0, mostOwners).map(([owner, objects]) => ({ owner, objects }))
}
