import { nameRules } from '@svc/schema'
import type { TypeSystem } from '../../backend.ts'
import { features } from '../features.ts'
import { coerceConstant } from './coerce-constant.ts'
import { coerceInput } from './coerce-input.ts'
import { coerceLong } from './coerce-long.ts'
import {
  builtIn,
  graphqlScalar,
  hasEquality,
  isComparable,
  isJson,
  isKnown,
  isNumeric,
  typeOfScalar,
} from './known-types.ts'
import { casts, enumOperators, operators } from './operators.ts'

export const typeSystem: TypeSystem = {
  names: nameRules.public,
  features,
  common: { text: builtIn('text'), json: builtIn('json'), count: builtIn('int8') },
  graphqlScalar,
  operators,
  enumOperators,
  casts,
  isKnown,
  isNumeric,
  isComparable,
  hasEquality,
  isJson,
  coerceInput,
  coerceLong,
  coerceConstant,
  // The database reads it: lists and arrays must be array literals, geometries GeoJSON
  // (reference/filters#expressions-of-permissions).
  coerceSession: (_type, text) => text,
  // names are in lower case
  baseType: (name) => (isKnown({ ...builtIn(name), schema: '' }) ? builtIn(name) : null),
  typeOfScalar,
}
