import type { TypeSystem } from '../../backends/index.ts'
import { keptFor, keptForEach } from '../../kept-for.ts'
import type { ResolvedArgument, ResolvedComputedField, ResolvedFunction } from '../../model/index.ts'
import type { RoleTable } from './role-table.ts'
import { databaseTypeRef } from './scalar-types.ts'
import { computedArgumentsName } from './table-names.ts'
import { argument, type InputField, type InputType, inputType, namedInput, nonNull, refTo } from './type.ts'

/** An argument of a function that the client passes. */
export type UserArgument = Extract<ResolvedArgument, { kind: 'user' }>

export const userArguments = (given: readonly ResolvedArgument[]): readonly UserArgument[] =>
  given.filter((one) => one.kind === 'user')

/** `<cf>_<T>_args` (reference/database-objects#computed-fields); null where the client has nothing to pass. */
export const computedFieldArguments = keptForEach((table: RoleTable, field: ResolvedComputedField) =>
  argumentsType(computedArgumentsName(table, field.name), field.arguments, table.types),
)

const ofFunction = keptFor((found: ResolvedFunction, types: TypeSystem) =>
  argumentsType(found.argumentsName, found.arguments, types),
)

/** `<fn>_args` (reference/database-objects#tracked-functions); null where the client has nothing to pass. */
export const functionArguments = ({ types }: RoleTable, found: ResolvedFunction): InputType<UserArgument> | null =>
  ofFunction(found, types)

/**
 * The input object of a function's arguments: all nullable, since what is missing may have a default
 * (reference/database-objects#tracked-functions). Null where there are none.
 */
function argumentsType(
  name: string,
  given: readonly ResolvedArgument[],
  types: TypeSystem,
): InputType<UserArgument> | null {
  const fields = userArguments(given).map((one) => {
    const ref = databaseTypeRef(types, one.type)
    return namedInput(one.field, one.isRequired ? nonNull(ref) : ref, one)
  })
  return fields.length === 0 ? null : inputType(name, null, fields)
}

/** Returns the argument `args` of a computed field. */
export const computedArgs = (table: RoleTable, field: ResolvedComputedField): readonly InputField<unknown>[] =>
  argsArgument(computedFieldArguments(table, field), `computed field "${field.name}" defined on table "${table.name}"`)

/** Returns the argument `args` of a field, which may be left out where everything in it may; nothing where there is none. */
export function argsArgument(type: InputType<UserArgument> | null, executed: string): readonly InputField<unknown>[] {
  if (!type) return []
  const ref = refTo(type)
  const optional = [...type.fields.values()].every(({ meaning }) => meaning.hasDefault)
  return [argument('args', `input parameters for ${executed}`, optional ? ref : nonNull(ref))]
}
