import { isAlways } from '../../ir/index.ts'
import type { TableId } from '../../model/index.ts'
import type { RoleSchema } from '../types/role-schema.ts'
import { predicateTypeName, tableTypeName } from '../types/table-names.ts'
import { changedFor, type ModelPair } from './model-pair.ts'
import { referencing } from './references.ts'

export interface Affected {
  /** Tables of which types or root fields may differ. */
  readonly tables: ReadonlySet<TableId>
  /** Whether those that belong to no table may. */
  readonly others: boolean
}

/** What of a role's schema may differ: what changed for the role, and what mentions it where it is seen otherwise. */
export function affectedBy(pair: ModelPair, before: RoleSchema, after: RoleSchema): Affected {
  const { role } = before
  const tables = new Set<TableId>()
  let others = pair.others || pair.before.inheritedRoles.get(role) !== pair.after.inheritedRoles.get(role)
  const isSeen = (id: TableId) =>
    [before, after].some((schema) => schema.visibleTable(id) !== undefined || schema.writeTable(id) !== undefined)
  for (const id of changedFor(pair, role)) {
    if (!isSeen(id)) continue
    tables.add(id)
    if (seenByOthers(before, id) === seenByOthers(after, id)) continue
    others = true
    for (const { model } of [before, after])
      for (const user of referencing(model, id)) if (isSeen(user)) tables.add(user)
  }
  return { tables, others }
}

/** Returns as text all of a table that shapes types of other tables. */
function seenByOthers(schema: RoleSchema, id: TableId): string {
  const table = schema.visibleTable(id)
  const written = schema.writeTable(id)
  const of = table ?? written?.select
  return JSON.stringify([
    of && [tableTypeName(of, 'x'), predicateTypeName(of, 'x')],
    table && [
      table.name,
      table.columns.length > 0,
      table.table.relationships.size > 0 || table.table.computedFields.size > 0,
      table.allowAggregations,
      isAlways(table.filter),
    ],
    Boolean(written?.insert),
  ])
}
