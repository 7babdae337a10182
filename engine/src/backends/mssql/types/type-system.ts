import { nameRules } from '@svc/schema'
import type { TypeSystem } from '../../backend.ts'
import { features } from '../features.ts'
import { coerceInput, coerceLong, coerceSession } from './coerce-input.ts'
import { graphqlScalar, hasEquality, isComparable, isKnown, isNumeric, systemType, typeOfName } from './known-types.ts'
import { operators } from './operators.ts'

export const typeSystem: TypeSystem = {
  names: nameRules.dbo,
  features,
  comparisonInfix: 'MSSQL',
  common: { text: systemType('nvarchar'), json: systemType('nvarchar'), count: systemType('bigint') },
  graphqlScalar,
  operators,
  enumOperators: operators,
  casts: () => [],
  isKnown,
  isNumeric,
  isComparable,
  hasEquality,
  isJson: () => false,
  coerceInput,
  coerceLong,
  coerceConstant: coerceInput,
  coerceSession,
  baseType: typeOfName,
  typeOfScalar: typeOfName,
}
