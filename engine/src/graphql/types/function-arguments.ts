import type { TypeSystem } from '../../backends/index.ts'
import type { ResolvedArgument, ResolvedComputedField, ResolvedFunction } from '../../model/index.ts'
import type { RoleTable } from './role-table.ts'
import { databaseTypeRef } from './scalar-types.ts'
import { argument } from './select-arguments.ts'
import { computedArgumentsName } from './table-names.ts'
import { byName, type InputField, type InputType, nonNull, refTo } from './type.ts'

/** An argument of a function that the client passes. */
export type UserArgument = Extract<ResolvedArgument, { kind: 'user' }>

export const userArguments = (given: readonly ResolvedArgument[]): readonly UserArgument[] =>
  given.filter((one) => one.kind === 'user')

const made = new WeakMap<RoleTable, Map<ResolvedComputedField, InputType<UserArgument>>>()

/** `<cf>_<T>_args` (reference/database-objects#computed-fields); null where the client has nothing to pass. */
export function computedFieldArguments(table: RoleTable, field: ResolvedComputedField): InputType<UserArgument> | null {
  if (userArguments(field.arguments).length === 0) return null
  const ofTable = made.get(table) ?? new Map<ResolvedComputedField, InputType<UserArgument>>()
  made.set(table, ofTable)
  const known = ofTable.get(field)
  if (known) return known
  const type = argumentsType(computedArgumentsName(table, field.name), field.arguments, table.types)
  ofTable.set(field, type)
  return type
}

const ofFunctions = new WeakMap<ResolvedFunction, InputType<UserArgument>>()

/** `<fn>_args` (reference/database-objects#tracked-functions); null where the client has nothing to pass. */
export function functionArguments({ types }: RoleTable, found: ResolvedFunction): InputType<UserArgument> | null {
  if (userArguments(found.arguments).length === 0) return null
  const known = ofFunctions.get(found) ?? argumentsType(found.argumentsName, found.arguments, types)
  ofFunctions.set(found, known)
  return known
}

/**
 * The input object of a function's arguments: all nullable, since what is missing may have a default
 * (reference/database-objects#tracked-functions).
 */
const argumentsType = (
  name: string,
  given: readonly ResolvedArgument[],
  types: TypeSystem,
): InputType<UserArgument> => ({
  kind: 'INPUT_OBJECT',
  name,
  description: null,
  fields: byName(
    userArguments(given).map((one) => ({
      name: one.field,
      description: null,
      type: one.isRequired ? nonNull(databaseTypeRef(types, one.type)) : databaseTypeRef(types, one.type),
      defaultValue: null,
      meaning: one,
    })),
  ),
})

/** The argument `args` of a field, which may be left out where everything in it may; nothing where there is none. */
export function argsArgument(type: InputType<UserArgument> | null, executed: string): readonly InputField<unknown>[] {
  if (!type) return []
  const ref = refTo(type)
  const optional = [...type.fields.values()].every(({ meaning }) => meaning.hasDefault)
  return [argument('args', `input parameters for ${executed}`, optional ? ref : nonNull(ref))]
}
