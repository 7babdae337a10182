import type { TypeSystem } from '../../backends/index.ts'
import type { DatabaseType } from '../../ir/index.ts'
import type { NamingConvention } from '../../model/index.ts'
import { type EnumType, listOf, type NamedRef, nonNull, refTo, type ScalarType, type TypeRef } from './type.ts'

const scalars = new Map<string, NamedRef>()
/** Names come from databases; a database can hold any number of types over the years. */
const keptScalars = 10_000

/** A reference to a scalar by name. */
export function scalarRef(name: string): NamedRef {
  const known = scalars.get(name)
  if (known) return known
  const type: ScalarType = { kind: 'SCALAR', name, description: null }
  const ref = refTo(type)
  if (scalars.size < keptScalars) scalars.set(name, ref)
  return ref
}

export const intRef = scalarRef('Int')
export const floatRef = scalarRef('Float')
export const stringRef = scalarRef('String')
export const booleanRef = scalarRef('Boolean')
export const idRef = scalarRef('ID')

/**
 * GraphQL type of a database type, nullable: arrays are `[X!]`, or `_x` where they are scalars
 * (reference/graphql-schema#scalars).
 */
export function databaseTypeRef(types: TypeSystem, type: DatabaseType): TypeRef {
  if (!type.array) return scalarRef(types.graphqlScalar(type))
  return types.arraysAreScalars ? scalarRef(arrayScalar(type)) : listOf(nonNull(scalarRef(types.graphqlScalar(type))))
}

/** As PostgreSQL itself calls an array: `_int4`. */
export const arrayScalar = ({ name }: DatabaseType): string => `_${name}`

const lowerOrderBy: EnumType = {
  kind: 'ENUM',
  name: 'order_by',
  description: 'column ordering options',
  values: [
    { name: 'asc', description: 'in ascending order, nulls last' },
    { name: 'asc_nulls_first', description: 'in ascending order, nulls first' },
    { name: 'asc_nulls_last', description: 'in ascending order, nulls last' },
    { name: 'desc', description: 'in descending order, nulls first' },
    { name: 'desc_nulls_first', description: 'in descending order, nulls first' },
    { name: 'desc_nulls_last', description: 'in descending order, nulls last' },
  ],
}
/** `order_by` (reference/graphql-schema#generated-types), or `OrderBy` with its values in capitals (§1.8). */
export const orderByEnums: Record<NamingConvention, EnumType> = {
  'svc-default': lowerOrderBy,
  'graphql-default': {
    ...lowerOrderBy,
    name: 'OrderBy',
    values: lowerOrderBy.values.map((value) => ({ ...value, name: value.name.toUpperCase() })),
  },
}
const orderByRefs = {
  'svc-default': refTo(orderByEnums['svc-default']),
  'graphql-default': refTo(orderByEnums['graphql-default']),
}
export const orderByRef = (convention: NamingConvention): NamedRef => orderByRefs[convention]
