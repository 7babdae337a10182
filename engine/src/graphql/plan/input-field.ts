import { invalid, type Path } from '../../errors.ts'
import type { InputField, InputType } from '../types/type.ts'

/** Returns a field of an input type. Throws validation-failed `field 'x' not found in type: 'T'` at its path. */
export function inputField<M>(type: InputType<M>, name: string, path: Path): InputField<M> {
  const field = type.fields.get(name)
  if (field) return field
  throw invalid(path, `field '${name}' not found in type: '${type.name}'`)
}
