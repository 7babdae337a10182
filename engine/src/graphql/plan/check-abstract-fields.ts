import { Kind, type SelectionNode } from 'graphql'
import { invalid, type Path } from '../../errors.ts'
import { type Context, deeper } from '../selection/context.ts'
import type { AbstractType } from '../types/type.ts'

/**
 * Checks a selection on an interface or union. Outside of fragments on its types an interface has what all of them
 * have, a union nothing. Throws validation-failed.
 */
export function checkAbstractFields(
  context: Context,
  type: AbstractType,
  selections: readonly SelectionNode[],
  path: Path,
  seen: Set<readonly SelectionNode[]> = new Set(),
): void {
  // fragments may bring each other in any number of times
  if (seen.has(selections)) return
  seen.add(selections)
  deeper(context, path, () => {
    for (const selection of selections) {
      if (selection.kind === Kind.FIELD) {
        const name = selection.name.value
        const isThere = name === '__typename' || (type.kind === 'INTERFACE' && type.fields.get(name))
        if (!isThere) throw invalid(path.at('selectionSet', name), `field '${name}' not found in type: '${type.name}'`)
        continue
      }
      const fragment = selection.kind === Kind.INLINE_FRAGMENT ? selection : context.fragments.get(selection.name.value)
      const condition = fragment?.typeCondition?.name.value ?? type.name
      if (fragment && condition === type.name)
        checkAbstractFields(context, type, fragment.selectionSet.selections, path, seen)
    }
  })
}
