import { visibleTable } from '../types/role-schema.ts'
import type { RoleTable } from '../types/role-table.ts'
import { oncePerSchema } from './once-per-schema.ts'

/** Tables the role may select from. */
export const visibleTables = oncePerSchema(({ model, role }): readonly RoleTable[] =>
  [...model.tables.keys()].flatMap((id) => visibleTable(model, role, id) ?? []),
)
