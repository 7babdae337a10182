import type { QualifiedName } from '../../ir/index.ts'
import { type Model, rowsOf, siblingTableId, type TableId } from '../../model/index.ts'

/** Whether reading a table of the same source runs nothing of a user's, and shows rows of no other table. */
export function readsAlone(model: Model, near: TableId, name: QualifiedName): boolean {
  const rows = rowsOf(model, siblingTableId(near, name))
  return rows?.kind === 'table' && rows.readsAlone
}
