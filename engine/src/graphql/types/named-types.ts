import type { TypeSystem } from '../../backends/index.ts'
import { fieldName, type NamingConvention, typeName } from '../../model/index.ts'

/**
 * A backend's types as the sources of one naming convention show them
 * (reference/graphql-schema#the-naming-convention-graphql-default).
 */
export interface NamedTypes extends TypeSystem {
  readonly convention: NamingConvention
}

type Made = Record<NamingConvention, WeakMap<TypeSystem, NamedTypes>>
const noneMade = (): Made => ({ 'svc-default': new WeakMap(), 'graphql-default': new WeakMap() })
const made = { lists: noneMade(), scalars: noneMade() }

/** `arrays`: as what those of the database are shown (reference/graphql-schema#scalars). */
export function namedTypes(
  types: TypeSystem,
  convention: NamingConvention,
  arrays: 'lists' | 'scalars' = 'lists',
): NamedTypes {
  const kept = made[arrays][convention]
  const known = kept.get(types) ?? { ...types, convention, ...(arrays === 'scalars' && { arraysAreScalars: true }) }
  kept.set(types, known)
  return known
}

/** A name that the engine chooses inside its types: `order_by`, `_is_null` -> `orderBy`, `_isNull`. */
export const innerName = ({ convention }: NamedTypes, name: string): string => fieldName(convention, name)

/** A type that belongs to no table: `Int_comparison_exp` -> `IntComparisonExp`. */
export const sharedTypeName = ({ convention }: NamedTypes, name: string): string => typeName(convention, name)
