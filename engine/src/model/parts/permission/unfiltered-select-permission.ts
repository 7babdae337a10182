import { addressText, findObject, isRecord, type Json, type ObjectAddress, objectValue } from '@svc/schema'
import type { Model } from '../../model.ts'
import { quotedTable } from '../../table-id.ts'

/** A consistent permission whose queries the database refuses unless they filter more. */
export interface PermissionWarning {
  readonly name: string
  readonly message: string
}

/**
 * Select permissions among `touched` whose filter names none of the columns of which their table demands one (BigQuery's
 * require_partition_filter).
 */
export function unfilteredPermissions(
  { input: { document, sources } }: Model,
  touched: readonly ObjectAddress[],
): readonly PermissionWarning[] {
  return touched.flatMap((at) => {
    const { type, parent: table } = at
    const source = type === 'select_permission' && table?.parent && findObject(document, table.parent)
    if (!table || !source) return []
    const state = sources.get(String(source.value.name))
    const known = state?.status === 'ready' ? state.introspection.tables.get(table.own) : undefined
    if (!known?.partitionFilter) return []
    const object = findObject(document, at)
    if (!object) return []
    const { role, permission } = objectValue(object, 'select_permission')
    if (names(permission.filter as Json, new Set(known.partitionFilter))) return []
    const columns = known.partitionFilter.map((name) => `"${name}"`).join(' or ')
    return {
      name: addressText(at),
      message: `the table ${quotedTable(known.table)} demands a filter of its partitions (${columns}), and the permission of role "${role}" has none: its queries fail unless they have one themselves`,
    }
  })
}

const names = (filter: Json, columns: ReadonlySet<string>): boolean =>
  Array.isArray(filter)
    ? filter.some((part: Json) => names(part, columns))
    : isRecord(filter) &&
      Object.entries(filter).some(([key, value]) => columns.has(key) || names(value as Json, columns))
