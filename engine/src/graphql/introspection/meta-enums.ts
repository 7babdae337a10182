import { type EnumType, enumOf } from '../types/type.ts'

const enumType = (name: string, values: readonly string[]): EnumType =>
  enumOf(
    name,
    null,
    values.map((value) => ({ name: value, description: null })),
  )

/** `__TypeKind` */
export const typeKind = enumType('__TypeKind', [
  'ENUM',
  'INPUT_OBJECT',
  'INTERFACE',
  'LIST',
  'NON_NULL',
  'OBJECT',
  'SCALAR',
  'UNION',
])

/** `__DirectiveLocation` */
export const directiveLocation = enumType('__DirectiveLocation', [
  'ARGUMENT_DEFINITION',
  'ENUM',
  'ENUM_VALUE',
  'FIELD',
  'FIELD_DEFINITION',
  'FRAGMENT_DEFINITION',
  'FRAGMENT_SPREAD',
  'INLINE_FRAGMENT',
  'INPUT_FIELD_DEFINITION',
  'INPUT_OBJECT',
  'INTERFACE',
  'MUTATION',
  'OBJECT',
  'QUERY',
  'SCALAR',
  'SCHEMA',
  'SUBSCRIPTION',
  'UNION',
  'VARIABLE_DEFINITION',
])
