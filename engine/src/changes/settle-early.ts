import { Path } from '../errors.ts'
import type { EarlyPart, EarlySourceChange } from '../metadata/index.ts'
import { situationOf } from './early-effects.ts'
import { planAnew, type SourcePlan } from './effects/plan-effects.ts'
import { placeOf } from './effects/run-effects.ts'
import { runAlone } from './effects-alone.ts'
import { outcomeOnceOver } from './outcome-of.ts'
import type { ServedMetadata } from './served-metadata.ts'

/**
 * Settles what a killed engine had made of databases for a request that was never stored: they are made what metadata says.
 * Triggers that metadata does not know are dropped, of those that the request has made; those that it dropped are there again.
 * What cannot be reached, or is refused, is kept for later.
 */
export async function settleEarly(served: ServedMetadata, { key, parts }: EarlySourceChange): Promise<void> {
  const made: EarlyPart[] = []
  for (const part of parts) {
    const outcome = await outcomeOnceOver(served, part)
    if (outcome === null || outcome === 'in progress') return
    if (outcome !== 'aborted') made.push(part)
  }
  if (await served.exclusively(() => makeAnew(served, made))) await served.store.forgetSourceChange(key)
}

/** All sources of a database together: a name that one does not have may be another's. */
async function makeAnew(served: ServedMetadata, parts: readonly EarlyPart[]): Promise<boolean> {
  const { resourceVersion } = await served.catchUp()
  const situation = situationOf(served)
  const byDatabase = new Map<string, SourcePlan[]>()
  const concerned = new Set<string>()
  for (const state of situation.states.values()) {
    if (state.status !== 'ready') continue
    const objects = parts.filter(({ source }) => source === state.name).flatMap((part) => part.objects)
    const plan = planAnew(served.effects, situation, state, objects)
    if (!plan) continue
    const { database } = await placeOf(state, Path.root)
    byDatabase.set(database, [...(byDatabase.get(database) ?? []), plan])
    if (objects.length > 0) concerned.add(database)
  }
  let isDone = true
  // a version stored meanwhile may have made one of the triggers its own
  const isNewest = async () => (await served.store.readVersion()) === resourceVersion
  for (const database of concerned)
    isDone = (await runAlone(served, byDatabase.get(database) ?? [], isNewest)) && isDone
  return isDone
}
