import { type ArgumentNode, type FieldNode, Kind, type SelectionNode } from 'graphql'
import { invalid, type Path } from '../../errors.ts'
import { entityUnion } from '../types/federation-types.ts'
import { type Field, type InterfaceType, type NamedType, namedOf, type ObjectType } from '../types/type.ts'
import { argumentInputs, type GivenArgument } from './arguments.ts'
import { askFor } from './ask-input.ts'
import { type Context, countSelection, deeper } from './context.ts'
import { isIncluded } from './read-directives.ts'
import { sameArguments } from './same-arguments.ts'

export type Selected<M> = { readonly kind: 'typename'; readonly as: string; readonly name: string } | SelectedField<M>

export interface SelectedField<M> {
  readonly kind: 'field'
  readonly as: string
  readonly field: Field<M>
  readonly args: ReadonlyMap<string, GivenArgument>
  /** Of all selections of this response key. */
  readonly selections: readonly SelectionNode[]
  readonly path: Path
}

/**
 * What a selection set selects of a type, fragments inlined, directives applied, equal response keys merged at their
 * first place (reference/queries#validation, reference/queries#directives-and-introspection). `path` is the path of the
 * field that has the selection set.
 */
export function selectedFields<M>(
  context: Context,
  type: ObjectType<M>,
  selections: readonly SelectionNode[],
  path: Path,
): readonly Selected<M>[] {
  const inside = path.at('selectionSet')
  if (selections.length === 0) throw invalid(inside, `missing selection set for '${type.name}'`)
  const merged = new Map<string, MergedField>()
  collect(context, namesOf(type), selections, merged, inside)
  return [...merged].map(([as, field]) => resolve(context, type, as, field, inside))
}

/** What a fragment's condition may say of a type. */
const namesOf = ({ name, interfaces = none, entityKey }: ObjectType<unknown>): readonly string[] => [
  name,
  ...interfaces.map((one) => one.name),
  ...(entityKey ? [entityUnion.name] : []),
]
const none: readonly InterfaceType[] = []

interface MergedField {
  readonly first: FieldNode
  readonly selections: SelectionNode[]
}

function collect(
  context: Context,
  names: readonly string[],
  selections: readonly SelectionNode[],
  into: Map<string, MergedField>,
  path: Path,
): void {
  for (const selection of selections) {
    countSelection(context)
    switch (selection.kind) {
      case Kind.FIELD:
        if (isIncluded(context, selection.directives, 'FIELD', path)) merge(selection, into, path)
        break
      case Kind.INLINE_FRAGMENT:
        if (isIncluded(context, selection.directives, 'INLINE_FRAGMENT', path)) {
          const condition = selection.typeCondition?.name.value
          if (condition === undefined || names.includes(condition))
            deeper(context, path, () => collect(context, names, selection.selectionSet.selections, into, path))
        }
        break
      case Kind.FRAGMENT_SPREAD: {
        const fragment = context.fragments.get(selection.name.value)
        if (!fragment) throw invalid(path, `reference to undefined fragment "${selection.name.value}"`)
        if (isIncluded(context, selection.directives, 'FRAGMENT_SPREAD', path))
          if (names.includes(fragment.typeCondition.name.value))
            deeper(context, path, () => collect(context, names, fragment.selectionSet.selections, into, path))
        break
      }
    }
  }
}

function merge(node: FieldNode, into: Map<string, MergedField>, path: Path): void {
  const as = node.alias?.value ?? node.name.value
  const selections = node.selectionSet?.selections ?? []
  const known = into.get(as)
  if (!known) {
    into.set(as, { first: node, selections: [...selections] })
    return
  }
  const { first } = known
  if (first.name.value !== node.name.value)
    throw invalid(
      path,
      `selection of both '${first.name.value}' and '${node.name.value}' specify the same response name, '${as}'`,
    )
  if (!sameArguments(first, node))
    throw invalid(path, `inconsistent arguments between multiple selections of field '${node.name.value}'`)
  for (const selection of selections) known.selections.push(selection)
}

function resolve<M>(
  context: Context,
  type: ObjectType<M>,
  as: string,
  { first, selections }: MergedField,
  path: Path,
): Selected<M> {
  const name = first.name.value
  const at = path.field(name, as)
  if (name === '__typename') {
    checkLeaf(selections, at)
    refuseArguments(name, first.arguments ?? [], at)
    return { kind: 'typename', as, name: type.name }
  }
  const field = type.fields.get(name)
  if (!field) throw invalid(at, `field '${name}' not found in type: '${type.name}'`)
  const args = argumentInputs(context, name, field.args, first.arguments ?? [], at)
  askFor(context, type.name, name, args)
  const named = namedOf(field.type)
  if (!isComposite(named.typeKind)) checkLeaf(selections, at)
  else if (selections.length === 0) throw invalid(at.at('selectionSet'), `missing selection set for '${named.name}'`)
  return { kind: 'field', as, field, args, selections, path: at }
}

const isComposite = (kind: NamedType['kind']): boolean => kind === 'OBJECT' || kind === 'INTERFACE' || kind === 'UNION'

function checkLeaf(selections: readonly SelectionNode[], path: Path): void {
  if (selections.length > 0) throw invalid(path, 'unexpected subselection set for non-object field')
}

function refuseArguments(name: string, args: readonly ArgumentNode[], path: Path): void {
  const [first] = args
  if (first) throw invalid(path, `'${name}' has no argument named '${first.name.value}'`)
}
