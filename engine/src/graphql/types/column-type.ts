import type { TypeSystem } from '../../backends/index.ts'
import { keptFor } from '../../kept-for.ts'
import type { ResolvedColumn, ResolvedEnum } from '../../model/index.ts'
import { databaseTypeRef } from './scalar-types.ts'
import { type EnumType, enumOf, refTo, type TypeRef } from './type.ts'

/** `<T>_enum` of an enum table (reference/database-objects#enum-tables). */
export const enumType = keptFor(({ name, stored, values }: ResolvedEnum): EnumType => {
  const held = stored ? values.map((value) => ({ ...value, stored: stored[value.name] ?? value.name })) : values
  return enumOf(name, null, held)
})

/** Returns the nullable GraphQL type of a column: its enum, or that of its database type. */
export function columnTypeRef(
  types: TypeSystem,
  { type, enumType: of }: Pick<ResolvedColumn, 'type' | 'enumType'>,
): TypeRef {
  return of ? refTo(enumType(of)) : databaseTypeRef(types, type)
}
