import type { BooleanExpression } from '../../ir/index.ts'

/** The session variables that a condition needs, wherever they stand in it. */
export function sessionVariables(condition: BooleanExpression): ReadonlySet<string> {
  const found = new Set<string>()
  JSON.stringify(condition, (_key, value: unknown) => {
    if (isSessionValue(value)) found.add(value.variable)
    return value
  })
  return found
}

const isSessionValue = (value: unknown): value is { readonly variable: string } =>
  typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'session' && 'variable' in value
