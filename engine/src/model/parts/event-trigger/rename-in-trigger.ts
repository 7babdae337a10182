import { isRecord, type Json } from '@svc/schema'
import type { TableId } from '../../object-ids.ts'
import type { DatabaseNames } from '../../rename/database-names.ts'
import { rewriteColumns } from '../../rename/rewrite-references.ts'

/** The columns that its operations are about. */
export function renameInTrigger(definition: Json | undefined, own: TableId, names: DatabaseNames): Json {
  if (!isRecord(definition)) return definition ?? {}
  return Object.fromEntries(
    Object.entries(definition).map(([operation, columns]) => [
      operation,
      isRecord(columns)
        ? Object.fromEntries(Object.entries(columns).map(([key, list]) => [key, rewriteColumns(list, own, names)]))
        : columns,
    ]),
  )
}
