import type { Path } from '../errors.ts'
import { type EffectPlan, planEffects } from './effects/plan-effects.ts'
import { refuseTakenNames } from './effects/refuse-taken-names.ts'
import { runEffects } from './effects/run-effects.ts'
import type { Situation } from './effects/transition.ts'
import { runEachAlone } from './effects-alone.ts'
import type { ServedMetadata } from './served-metadata.ts'

/**
 * Makes databases what a draft says of them before the draft is stored: what the request does next (rows of a bulk, SQL)
 * finds them so. `early`: what they have been made before by the request. Whoever gives the request up calls
 * `takeBackEarly`.
 */
export async function runEffectsEarly(
  served: ServedMetadata,
  draft: Situation,
  early: Situation | null,
  path: Path,
): Promise<Situation | null> {
  const { required, names } = planEffects(served.effects, early ?? situationOf(served), draft)
  if (required.length === 0) return early
  await refuseTakenNames(names, draft, path)
  await runEffects(required, path, async () => true)
  return { document: draft.document, states: draft.states }
}

/** Sets databases back to what is served. What fails is logged. */
export async function takeBackEarly(served: ServedMetadata, early: Situation): Promise<void> {
  const { required, cleanups } = planEffects(served.effects, early, situationOf(served))
  await runEachAlone(served, [...required, ...cleanups])
}

/** The effects of storing a draft, where databases may have been made something else before (`early`). */
export function planStorage(served: ServedMetadata, draft: Situation, early: Situation | null): EffectPlan {
  const plan = planEffects(served.effects, situationOf(served), draft)
  if (!early) return plan
  const { required, cleanups } = planEffects(served.effects, early, draft)
  const known = new Set(plan.cleanups.map(({ source }) => source.name))
  return {
    ...plan,
    required,
    cleanups: [...plan.cleanups, ...cleanups.filter(({ source }) => !known.has(source.name))],
  }
}

/** What is served. */
export const situationOf = ({ current }: ServedMetadata): Situation => ({
  document: current.document,
  states: current.model.input.sources,
})
