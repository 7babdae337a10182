import type { DatabaseType } from '../../../ir/index.ts'
import type { OperatorDeclaration } from '../../backend.ts'
import { isType, knownType } from './known-types.ts'

const self = { kind: 'self' } as const
const declare = (names: readonly string[]): readonly OperatorDeclaration[] =>
  names.map((name) => ({ name, argument: self }))

const generic: readonly OperatorDeclaration[] = [
  ...declare(['_eq', '_gt', '_gte']),
  { name: '_in', argument: { kind: 'list' } },
  { name: '_is_null', argument: { kind: 'boolean' } },
  ...declare(['_lt', '_lte', '_neq']),
  { name: '_nin', argument: { kind: 'list' } },
]

const sorted = (declarations: readonly OperatorDeclaration[]): readonly OperatorDeclaration[] =>
  declarations.toSorted((a, b) => (a.name < b.name ? -1 : 1))

const ofText = sorted([...generic, ...declare(['_like', '_nlike'])])
const spatial = ['_st_contains', '_st_equals', '_st_intersects', '_st_overlaps', '_st_within']
const ofGeography = sorted([...generic, ...declare(spatial)])
const ofGeometry = sorted([...generic, ...declare([...spatial, '_st_crosses', '_st_touches'])])

/** Operators of a column of this type, sorted by name as introspection shows them. */
export function operators(type: DatabaseType): readonly OperatorDeclaration[] {
  if (isType(type, 'geography')) return ofGeography
  if (isType(type, 'geometry')) return ofGeometry
  return knownType(type).family === 'text' ? ofText : generic
}
