import type { ArgumentNode } from 'graphql'
import { invalid, type Path } from '../../errors.ts'
import type { InputField } from '../types/type.ts'
import { type Context, countInput } from './context.ts'
import { type Input, isLeftOut, open, type RawInput } from './input.ts'

export interface GivenArgument {
  readonly field: InputField<unknown>
  readonly raw: RawInput
  readonly path: Path
}

/**
 * The arguments of a field or directive by name. Throws validation-failed at `path` for unknown ones and at
 * `.args.<name>` for missing ones (reference/queries#validation).
 */
export function argumentInputs(
  context: Context,
  of: string,
  declared: ReadonlyMap<string, InputField<unknown>>,
  given: readonly ArgumentNode[],
  path: Path,
): ReadonlyMap<string, GivenArgument> {
  if (given.length === 0 && declared.size === 0) return noneGiven
  const args = new Map<string, GivenArgument>()
  for (const node of given) {
    const name = node.name.value
    const field = declared.get(name)
    if (!field) throw invalid(path, `'${of}' has no argument named '${name}'`)
    if (args.has(field.key ?? name)) throw invalid(path, `argument '${name}' is given more than once`)
    if (isLeftOut(context, node.value)) continue
    countInput(context, path)
    args.set(field.key ?? name, { field, raw: { kind: 'node', node: node.value }, path: path.at('args', name) })
  }
  for (const field of declared.values())
    if (field.type.kind === 'non-null' && field.defaultValue === null && !args.has(field.key ?? field.name))
      throw invalid(path.at('args', field.name), `missing required field '${field.name}'`)
  return args
}

const noneGiven: ReadonlyMap<string, GivenArgument> = new Map()

/** Returns an argument that the schema requires. Throws validation-failed where there is none. */
export function requiredArgument(
  { args, path }: { readonly args: ReadonlyMap<string, GivenArgument>; readonly path: Path },
  name: string,
): GivenArgument {
  const given = args.get(name)
  if (given) return given
  throw invalid(path.at('args', name), `missing required field '${name}'`)
}

/** Returns an argument's value, its variable's if it is one. Throws validation-failed for a variable of another type. */
export const openArgument = (context: Context, { raw, field, path }: GivenArgument): Input =>
  open(context, raw, field.type, false, path)
