import { nameRules } from '@svc/schema'
import type { ValueType } from '../../../ir/index.ts'
import type { TypeSystem } from '../../backend.ts'
import { features } from '../features.ts'
import { coerceInput, coerceLong, stringNumbers } from './coerce-input.ts'
import { baseType, databaseType } from './database-type.ts'
import { graphqlScalar, isComparable, isJson, isKnown, isNumeric, stringScalar, typeOfScalar } from './known-types.ts'
import { operators } from './operators.ts'

export const typeSystem: TypeSystem = {
  names: nameRules.dataset,
  features,
  common: { text: baseType('STRING'), json: baseType('JSON'), count: baseType('INT64') },
  comparisonInfix: 'BigQuery',
  numbersAsTexts: true,
  graphqlScalar,
  operators,
  enumOperators: () => [],
  casts: () => [],
  isKnown,
  isNumeric,
  isComparable,
  hasEquality: isComparable,
  isJson,
  coerceInput,
  coerceLong,
  coerceConstant: coerceInput,
  coerceSession,
  baseType: (name) => databaseType(name),
  typeOfScalar,
}

/** The type system where numbers are scalars of their own, which are numbers or texts with all digits. */
export const stringNumberTypes: TypeSystem = {
  ...typeSystem,
  graphqlScalar: stringScalar,
  ...stringNumbers,
  coerceConstant: stringNumbers.coerceInput,
}

/** Returns the text of a session variable: a list is `{a,b}` or a JSON array; any other text is read by the service. */
function coerceSession({ list }: ValueType, text: string): string {
  if (!list) return text
  try {
    const members: unknown = JSON.parse(text)
    if (Array.isArray(members)) return JSON.stringify(members.map(String))
  } catch {
    // no JSON
  }
  const [, inside = text] = /^\s*\{(.*)\}\s*$/s.exec(text) ?? []
  return JSON.stringify(inside.trim() === '' ? [] : inside.split(',').map((member) => member.trim()))
}
