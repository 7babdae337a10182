import { Path } from '../errors.ts'
import { errorReport } from '../observe/index.ts'
import { planCreations, planEffects, type SourcePlan } from './effects/plan-effects.ts'
import { executeAll, groupByDatabase, openTransaction, placeOf } from './effects/run-effects.ts'
import type { MetadataSnapshot } from './effects/transition.ts'
import type { ServedMetadata } from './served-metadata.ts'

/**
 * Runs effects on one database that nothing else waits for. False, and logged, where they fail; false, too, where they are
 * no longer wanted when they have run: they are rolled back then.
 */
export async function runAlone(
  served: ServedMetadata,
  plans: readonly SourcePlan[],
  isKept: () => Promise<boolean> = async () => true,
): Promise<boolean> {
  try {
    const [first] = plans
    if (first)
      await openTransaction(first.source, Path.root, async (transaction) => {
        await executeAll(plans, transaction, Path.root)
        if (!(await isKept())) throw new NotKept()
      })
    return true
  } catch (error) {
    if (error instanceof NotKept) return false
    reportFailed(served, plans, error)
    return false
  }
}

class NotKept extends Error {}

/** Runs effects on any databases, those of each together, as `runAlone` does. False where one of them failed. */
export async function runEachAlone(served: ServedMetadata, plans: readonly SourcePlan[]): Promise<boolean> {
  // what cannot be reached fails by itself
  const groups = await groupByDatabase(plans, Path.root).catch(() => plans.map((plan) => [plan]))
  let isDone = true
  for (const group of groups) isDone = (await runAlone(served, group)) && isDone
  return isDone
}

/** Sets these sources of a change back to what was before it. False where that failed for one of them. */
export async function undoEffects(
  served: ServedMetadata,
  made: MetadataSnapshot,
  before: MetadataSnapshot,
  sources: ReadonlySet<string>,
): Promise<boolean> {
  if (sources.size === 0) return true
  const { required, cleanups } = planEffects(served.effects, made, before)
  return runEachAlone(
    served,
    [...required, ...cleanups].filter(({ source }) => sources.has(source.name)),
  )
}

/** Names of the sources that plans are for. */
export const sourcesOf = (plans: readonly SourcePlan[]): ReadonlySet<string> =>
  new Set(plans.map(({ source }) => source.name))

function reportFailed(served: ServedMetadata, plans: readonly SourcePlan[], error: unknown): void {
  const [first] = plans
  if (!first) return
  const effects = first.effects.map(({ kind }) => kind)
  served.observer.report({
    kind: 'source-effects-failed',
    source: first.source.name,
    effects,
    error: errorReport(error),
  })
}

/**
 * Cleans up a source that metadata no longer has. What other sources have in the same database remains: it is made
 * again with it, so that none of it is mistaken for something of the removed source.
 */
export async function cleanUp(served: ServedMetadata, plan: SourcePlan, draft: MetadataSnapshot): Promise<boolean> {
  try {
    const { database } = await placeOf(plan.source, Path.root)
    const neighbours: SourcePlan[] = []
    for (const state of draft.states.values()) {
      if (state.status !== 'ready') continue
      const creations = planCreations(served.effects, draft, state)
      if (creations && (await placeOf(state, Path.root)).database === database) neighbours.push(creations)
    }
    return await runAlone(served, [plan, ...neighbours])
  } catch (error) {
    reportFailed(served, [plan], error)
    return false
  }
}
