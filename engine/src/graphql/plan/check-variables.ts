import { Path } from '../../errors.ts'
import { type VariableValues, valueAt } from './guard.ts'
import { rowCountMismatch, rowCountText } from './limit-value.ts'
import type { VariableCheck } from './plan.ts'

/** Checks variables used as limit and offset. Throws validation-failed at their place (spec 02 §1.4). */
export function checkVariables(checks: readonly VariableCheck[], variables: VariableValues): void {
  for (const { kind, variable, keys, path } of checks) {
    const value = valueAt(variables, variable, keys)
    if (rowCountText(kind, value) === null)
      throw rowCountMismatch(kind, { kind: 'json', value, variable, keys }, new Path(path))
  }
}
