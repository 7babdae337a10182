import type { TypeSystem } from '../../backends/index.ts'
import type { ResolvedColumn, ResolvedEnum } from '../../model/index.ts'
import { databaseTypeRef } from './scalar-types.ts'
import { type EnumType, refTo, type TypeRef } from './type.ts'

const enums = new WeakMap<ResolvedEnum, EnumType>()

/** `<T>_enum` of an enum table (reference/database-objects#enum-tables). */
export function enumType(of: ResolvedEnum): EnumType {
  const known = enums.get(of)
  if (known) return known
  const { stored } = of
  const values = stored ? of.values.map((value) => ({ ...value, stored: stored[value.name] ?? value.name })) : of.values
  const made: EnumType = { kind: 'ENUM', name: of.name, description: null, values }
  enums.set(of, made)
  return made
}

/** GraphQL type of a column, nullable: its enum, or that of its database type. */
export function columnTypeRef(
  types: TypeSystem,
  { type, enumType: of }: Pick<ResolvedColumn, 'type' | 'enumType'>,
): TypeRef {
  return of ? refTo(enumType(of)) : databaseTypeRef(types, type)
}
