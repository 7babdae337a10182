import { fieldName, generatedType, type NamePiece } from '../../model/index.ts'
import type { RoleTable } from './role-table.ts'

/**
 * A type that belongs to a table: `bool_exp` -> `T_bool_exp`, as its source spells it
 * (reference/graphql-schema#the-naming-convention-graphql-default, reference/graphql-schema#customization-of-a-source).
 */
export const tableTypeName = ({ table: { naming, baseName } }: RoleTable, ...parts: readonly NamePiece[]): string =>
  generatedType(naming, ...(baseName === null ? [] : [baseName]), ...parts)

/** `<cf>_<T>_args` */
export const computedArgumentsName = ({ table: { naming, baseName } }: RoleTable, field: string): string =>
  generatedType(naming, field, ...(baseName === null ? [] : [baseName]), 'args')

/** A field that stands next to a relationship or computed field: `<rel>_aggregate`. */
export const besideField = ({ types: { convention } }: RoleTable, name: string, part: string): string =>
  fieldName(convention, { custom: name }, part)

/**
 * Customised prefixes and suffixes are left out of these names (reference/graphql-schema#customization-of-a-source),
 * which are spelled like fields (§1.8).
 */
export const predicateTypeName = ({ table: { naming, baseName } }: RoleTable, ...parts: readonly NamePiece[]): string =>
  fieldName(naming.convention, ...(baseName === null ? [] : [baseName]), ...parts)
