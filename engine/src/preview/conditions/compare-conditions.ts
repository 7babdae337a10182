import type { BooleanExpression } from '../../ir/index.ts'
import { implies } from './implies.ts'

/** How the rows of a condition changed; `changed`: neither is known to be within the other. */
export type ConditionChange = 'same' | 'wider' | 'narrower' | 'changed'

/**
 * Compares the rows of two conditions for one session. A row is in one if the condition is true for it. Functions of the
 * user are taken to answer the same when called twice, and to raise no error.
 */
export function compareConditions(before: BooleanExpression, after: BooleanExpression): ConditionChange {
  if (before === after) return 'same'
  const grows = implies(before, after)
  const shrinks = implies(after, before)
  if (grows) return shrinks ? 'same' : 'wider'
  return shrinks ? 'narrower' : 'changed'
}
