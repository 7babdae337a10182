import { type FieldNode, Kind, type SelectionNode } from 'graphql'
import { invalid, type Path } from '../../errors.ts'
import type { VisibleRemote } from '../../model/index.ts'
import { namedTypeOf, outputField, possibleTypes } from '../../remote-schemas/index.ts'
import { argumentInputs, type GivenArgument } from '../selection/arguments.ts'
import { askFor, askInput } from '../selection/ask-input.ts'
import { type Context, countSelection, deeper } from '../selection/context.ts'
import { isIncluded } from '../selection/read-directives.ts'
import type { SelectedField } from '../selection/selected-fields.ts'
import type { QueryRootMeaning } from '../types/query-root-type.ts'
import type { RemoteMeaning } from '../types/remote-types.ts'
import { type Field, type NamedType, namedOf } from '../types/type.ts'
import { type AskedFields, askField } from './asked-fields.ts'
import { expectedAnswer } from './expected-answer.ts'
import { argumentsText, upstreamType } from './remote-arguments.ts'
import { asJoin, joinText, planPendingJoins } from './remote-type-join.ts'
import {
  definitionsOf,
  nothingAlias,
  ownAlias,
  type PlannedRemote,
  type RemoteWalk,
  remoteWalk,
  typenameType,
  variablesOf,
} from './remote-walk.ts'

type RemoteRootMeaning = Extract<QueryRootMeaning, { readonly kind: 'remote' }>

/** Plans a root field of a remote schema: its text, cut down to what the role may use. Throws validation-failed. */
export function planRemote(
  context: Context,
  { as, field, args, selections, path }: SelectedField<QueryRootMeaning>,
  meaning: RemoteRootMeaning,
): PlannedRemote {
  const { visible, root } = meaning
  const { remote } = visible
  context.uses.add('remote', remote.name)
  const walk = remoteWalk(context, visible)
  const asked: AskedFields = new Map()
  const own = fieldText(walk, field, as, args, selections, path, asked)
  const definitions = definitionsOf(walk)
  planPendingJoins(walk)
  const answer = asked.get(as)
  if (!answer) throw new Error(`the walk did not request ${as}`)
  return {
    kind: 'remote',
    responseKey: as,
    remote: remote.name,
    operation: root,
    rest: `${definitions.length > 0 ? `(${definitions.join(', ')}) ` : ''}{ ${own} }${walk.fragments.join('')}`,
    ...variablesOf(walk),
    expected: expectedAnswer(remote, answer),
    path,
  }
}

function fieldText(
  walk: RemoteWalk,
  field: Field<unknown>,
  as: string,
  args: ReadonlyMap<string, GivenArgument>,
  selections: readonly SelectionNode[],
  path: Path,
  fields: AskedFields,
): string {
  const { type, field: upstream } = field.meaning as RemoteMeaning
  const own = outputField(walk.visible.types, type, upstream)
  if (!own) throw new Error(`the walk reached ${type}.${upstream}, which the role does not see`)
  const alias = as === upstream ? upstream : `${as}: ${upstream}`
  for (const given of args.values()) askInput(walk.context, given.field.type, given.raw)
  const texts = argumentsText(walk, type, own, args)
  const given = texts === '' ? '' : `(${texts})`
  const below = askField(fields, as, { types: [own.type], isRequired: walk.conditions === 0 })
  if (selections.length === 0) return `${alias}${given}`
  const inside = selectionText(walk, namedTypeOf(own.type), selections, path.at('selectionSet'), below)
  return `${alias}${given} { ${inside} }`
}

/** Returns a selection set as the remote schema gets it, and adds its fields to `fields`. Throws validation-failed. */
export function selectionText(
  walk: RemoteWalk,
  typeName: string,
  selections: readonly SelectionNode[],
  path: Path,
  fields: AskedFields,
): string {
  const { context } = walk
  const type = context.schema.remoteType(walk.visible, typeName)
  if (!type) throw new Error(`the walk reached ${typeName}, which the role does not see`)
  return deeper(context, path, () => {
    const text = onlyVisible(walk, typeName, selections, () =>
      selections.flatMap((selection) => textsOf(walk, type, typeName, selection, path, fields)).join(' '),
    )
    if (text !== '') return text
    // GraphQL has no empty selection set
    askField(fields, nothingAlias, { types: [typenameType], isHidden: true })
    return `${nothingAlias}: __typename`
  })
}

