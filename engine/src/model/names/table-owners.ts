import type { TableId } from '../object-ids.ts'
import type { TableField } from '../root-owner.ts'
import { tableIdOf } from '../table-id.ts'
import type { ModelDraft } from '../update/model-draft.ts'

/** Returns the table that has a field of the query root: tables come before all other kinds of objects. */
export function tableOfField(draft: ModelDraft, key: string): TableField | undefined {
  const owner = draft.roots.query.get(key)
  return owner && 'table' in owner ? owner : undefined
}

/** Returns the table that has a field of the mutation root. */
export function tableOfMutation(draft: ModelDraft, key: string): TableId | undefined {
  const owner = draft.roots.mutation.get(key)
  return owner && 'table' in owner ? owner.table : undefined
}

/** Returns the table that has the name of a type. */
export function tableOfType(draft: ModelDraft, name: string): TableId | undefined {
  const owner = draft.graph.types.get(name)
  return owner?.type === 'table' ? tableIdOf(owner) : undefined
}
