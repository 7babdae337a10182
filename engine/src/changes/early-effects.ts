import { equalJson, findObject, kindOfSource, sourceAddress } from '@svc/schema'
import type { Path } from '../errors.ts'
import type { EarlyHold, EarlyPart } from '../metadata/index.ts'
import type { ReadySource } from '../sources/index.ts'
import { type EffectPlan, objectsIn, planEffects, type SourcePlan } from './effects/plan-effects.ts'
import { refuseTakenNames } from './effects/refuse-taken-names.ts'
import { type OpenEffects, runEffects } from './effects/run-effects.ts'
import type { MetadataSnapshot } from './effects/transition.ts'
import { runEachAlone, sourcesOf, undoEffects } from './effects-alone.ts'
import type { ServedMetadata } from './served-metadata.ts'

/** What a request has made of databases before it is stored. */
export interface EarlyEffects {
  readonly made: MetadataSnapshot
  readonly hold: EarlyHold
  readonly parts: readonly EarlyPart[]
}

/**
 * Changes databases to what a draft says of them before the draft is stored: what the request does next (rows of a
 * bulk, SQL) finds them so. `early`: what the request has changed before. A caller that abandons the request calls
 * `takeBackEarly`, one that has stored it `keepEarly`; what an engine has changed that is killed before, other engines
 * find (`finishPending`).
 */
export async function runEffectsEarly(
  served: ServedMetadata,
  { document, states }: MetadataSnapshot,
  early: EarlyEffects | null,
  path: Path,
): Promise<EarlyEffects | null> {
  const before = early?.made ?? snapshotOf(served)
  const draft = { document, states }
  const { required, names } = planEffects(served.effects, before, draft)
  if (required.length === 0) return early
  await refuseTakenNames(names, draft, path)
  const objects = objectsIn(served.effects, before, draft)
  const hold = early?.hold ?? (await served.store.sourceChanges.holdEarly())
  const parts = [...(early?.parts ?? [])]
  const committed: SourcePlan[] = []
  const expect = async (open: readonly OpenEffects[]) => {
    for (const { plan, transaction } of open) {
      const source = plan.source.name
      const definition = newDefinition(served, draft, plan.source)
      const part = { source, transaction: await transaction.id(), objects: objects.get(source) ?? [] }
      parts.push({ ...part, ...(definition && { definition }) })
    }
    await served.store.sourceChanges.expectEarly({ key: hold.key, parts })
    return true
  }
  try {
    await runEffects(required, path, expect, (plan) => committed.push(plan))
  } catch (error) {
    const isDone = await undoEffects(served, draft, before, sourcesOf(committed))
    if (!early) await releaseHold(served, hold, isDone)
    throw error
  }
  return { made: draft, hold, parts }
}

/** How an engine that finishes the change finds a source that is not served like this. */
function newDefinition(
  served: ServedMetadata,
  { document }: MetadataSnapshot,
  { name, configuration }: ReadySource,
): EarlyPart['definition'] {
  const known = snapshotOf(served).states.get(name)
  if (known && equalJson(known.configuration, configuration)) return undefined
  return { kind: kindOfSource(findObject(document, sourceAddress(name))?.value), configuration }
}

/** Sets databases back to what is served. What fails is logged, and tried again later. */
export async function takeBackEarly(served: ServedMetadata, { made, hold }: EarlyEffects): Promise<void> {
  const { required, cleanups } = planEffects(served.effects, made, snapshotOf(served))
  const isDone = await runEachAlone(served, [...required, ...cleanups])
  await releaseHold(served, hold, isDone)
}

/** The request was stored. Never rejects. */
export const keepEarly = (served: ServedMetadata, { hold }: EarlyEffects): Promise<void> =>
  releaseHold(served, hold, true)

/** An entry that remains is finished later. */
async function releaseHold(served: ServedMetadata, hold: EarlyHold, isDone: boolean): Promise<void> {
  if (isDone) await served.store.sourceChanges.forget({ requestId: hold.key, resourceVersion: 0 }).catch(() => {})
  await hold.release()
}

/** The effects of storing a draft, where databases may have been made something else before (`early`). */
export function planStorage(
  served: ServedMetadata,
  draft: MetadataSnapshot,
  early: MetadataSnapshot | null,
): EffectPlan {
  const plan = planEffects(served.effects, snapshotOf(served), draft)
  if (!early) return plan
  const { required, cleanups } = planEffects(served.effects, early, draft)
  const known = new Set(plan.cleanups.map(({ source }) => source.name))
  return {
    ...plan,
    required,
    cleanups: [...plan.cleanups, ...cleanups.filter(({ source }) => !known.has(source.name))],
  }
}

/** Returns what is served as a snapshot. */
export const snapshotOf = ({ current }: ServedMetadata): MetadataSnapshot => ({
  document: current.document,
  states: current.model.input.sources,
})
