import type { TypeSystem } from '../../backends/index.ts'
import { fieldName, type NamingConvention, typeName } from '../../model/index.ts'

/** A backend's types as the sources of one naming convention show them (spec 02 §1.8). */
export interface NamedTypes extends TypeSystem {
  readonly convention: NamingConvention
}

const made: Record<NamingConvention, WeakMap<TypeSystem, NamedTypes>> = {
  'svc-default': new WeakMap(),
  'graphql-default': new WeakMap(),
}

export function namedTypes(types: TypeSystem, convention: NamingConvention): NamedTypes {
  const known = made[convention].get(types) ?? { ...types, convention }
  made[convention].set(types, known)
  return known
}

/** A name that the engine gives inside its types: `order_by`, `_is_null` -> `orderBy`, `_isNull`. */
export const innerName = ({ convention }: NamedTypes, name: string): string => fieldName(convention, name)

/** A type that belongs to no table: `Int_comparison_exp` -> `IntComparisonExp`. */
export const sharedTypeName = ({ convention }: NamedTypes, name: string): string => typeName(convention, name)
