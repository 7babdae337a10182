import type { DatabaseType } from '../../../ir/index.ts'
import type { OperatorDeclaration } from '../../backend.ts'
import { baseType, elementName } from './database-type.ts'

type Argument = OperatorDeclaration['argument']

const self: Argument = { kind: 'self' }

const all = (names: readonly string[]): readonly OperatorDeclaration[] =>
  names.map((name) => ({ name, argument: self }))

/** Of every type but GEOGRAPHY. */
const generic: readonly OperatorDeclaration[] = [
  ...all(['_eq', '_gt', '_gte']),
  { name: '_in', argument: { kind: 'list' } },
  { name: '_is_null', argument: { kind: 'boolean' } },
  ...all(['_lt', '_lte', '_neq']),
  { name: '_nin', argument: { kind: 'list' } },
]

const within: Argument = {
  kind: 'object',
  name: 'st_dwithin_input',
  fields: [
    { name: 'distance', type: baseType('FLOAT64'), required: true },
    { name: 'from', type: baseType('GEOGRAPHY'), required: true },
    { name: 'use_spheroid', type: baseType('BOOL'), required: false, default: false },
  ],
}

const spatial: readonly OperatorDeclaration[] = [
  ...all(['_st_contains', '_st_equals', '_st_intersects', '_st_touches', '_st_within']),
  { name: '_st_d_within', argument: within },
]

const bytes = [...generic, ...all(['_like', '_nlike'])]
const text = [...bytes, ...all(['_ilike', '_nilike'])]

/** Operators of a column of this type (reference/filters#operators). */
export function operators(type: DatabaseType): readonly OperatorDeclaration[] {
  switch (elementName(type)) {
    case 'STRING':
      return text
    case 'BYTES':
      return bytes
    case 'GEOGRAPHY':
      return spatial
  }
  return generic
}
