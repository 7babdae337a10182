import { invalid, type Path } from '../../errors.ts'
import type { Context } from '../selection/context.ts'
import { type Input, objectEntries, type RawInput } from '../selection/input.ts'
import type { InputField, InputType } from '../types/type.ts'

/** Returns a field of an input type. Throws validation-failed `field 'x' not found in type: 'T'` at its path. */
export function inputField<M>(type: InputType<M>, name: string, path: Path): InputField<M> {
  const field = type.fields.get(name)
  if (field) return field
  throw invalid(path, `field '${name}' not found in type: '${type.name}'`)
}

/**
 * Plans each field of an input object, in the client's order. Throws validation-failed where the value is no object or has
 * a field that its type does not have.
 */
export const planInputFields = <M, Planned>(
  context: Context,
  type: InputType<M>,
  input: Input,
  path: Path,
  plan: (field: InputField<M>, raw: RawInput, path: Path) => Planned,
): readonly Planned[] =>
  objectEntries(context, input, type.name, path).map(({ key, raw }) => {
    const at = path.at(key)
    return plan(inputField(type, key, at), raw, at)
  })
