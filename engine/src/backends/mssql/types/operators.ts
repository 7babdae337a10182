import type { DatabaseType } from '../../../ir/index.ts'
import { generalOperators, type OperatorDeclaration, selfOperators } from '../../backend.ts'
import { isType, knownType } from './known-types.ts'

const sorted = (declarations: readonly OperatorDeclaration[]): readonly OperatorDeclaration[] =>
  declarations.toSorted((a, b) => (a.name < b.name ? -1 : 1))

const ofText = sorted([...generalOperators, ...selfOperators(['_like', '_nlike'])])
const spatial = ['_st_contains', '_st_equals', '_st_intersects', '_st_overlaps', '_st_within']
const ofGeography = sorted([...generalOperators, ...selfOperators(spatial)])
const ofGeometry = sorted([...generalOperators, ...selfOperators([...spatial, '_st_crosses', '_st_touches'])])

/** Returns the operators of a column of this type, sorted by name as introspection shows them. */
export function operators(type: DatabaseType): readonly OperatorDeclaration[] {
  if (isType(type, 'geography')) return ofGeography
  if (isType(type, 'geometry')) return ofGeometry
  return knownType(type).family === 'text' ? ofText : generalOperators
}
