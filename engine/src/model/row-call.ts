import type { FunctionArgument, FunctionCall } from '../ir/index.ts'
import type { ResolvedArgument } from './resolved-function.ts'
import type { ResolvedComputedField } from './resolved-rows.ts'

/**
 * Returns the call of a computed field that needs no arguments of the client (defaults included); null where it does,
 * and for one that takes columns, which is selected and nothing else.
 */
export function rowCall(field: ResolvedComputedField): FunctionCall | null {
  if (field.arguments.some(({ kind }) => kind === 'user' || kind === 'column')) return null
  return { function: field.function, set: field.set, arguments: field.arguments.flatMap(givenByEngine) }
}

/** An argument that is not the client's, by position; nothing for one that is. */
export function givenByEngine(argument: ResolvedArgument): readonly FunctionArgument[] {
  switch (argument.kind) {
    case 'row':
      return [{ name: null, of: { kind: 'row' } }]
    case 'column':
      return [{ name: null, of: { kind: 'column', name: argument.column } }]
    case 'session': {
      const type = { type: argument.type, list: false }
      return [{ name: null, of: { kind: 'value', value: { kind: 'session-variables', type } } }]
    }
    case 'user':
      return []
  }
}
