import type { TypeSystem } from '../../backends/index.ts'
import { ApiError, type Path } from '../../errors.ts'
import type { FunctionArgument, FunctionCall, QualifiedName, Value } from '../../ir/index.ts'
import { givenByEngine, type ResolvedArgument } from '../../model/index.ts'
import type { GivenArgument } from '../selection/arguments.ts'
import type { Context } from '../selection/context.ts'
import { open } from '../selection/input.ts'
import type { UserArgument } from '../types/function-arguments.ts'
import { type InputType, refTo } from '../types/type.ts'
import { planInputFields } from './input-field.ts'
import { constantValue, scalarValue } from './scalar-value.ts'

interface Callable {
  readonly function: QualifiedName
  readonly set: boolean
  readonly volatile?: boolean
  readonly arguments: readonly ResolvedArgument[]
}

/**
 * Plans a function's call with the client's `args` (reference/database-objects#tracked-functions). What is left out
 * takes its default; from there on arguments are named. Throws not-supported at `.args.args` for one that cannot be
 * left out.
 */
export function planCall(
  context: Context,
  { function: name, set, volatile = false, arguments: declared }: Callable,
  type: InputType<UserArgument> | null,
  args: GivenArgument | undefined,
  types: TypeSystem,
  path: Path,
): FunctionCall {
  const values = type && args ? givenValues(context, type, args, types) : new Map<string, Value>()
  const given: FunctionArgument[] = []
  let byName = false
  for (const one of declared) {
    const [own] = givenByEngine(one)
    const value = one.kind === 'user' ? values.get(one.field) : undefined
    const of = own?.of ?? (value && ({ kind: 'value', value } as const))
    if (!of) {
      if (one.kind === 'user' && !one.hasDefault)
        throw new ApiError('not-supported', args?.path ?? path, 'Non default arguments cannot be omitted')
      byName = true
      continue
    }
    if (byName && one.name === null)
      throw new ApiError('not-supported', args?.path ?? path, 'Only last set of positional arguments can be omitted')
    given.push({ name: byName ? one.name : null, of })
  }
  return { function: name, set, ...(volatile && { volatile }), arguments: given }
}

function givenValues(
  context: Context,
  type: InputType<UserArgument>,
  { raw, field, path }: GivenArgument,
  types: TypeSystem,
): ReadonlyMap<string, Value> {
  const input = open(context, raw, field.type.kind === 'non-null' ? field.type : refTo(type), false, path)
  return new Map(
    planInputFields(context, type, input, path, ({ name, meaning }, given, at) => {
      const valueType = { type: meaning.type, list: false }
      const value = scalarValue(context, given, types, valueType, at)
      return [name, value ?? constantValue(types, valueType, null, at)] as const
    }),
  )
}
