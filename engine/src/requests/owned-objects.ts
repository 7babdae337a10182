/** What a step of a request may change: what its access token grants, and what no other stack or directory declares. */
import { addressText, diffDocuments, type MetadataDocument, type ObjectAddress } from '@svc/schema'
import type { ServedMetadata } from '../changes/index.ts'
import { ApiError, type Path } from '../errors.ts'
import type { Warning } from '../metadata/index.ts'
import type { Overruled } from './answer.ts'
import type { AuthorizedRequest } from './authorized-request.ts'
import { hasScope, requireChangesGranted } from './granted-changes.ts'
import { objectNameAt } from './object-name-at.ts'

/**
 * Warnings of a step from one document to the next, one an owner. Throws access-denied where owned objects are protected,
 * and for what the access token does not grant. `pathOf`: of the operation that changes an object.
 */
export type CheckStep = (
  before: MetadataDocument,
  after: MetadataDocument,
  pathOf: (at: ObjectAddress) => Path,
) => readonly Warning[]

/**
 * Checks each step of a request, so that no later member of a bulk finds what an earlier one may not make. Null where there
 * is nothing to check. `overruled`: receives what other clients own and is changed nevertheless.
 */
export function checkSteps(served: ServedMetadata, asked: AuthorizedRequest, overruled: Overruled[]): CheckStep | null {
  const owned = checkOwned(served, asked, overruled)
  const { access } = asked.session
  // a dry run changes nothing: its scope was required before
  if (!access || asked.request.dryRun !== null) return owned
  return (before, after, pathOf) => {
    requireChangesGranted(access, before, after, asked.facts.owner ?? null, pathOf)
    return owned?.(before, after, pathOf) ?? []
  }
}

/** Null where nothing is owned. */
function checkOwned(served: ServedMetadata, asked: AuthorizedRequest, overruled: Overruled[]): CheckStep | null {
  const { owners } = served.store
  const { owner = null } = asked.facts
  if (owners.size === 0) return null
  const isRefused = isProtected(served, asked)
  return (before, after, pathOf) => {
    const foreign = new Map<string, ObjectAddress[]>()
    for (const { address } of diffDocuments(before, after)) {
      const its = owners.get(addressText(address))
      if (its === undefined || its === owner) continue
      const known = foreign.get(its)
      if (known) known.push(address)
      else foreign.set(its, [address])
    }
    return [...foreign].flatMap(([its, [first, ...others]]) => {
      if (!first) return []
      const { name } = objectNameAt(before, first)
      const message = `${name}${others.length > 0 ? ` and ${others.length} more of its objects` : ''} ${others.length > 0 ? 'are' : 'is'} owned by "${its}"`
      if (isRefused)
        throw new ApiError('access-denied', pathOf(first), `${message}: no other client may change that here`, {
          status: 403,
        })
      overruled.push({ owner: its, objects: others.length + 1 })
      return [{ code: 'owned-by-another', type: first.type, name, message }]
    })
  }
}

/** Whether a request may not change what other clients own. */
export const isProtected = (served: ServedMetadata, asked: Pick<AuthorizedRequest, 'session' | 'facts'>): boolean =>
  served.protectsOwned && breakGlassOf(asked) === null

/**
 * Why a request may change what other clients own; null: it may not. A token needs the scope, the admin secret needs
 * X-Svc-Break-Glass with the reason.
 */
export function breakGlassOf({ session, facts }: Pick<AuthorizedRequest, 'session' | 'facts'>): string | null {
  const { access } = session
  if (access) return hasScope(access, 'break_glass') ? (facts.breakGlass ?? '') : null
  return facts.breakGlass ?? null
}
