import type { ResolvedNativeQuery } from '../../model/index.ts'
import type { NamedTypes } from './named-types.ts'
import { databaseTypeRef } from './scalar-types.ts'
import { argument } from './select-arguments.ts'
import { byName, type InputField, type InputType, nonNull, refTo } from './type.ts'

export type NativeArgument = ResolvedNativeQuery['arguments'][number]

const made = new WeakMap<ResolvedNativeQuery, InputType<NativeArgument>>()

/** `<name>_arguments` (reference/database-objects#native-queries); null where the client has nothing to pass. */
export function nativeQueryArguments(types: NamedTypes, query: ResolvedNativeQuery): InputType<NativeArgument> | null {
  if (query.arguments.length === 0) return null
  const known = made.get(query)
  if (known) return known
  const type: InputType<NativeArgument> = {
    kind: 'INPUT_OBJECT',
    name: query.argumentsName,
    description: `Arguments of the native query "${query.name}"`,
    fields: byName(
      query.arguments.map((one) => {
        const ref = databaseTypeRef(types, one.type)
        return {
          name: one.name,
          description: one.description,
          type: one.nullable ? ref : nonNull(ref),
          defaultValue: null,
          meaning: one,
        }
      }),
    ),
  }
  made.set(query, type)
  return type
}

/** The argument `args` of what leads to a native query; nothing where there is none. */
export function nativeArgs(types: NamedTypes, query: ResolvedNativeQuery): readonly InputField<unknown>[] {
  const type = nativeQueryArguments(types, query)
  return type ? [argument('args', `${query.name} arguments`, nonNull(refTo(type)))] : []
}
