import type { ArgumentNode } from 'graphql'
import { invalid, type Path } from '../../errors.ts'
import type { InputField } from '../types/type.ts'
import { type Context, countInput } from './context.ts'
import { isLeftOut, type RawInput } from './input.ts'

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
