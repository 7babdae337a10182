import type { FieldNode } from 'graphql'
import { invalid } from '../../errors.ts'
import { sameArguments } from '../selection/same-arguments.ts'
import type { SelectedField } from '../selection/selected-fields.ts'
import { typeRelationshipKey } from '../selection/uses.ts'
import type { JoinMeaning } from '../types/remote-join-types.ts'
import type { Field } from '../types/type.ts'
import { type AskedFields, askField } from './asked-fields.ts'
import { addJoin, joinNames } from './plan-join.ts'
import { ownAlias, type PendingJoin, type RemoteWalk, typenameType } from './remote-walk.ts'

/** Returns the field where another source or schema answers it; null: it is the remote schema's own. */
export function asJoin(field: Field<unknown>): Field<JoinMeaning> | null {
  const meaning = field.meaning as { readonly kind?: unknown } | null
  return meaning?.kind === 'remote-join' || meaning?.kind === 'table-join' ? (field as Field<JoinMeaning>) : null
}

/**
 * Returns what is requested of the remote schema in the field's place (reference/remote-schemas#joins): the name of the
 * type, which keeps the place, and the values to join by. Selections of one response key are merged, as the remote
 * schema merges all others.
 */
export function joinText(
  walk: RemoteWalk,
  type: string,
  node: FieldNode,
  selected: SelectedField<JoinMeaning>,
  fields: AskedFields,
): string {
  const { as, path } = selected
  const here = walk.joins.get(fields) ?? new Map<string, PendingJoin>()
  walk.joins.set(fields, here)
  const known = here.get(`${type} ${as}`)
  if (known) {
    const [one, other] = [known.first.name.value, node.name.value]
    if (one !== other)
      throw invalid(path, `selection of both '${one}' and '${other}' specify the same response name, '${as}'`)
    if (!sameArguments(known.first, node))
      throw invalid(path, `inconsistent arguments between multiple selections of field '${other}'`)
    known.selections.push(...selected.selections)
    return known.text
  }
  const { meaning } = selected.field
  walk.context.uses.add(
    'type-relationship',
    typeRelationshipKey(walk.visible.remote.name, type, meaning.relationship.name),
  )
  const own = `${ownAlias}${walk.joinCount++}_`
  const names = joinNames(meaning)
  // of an abstract type only some objects have the field: those that have its keys
  const wanted = names.length > 0 ? names : ['__typename']
  const keys = wanted.map((_, i) => `${own}${i}`)
  const isRequired = walk.conditions === 0
  askField(fields, as, { types: [typenameType], isRequired })
  const owner = walk.visible.remote.types.types.get(type)
  for (const [i, name] of names.entries()) {
    const key = owner?.kind === 'OBJECT' ? owner.fields.get(name) : undefined
    askField(fields, keys[i] ?? '', { types: [key?.type ?? typenameType], isRequired })
  }
  const text = [`${as}: __typename`, ...wanted.map((name, i) => `${keys[i]}: ${name}`)].join(' ')
  here.set(`${type} ${as}`, { ...selected, first: node, selections: [...selected.selections], keys, text })
  return text
}

/** Plans the joins of a walk, once everything that is selected of them is known. */
export function planPendingJoins(walk: RemoteWalk): void {
  for (const here of walk.joins.values())
    for (const { first: _, keys, text: __, ...selected } of here.values())
      addJoin(walk.context, selected, { place: selected.path.response, keys })
}
