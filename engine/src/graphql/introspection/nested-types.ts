import { invalid } from '../../errors.ts'
import type { MetaField } from './meta-object.ts'

const deepest = 2

/**
 * Lists of types inside lists of types multiply: `fields { type { fields { type { fields …` would print every path
 * through the schema. Tools nest them once. Throws validation-failed beyond two.
 */
export const nestedTypes = <V>(field: MetaField<V>): MetaField<V> => ({
  ...field,
  meaning(context, selected) {
    context.nestedTypeLists++
    if (context.nestedTypeLists > deepest)
      throw invalid(
        selected.path,
        `the introspection is nested too deeply: fields of types of fields may be asked ${deepest} levels deep`,
      )
    const planned = field.meaning(context, selected)
    context.nestedTypeLists--
    return planned
  },
})
