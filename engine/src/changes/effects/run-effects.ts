import type { OpenTransaction } from '../../backends/index.ts'
import type { Path } from '../../errors.ts'
import type { SourcePlan } from './plan-effects.ts'

const noScript = { sql: '', readOnly: false, noTransaction: false } as const

/** A plan that was executed in a transaction that is not committed yet. */
export interface OpenEffects {
  readonly plan: SourcePlan
  readonly transaction: OpenTransaction
}

/**
 * Runs effects, each source's in a transaction of its own, then `store`, then commits the transactions. `store` says
 * whether it stored; if it throws or did not, everything is rolled back. `committed` is called for each source whose
 * transaction has ended well: where a later one fails, the caller has to take those back. `open`: those around these.
 */
export async function runEffects(
  plans: readonly SourcePlan[],
  path: Path,
  store: (open: readonly OpenEffects[]) => Promise<boolean>,
  committed: (plan: SourcePlan) => void = () => {},
  open: readonly OpenEffects[] = [],
): Promise<boolean> {
  const [plan, ...others] = plans
  if (!plan) return store(open)
  try {
    await plan.source.connection.runSql(noScript, path, async (transaction) => {
      await executeAll(plan, transaction, path)
      const opened = [...open, { plan, transaction }]
      if (!(await runEffects(others, path, store, committed, opened))) throw new NotStored()
    })
  } catch (error) {
    if (error instanceof NotStored) return false
    throw error
  }
  committed(plan)
  return true
}

/** Runs a source's effects inside a transaction that somebody else opened. */
export async function executeAll(plan: SourcePlan, transaction: OpenTransaction, path: Path): Promise<void> {
  const { source, isEmptied } = plan
  for (const effects of plan.effects) await effects.execute({ source, transaction, isEmptied, path })
}

/** Rolls the transactions back that are open. */
class NotStored extends Error {}
