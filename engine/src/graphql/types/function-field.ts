import { type FunctionField, hasRole, type Model } from '../../model/index.ts'
import { adminRole } from '../../session.ts'
import { functionFieldOf, type QueryRootMeaning } from './query-root-type.ts'
import type { Field } from './type.ts'
import { visibleTable } from './visible-table.ts'

/** A root field of a tracked function, for the roles that may call it (reference/permissions#functions). */
export function functionField(model: Model, role: string, owner: FunctionField): Field<QueryRootMeaning> | undefined {
  const found = model.functions.get(owner.function)
  const table = found && visibleTable(model, role, found.table)
  if (!found || !table) return undefined
  const { inferFunctionPermissions } = model.input.settings
  const mayCall =
    role === adminRole || inferFunctionPermissions || hasRole(found.roles, role, model.inheritedRoles.get(role))
  return mayCall ? functionFieldOf(found, owner.kind, table) : undefined
}