function textsOf(
  walk: RemoteWalk,
  type: NamedType,
  typeName: string,
  selection: SelectionNode,
  path: Path,
  fields: AskedFields,
): readonly string[] {
  const { context } = walk
  countSelection(context)
  switch (selection.kind) {
    case Kind.FIELD:
      if (!isIncluded(context, selection.directives, 'FIELD', path)) return []
      return [selectedText(walk, type, typeName, selection, path, fields)]
    case Kind.INLINE_FRAGMENT: {
      if (!isIncluded(context, selection.directives, 'INLINE_FRAGMENT', path)) return []
      const condition = selection.typeCondition?.name.value
      return fragmentText(walk, typeName, condition, selection.selectionSet.selections, path, fields)
    }
    case Kind.FRAGMENT_SPREAD: {
      const name = selection.name.value
      const fragment = context.fragments.get(name)
      if (!fragment) throw invalid(path, `reference to undefined fragment "${name}"`)
      if (!isIncluded(context, selection.directives, 'FRAGMENT_SPREAD', path)) return []
      const { typeCondition, selectionSet } = fragment
      return fragmentText(walk, typeName, typeCondition.name.value, selectionSet.selections, path, fields)
    }
  }
}

function selectedText(
  walk: RemoteWalk,
  type: NamedType,
  typeName: string,
  selection: FieldNode,
  path: Path,
  fields: AskedFields,
): string {
  const name = selection.name.value
  const as = selection.alias?.value ?? name
  const at = path.field(name, as)
  if (as.startsWith(ownAlias)) throw invalid(at, `names that begin with "${ownAlias}" are taken in remote schemas`)
  if (name === '__typename') {
    askField(fields, as, { typenameOf: [typeName], isRequired: walk.conditions === 0 })
    return as === name ? name : `${as}: ${name}`
  }
  const field = type.kind === 'OBJECT' || type.kind === 'INTERFACE' ? type.fields.get(name) : undefined
  if (!field) throw invalid(at, `field '${name}' not found in type: '${type.name}'`)
  const selections = selection.selectionSet?.selections ?? []
  const { typeKind, name: shown } = namedOf(field.type)
  const isLeaf = typeKind === 'SCALAR' || typeKind === 'ENUM'
  if (isLeaf && selections.length > 0) throw invalid(at, 'unexpected subselection set for non-object field')
  if (!isLeaf && selections.length === 0) throw invalid(at.at('selectionSet'), `missing selection set for '${shown}'`)
  const args = argumentInputs(walk.context, name, field.args, selection.arguments ?? [], at)
  askFor(walk.context, type.name, name, args)
  const join = asJoin(field)
  if (join) {
    const selected = { kind: 'field', as, field: join, args, selections, path: at } as const
    return joinText(walk, typeName, selection, selected, fields)
  }
  return fieldText(walk, field, as, args, selections, at, fields)
}

/** A fragment stands in its place, under the upstream name of its type. */
function fragmentText(
  walk: RemoteWalk,
  typeName: string,
  condition: string | undefined,
  selections: readonly SelectionNode[],
  path: Path,
  fields: AskedFields,
): readonly string[] {
  const upstream = condition === undefined ? typeName : upstreamType(walk.visible, condition)
  // what the role does not see, or not in this place, is never there
  if (upstream === undefined || !seenFrom(walk.visible, typeName, upstream)) return []
  const isCondition = !isAlways(walk.visible, typeName, upstream)
  if (isCondition) walk.conditions++
  const text = `... on ${upstream} { ${selectionText(walk, upstream, selections, path, fields)} }`
  if (isCondition) walk.conditions--
  return [text]
}

/** Whether each object of a type is of the other one too. */
function isAlways({ remote }: VisibleRemote, type: string, condition: string): boolean {
  const own = remote.types.types.get(type)
  return (
    type === condition || ((own?.kind === 'OBJECT' || own?.kind === 'INTERFACE') && own.interfaces.includes(condition))
  )
}

/** Whether an object of a type may be of the other one too, as the role sees them. */
function seenFrom({ types }: VisibleRemote, type: string, condition: string): boolean {
  const possible = possibleTypes(types, condition)
  return possibleTypes(types, type).some((one) => possible.includes(one))
}

/**
 * Returns a selection set of a type, as text, cut down to the objects that the role has there: a union or interface may
 * lack some of those that the remote schema has. Nothing is selected of the others, not even the name of their type
 * (docs/remote-schemas.md, "Permissions"). What is repeated for several types is a fragment, so that the text grows
 * with the document only.
 */
function onlyVisible(
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
