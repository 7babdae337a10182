import type { TypeSystem } from '../backends/index.ts'
import { ApiError, Path } from '../errors.ts'
import { coerce, filledSize, fillTemplate, type Plan, type VariableValues, valueAt } from '../graphql/index.ts'
import type { Value } from '../ir/index.ts'
import type { Session } from '../session.ts'
import { type Allowance, check, take } from './allowance.ts'

/** What fills the slots of a plan's statements. */
export interface Bindings {
  readonly templates: Plan['templates']
  readonly variables: VariableValues
  readonly session: Session
  readonly allowance: Allowance
  /** By the names that a write gives its inputs. */
  readonly inputs?: ReadonlyMap<string, string | null>
}

/**
 * A slot -> the database's text. Throws what coercion says at the variable's place, and not-found at `$` for a session
 * variable that the request lacks (spec 02 §2.5), bad-request once the operation's values are larger than allowed.
 */
export function bindValue(value: Value, types: TypeSystem, bindings: Bindings): string | null {
  const text = textOf(value, types, bindings)
  if (text !== null) take(bindings.allowance, text.length)
  return text
}

function textOf(value: Value, types: TypeSystem, bindings: Bindings): string | null {
  switch (value.kind) {
    case 'constant':
      return value.text
    case 'session': {
      const text = bindings.session.variables.get(value.variable)
      if (text === undefined)
        throw new ApiError('not-found', Path.root, `missing session variable: "${value.variable}"`)
      return types.coerceSession(value.type, text)
    }
    case 'input':
      return bindings.inputs?.get(value.name) ?? null
    case 'session-variables':
      return JSON.stringify(Object.fromEntries(bindings.session.variables))
    case 'variable': {
      const template = bindings.templates.get(value.variable)
      // before it is written out
      if (template) check(bindings.allowance, filledSize(template, bindings.variables))
      const json = template
        ? fillTemplate(template, bindings.variables)
        : valueAt(bindings.variables, value.variable, value.keys)
      return coerce(types, value.type, json, new Path(value.path))
    }
  }
}
