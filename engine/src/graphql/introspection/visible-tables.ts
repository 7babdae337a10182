import { keptFor } from '../../kept-for.ts'
import type { RoleSchema } from '../types/role-schema.ts'
import type { RoleTable } from '../types/role-table.ts'
import { visibleTable } from '../types/visible-table.ts'

/** Tables that the role may write to but not select from: they have types all the same. */
export const unseenTables = keptFor((schema: RoleSchema): readonly RoleTable[] =>
  [...schema.model.tables.keys()].flatMap((id) => {
    const table = schema.visibleTable(id) ? undefined : schema.writeTable(id)
    return table ? [table.select] : []
  }),
)

/** Tables and rows of native queries that the role may select from. */
export const visibleTables = keptFor(({ model, role }: RoleSchema): readonly RoleTable[] =>
  [...model.tables.keys(), ...model.logicalRows.keys()].flatMap((id) => visibleTable(model, role, id) ?? []),
)
