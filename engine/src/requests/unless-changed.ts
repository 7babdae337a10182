import { addressText, diffDocuments } from '@svc/schema'
import type { Draft } from '../changes/index.ts'
import { ApiError } from '../errors.ts'
import type { ChangedObjects } from '../metadata/index.ts'
import type { Condition } from './command.ts'
import type { Outcome } from './outcome.ts'

/** What was stored after a version; null where that is not known (any more). */
export type ChangedAfter = (version: number) => Promise<ChangedObjects | null>

/**
 * The outcome, unless a caller has stored a change of one of its objects after the version that the caller went out
 * from: those it names, changes or deletes with them. What it lies in or refers to may have changed: nothing of that is
 * overwritten, and whether it is still valid is checked anyway. Throws conflict.
 */
export async function unlessChanged(
  condition: Condition | null,
  before: Draft,
  outcome: Outcome,
  { changedAfter }: { readonly changedAfter: ChangedAfter },
): Promise<Outcome> {
  const since = condition?.since ?? null
  if (!condition || since === null) return outcome
  const path = condition.path.at('if_unchanged_since')
  const changed = await changedAfter(since)
  if (!changed) throw new ApiError('conflict', path, `what was changed after version ${since} is not known`)
  if (changed.size === 0) return outcome
  const differing = diffDocuments(before.document, outcome.draft.document)
  const own = [...outcome.touched, ...differing].map(({ address }) => addressText(address))
  const names = [...new Set(own)].flatMap((text) => changed.get(text) ?? [])
  if (names.length === 0) return outcome
  throw new ApiError('conflict', path, `changed after version ${since}: ${listed(names)}`)
}

const most = 10

function listed(names: readonly string[]): string {
  const more = names.length - most
  return [...names.slice(0, most), ...(more > 0 ? [`${more} more`] : [])].join(', ')
}
