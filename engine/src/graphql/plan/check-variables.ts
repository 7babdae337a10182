import { Path } from '../../errors.ts'
import { type VariableValues, valueAt } from '../selection/guard.ts'
import type { VariableCheck } from '../selection/variable-check.ts'
import { checkEnumJson } from './enum-value.ts'
import { intMismatch, intText } from './int-value.ts'

/**
 * Checks variables used as limit, offset, integers and values of enums. Throws validation-failed at their place
 * (reference/graphql-schema#object-types, reference/queries#variables).
 */
export function checkVariables(checks: readonly VariableCheck[], variables: VariableValues): void {
  for (const check of checks) checkVariable(check, variables)
}

function checkVariable(check: VariableCheck, variables: VariableValues): void {
  const { variable, keys } = check
  const path = new Path(check.path)
  const value = valueAt(variables, variable, keys)
  switch (check.kind) {
    case 'enum':
      checkEnumJson(check.of, check.list, value, variable, keys, path)
      return
    case 'limit':
    case 'offset':
    case 'int':
      if (intText(check.kind, value) === null)
        throw intMismatch(check.kind, { kind: 'json', value, variable, keys }, path)
  }
}
