import { ApiError } from '../../errors.ts'
import type { PlanMeta } from './meta-object.ts'

const deepest = 2

/**
 * Lists of types inside lists of types multiply: `fields { type { fields { type { fields …` would print every path
 * through the schema. Tools nest them once. Throws validation-failed beyond two.
 */
export function nestedTypes<V>(plan: PlanMeta<V>): PlanMeta<V> {
  return (context, selected) => {
    context.nestedTypeLists++
    if (context.nestedTypeLists > deepest)
      throw new ApiError(
        'validation-failed',
        selected.path,
        `the introspection is nested too deeply: fields of types of fields may be asked ${deepest} levels deep`,
      )
    const planned = plan(context, selected)
    context.nestedTypeLists--
    return planned
  }
}
