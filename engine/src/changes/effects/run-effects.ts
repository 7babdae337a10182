import type { DatabasePlace, Inspect, OpenTransaction } from '../../backends/index.ts'
import { ApiError, type Path } from '../../errors.ts'
import type { ReadySource } from '../../sources/index.ts'
import type { PlannedEffects } from './effect-handler.ts'
import type { SourcePlan } from './plan-effects.ts'

/** A plan that was executed in a transaction that is not committed yet. */
export interface OpenEffects {
  readonly plan: SourcePlan
  readonly transaction: OpenTransaction
}

/**
 * Runs effects, each database's in a transaction of its own, then `store`, then commits the transactions. `store` says
 * whether it stored; if it throws or did not, everything is rolled back. `committed` is called for each source whose
 * transaction has ended well: where a later one fails, the caller has to take those back.
 */
export async function runEffects(
  plans: readonly SourcePlan[],
  path: Path,
  store: (open: readonly OpenEffects[]) => Promise<boolean>,
  committed: (plan: SourcePlan) => void = () => {},
): Promise<boolean> {
  return runGroups(await groupByDatabase(plans, path), path, store, committed, [])
}

async function runGroups(
  groups: readonly (readonly SourcePlan[])[],
  path: Path,
  store: (open: readonly OpenEffects[]) => Promise<boolean>,
  committed: (plan: SourcePlan) => void,
  open: readonly OpenEffects[],
): Promise<boolean> {
  const [group, ...others] = groups
  const [first] = group ?? []
  if (!group || !first) return store(open)
  try {
    await openTransaction(first.source, path, async (transaction) => {
      await executeAll(group, transaction, path)
      const opened = [...open, ...group.map((plan) => ({ plan, transaction }))]
      if (!(await runGroups(others, path, store, committed, opened))) throw new NotStored()
    })
  } catch (error) {
    if (error instanceof NotStored) return false
    throw error
  }
  for (const plan of group) committed(plan)
  return true
}

/**
 * Plans of one database and role go together: in two transactions they would wait for each other's locks, when a trigger
 * moves from one source to another over the same database.
 */
export async function groupByDatabase(
  plans: readonly SourcePlan[],
  path: Path,
): Promise<readonly (readonly SourcePlan[])[]> {
  if (plans.length < 2) return plans.map((plan) => [plan])
  const groups = new Map<string, SourcePlan[]>()
  for (const plan of plans) {
    const { database, role } = await placeOf(plan.source, path)
    const key = JSON.stringify([database, role])
    const group = groups.get(key)
    if (group) group.push(plan)
    else groups.set(key, [plan])
  }
  return [...groups.values()]
}

/** Read from the database itself. */
export async function placeOf(source: ReadySource, path: Path): Promise<DatabasePlace> {
  let place = { database: '', role: '' }
  await openTransaction(source, path, async (transaction) => {
    place = await transaction.place()
  })
  return place
}

/** Opens a transaction, as a SourceConnection does. Throws not-supported for a source without transactions. */
export async function openTransaction({ name, connection }: ReadySource, path: Path, work: Inspect): Promise<void> {
  if (!connection.openTransaction)
    throw new ApiError('not-supported', path, `source with name "${name}" has no transactions`)
  await connection.openTransaction(path, work)
}

/** Runs effects of sources over one database inside a transaction that the caller has opened. */
export async function executeAll(
  plans: readonly SourcePlan[],
  transaction: OpenTransaction,
  path: Path,
): Promise<void> {
  const isEmptied = plans.every((plan) => plan.isEmptied)
  const byKind = new Map<string, { readonly source: ReadySource; readonly effects: PlannedEffects[] }>()
  for (const { source, effects } of plans)
    for (const planned of effects) {
      const known = byKind.get(planned.kind)
      if (known) known.effects.push(planned)
      else byKind.set(planned.kind, { source, effects: [planned] })
    }
  for (const { source, effects } of byKind.values()) {
    const [first, ...others] = effects
    await first?.execute({ source, transaction, isEmptied, path }, others)
  }
}

/** Rolls the transactions back that are open. */
class NotStored extends Error {}
