import { keptFor } from '../../kept-for.ts'
import type { ResolvedNativeQuery } from '../../model/index.ts'
import type { NamedTypes } from './named-types.ts'
import { databaseTypeRef } from './scalar-types.ts'
import { argument, type InputField, type InputType, inputType, namedInput, nonNull, refTo } from './type.ts'

export type NativeArgument = ResolvedNativeQuery['arguments'][number]

const ofQuery = keptFor((query: ResolvedNativeQuery, types: NamedTypes): InputType<NativeArgument> => {
  const fields = query.arguments.map((one) => {
    const ref = databaseTypeRef(types, one.type)
    return namedInput(one.name, one.nullable ? ref : nonNull(ref), one, one.description)
  })
  return inputType(query.argumentsName, `Arguments of the native query "${query.name}"`, fields)
})

/** `<name>_arguments` (reference/database-objects#native-queries); null where the client has nothing to pass. */
export const nativeQueryArguments = (types: NamedTypes, query: ResolvedNativeQuery) =>
  query.arguments.length === 0 ? null : ofQuery(query, types)

/** The argument `args` of what leads to a native query; nothing where there is none. */
export function nativeArgs(types: NamedTypes, query: ResolvedNativeQuery): readonly InputField<unknown>[] {
  const type = nativeQueryArguments(types, query)
  return type ? [argument('args', `${query.name} arguments`, nonNull(refTo(type)))] : []
}
