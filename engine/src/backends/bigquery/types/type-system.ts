import { nameRules } from '@svc/schema'
import { ApiError, type Path } from '../../../errors.ts'
import type { DatabaseType, ValueType } from '../../../ir/index.ts'
import type { TypeSystem } from '../../backend.ts'
import { features } from '../features.ts'
import { databaseType } from './database-type.ts'

const known = (name: string): DatabaseType => ({ schema: 'bigquery', name, kind: 'base', array: false })

export const typeSystem: TypeSystem = {
  names: nameRules.dataset,
  features,
  common: { text: known('STRING'), json: known('JSON'), count: known('INT64') },
  graphqlScalar: ({ name }) => name,
  operators: () => [],
  enumOperators: () => [],
  casts: () => [],
  isKnown: () => true,
  isNumeric: () => false,
  isComparable: () => false,
  hasEquality: () => true,
  isJson: () => false,
  coerceInput: text,
  // biome-ignore lint/correctness/useYield: a stub
  *coerceLong(type, json, path) {
    return text(type, json, path)
  },
  coerceConstant: text,
  coerceSession: (_, value) => value,
  baseType: (name) => databaseType(name),
  typeOfScalar: (name) => databaseType(name),
}

function text(_: ValueType, json: unknown, path: Path): string | null {
  if (json !== null && typeof json === 'object') throw new ApiError('parse-failed', path, 'expected a scalar')
  return json === null ? null : String(json)
}
