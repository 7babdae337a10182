import type { NullsOrder, TypeSystem } from '../../backends/index.ts'
import type { DatabaseType } from '../../ir/index.ts'
import type { NamingConvention } from '../../model/index.ts'
import type { NamedTypes } from './named-types.ts'
import { type EnumType, enumOf, listOf, type NamedRef, nonNull, refTo, type ScalarType, type TypeRef } from './type.ts'

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

/** Returns the scalar of an array type, by PostgreSQL's own name for it: `_int4`. */
export const arrayScalar = ({ name }: DatabaseType): string => `_${name}`

const directionText = { asc: 'in ascending order', desc: 'in descending order' }

function makeOrderBy(convention: NamingConvention, nulls: NullsOrder): EnumType {
  const isDefault = convention === 'svc-default'
  const value = (name: string, text: string) => ({ name: isDefault ? name : name.toUpperCase(), description: text })
  const values = (['asc', 'desc'] as const).flatMap((direction) => {
    const text = directionText[direction]
    return [
      value(direction, `${text}, nulls ${nulls[direction]}`),
      value(`${direction}_nulls_first`, `${text}, nulls first`),
      value(`${direction}_nulls_last`, `${text}, nulls last`),
    ]
  })
  return enumOf(isDefault ? 'order_by' : 'OrderBy', 'column ordering options', values)
}

interface OrderBy {
  readonly type: EnumType
  readonly ref: NamedRef
}
const orderBys = new Map<string, OrderBy>()

function orderBy({ convention, features: { nulls } }: NamedTypes): OrderBy {
  const key = `${convention} ${nulls.asc} ${nulls.desc}`
  const known = orderBys.get(key)
  if (known) return known
  const type = makeOrderBy(convention, nulls)
  const made = { type, ref: refTo(type) }
  orderBys.set(key, made)
  return made
}

/**
 * `order_by` (reference/graphql-schema#generated-types), or `OrderBy` with its values in capitals (§1.8). Sources whose
 * databases put nulls elsewhere share its name.
 */
export const orderByEnum = (types: NamedTypes): EnumType => orderBy(types).type
export const orderByRef = (types: NamedTypes): NamedRef => orderBy(types).ref
