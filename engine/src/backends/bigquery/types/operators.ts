import type { DatabaseType } from '../../../ir/index.ts'
import { generalOperators, type OperatorDeclaration, selfOperators } from '../../backend.ts'
import { baseType, elementName } from './database-type.ts'

type Argument = OperatorDeclaration['argument']

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
  ...selfOperators(['_st_contains', '_st_equals', '_st_intersects', '_st_touches', '_st_within']),
  { name: '_st_d_within', argument: within },
]

const bytes = [...generalOperators, ...selfOperators(['_like', '_nlike'])]
const text = [...bytes, ...selfOperators(['_ilike', '_nilike'])]

/** Returns the operators of a column of this type (reference/filters#operators). */
export function operators(type: DatabaseType): readonly OperatorDeclaration[] {
  switch (elementName(type)) {
    case 'STRING':
      return text
    case 'BYTES':
      return bytes
    case 'GEOGRAPHY':
      return spatial
  }
  return generalOperators
}
