import type { TypeSystem } from '../../backend.ts'
import { coerceConstant } from './coerce-constant.ts'
import { coerceInput } from './coerce-input.ts'
import { coerceLong } from './coerce-long.ts'
import { graphqlScalar, isComparable, isJson, isKnown, isNumeric, typeOfScalar } from './known-types.ts'
import { casts, enumOperators, operators } from './operators.ts'

export const typeSystem: TypeSystem = {
  graphqlScalar,
  operators,
  enumOperators,
  casts,
  isKnown,
  isNumeric,
  isComparable,
  isJson,
  coerceInput,
  coerceLong,
  coerceConstant,
  // The database reads it: lists and arrays must be array literals, geometries GeoJSON
  // (reference/filters#expressions-of-permissions).
  coerceSession: (_type, text) => text,
  typeOfScalar,
}
