import { Kind, type SelectionNode } from 'graphql'
import type { VisibleRemote } from '../../model/index.ts'
import { possibleTypes } from '../../remote-schemas/index.ts'
import { upstreamType } from './remote-arguments.ts'
import type { RemoteWalk } from './remote-walk.ts'

/** Whether an object of a type may be of the other one too, as the role sees them. */
export function seenFrom({ types }: VisibleRemote, type: string, condition: string): boolean {
  const possible = possibleTypes(types, condition)
  return possibleTypes(types, type).some((one) => possible.includes(one))
}

/**
 * Returns a selection set of a type, as text, cut down to the objects that the role has there: a union or interface may
 * lack some of those that the remote schema has. Nothing is selected of the others, not even the name of their type
 * (docs/remote-schemas.md, "Permissions"). What is repeated for several types is a fragment, so that the text grows
 * with the document only.
 */
export function onlyVisible(
  walk: RemoteWalk,
  typeName: string,
  selections: readonly SelectionNode[],
  textOf: () => string,
): string {
  const { visible, fragments } = walk
  const possible = possibleTypes(visible.types, typeName)
  const isWhole = possible.length === possibleTypes(visible.remote.types, typeName).length
  if (isWhole || selections.every((selection) => isOfObjects(walk, selection))) return textOf()
  if (possible.length === 0) return ''
  walk.conditions++
  const text = textOf()
  walk.conditions--
  if (text === '') return ''
  const [first, ...others] = possible
  if (others.length === 0) return `... on ${first} { ... on ${typeName} { ${text} } }`
  const name = `svc_visible_${fragments.length}`
  fragments.push(` fragment ${name} on ${typeName} { ${text} }`)
  return possible.map((one) => `... on ${one} { ...${name} }`).join(' ')
}

/** A fragment on an object type selects of nothing else. */
function isOfObjects({ context, visible }: RemoteWalk, selection: SelectionNode): boolean {
  if (selection.kind === Kind.FIELD) return false
  const fragment = selection.kind === Kind.INLINE_FRAGMENT ? selection : context.fragments.get(selection.name.value)
  const condition = fragment?.typeCondition && upstreamType(visible, fragment.typeCondition.name.value)
  return condition === undefined || visible.types.types.get(condition)?.kind === 'OBJECT'
}
