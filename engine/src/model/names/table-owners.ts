import type { TableId } from '../object-ids.ts'
import type { TableField } from '../root-owner.ts'
import { tableIdOf } from '../table-id.ts'
import type { ModelDraft } from '../update/model-draft.ts'

/** The table that has a root field of the query root; other kinds of objects come after tables and leave it to them. */
export function tableOfField(draft: ModelDraft, key: string): TableField | undefined {
  const owner = draft.roots.query.get(key)
  return owner && 'table' in owner ? owner : undefined
}

/** The same of the mutation root. */
export function tableOfMutation(draft: ModelDraft, key: string): TableId | undefined {
  const owner = draft.roots.mutation.get(key)
  return owner && 'table' in owner ? owner.table : undefined
}

/** The same of a type's name. */
export function tableOfType(draft: ModelDraft, name: string): TableId | undefined {
  const owner = draft.graph.types.get(name)
  return owner?.type === 'table' ? tableIdOf(owner) : undefined
}
