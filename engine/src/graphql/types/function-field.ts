import { type FunctionField, hasRole, type Model } from '../../model/index.ts'
import { adminRole } from '../../session.ts'
import { argsArgument, functionArguments } from './function-arguments.ts'
import type { QueryRootMeaning } from './query-root-type.ts'
import { selectArguments, shownName } from './select-arguments.ts'
import { tablePartRef } from './table-part-ref.ts'
import { byName, type Field, listOf, namedField, nonNull } from './type.ts'
import { visibleTable } from './visible-table.ts'

/**
 * A root field of a tracked function, undefined where the role does not have it (reference/permissions#functions). One
 * that is exposed as a mutation is for roles that have a permission of their own for it.
 */
export function functionField(
  model: Model,
  role: string,
  { kind, function: id }: FunctionField,
): Field<QueryRootMeaning> | undefined {
  const found = model.functions.get(id)
  const table = found && visibleTable(model, role, found.table)
  if (!found || !table) return undefined
  const isInferred = found.exposedAs === 'query' && model.input.settings.inferFunctionPermissions
  const mayCall = role === adminRole || isInferred || hasRole(found.roles, role, model.inheritedRoles.get(role))
  if (!mayCall || (kind === 'function_aggregate' && !table.allowAggregations)) return undefined
  const executed = `function "${table.types.names.shown(found.function)}"`
  const meaning = { kind: 'function', root: kind, function: found } as const
  const args = byName([...argsArgument(functionArguments(table, found), executed), ...selectArguments(table).values()])
  if (kind === 'function') {
    const row = tablePartRef(table, 'row')
    return namedField(found.field, found.description, found.set ? nonNull(listOf(nonNull(row))) : row, meaning, args)
  }
  const description = `execute ${executed} and query aggregates on result of table type "${shownName(table)}"`
  return namedField(found.aggregateField ?? '', description, nonNull(tablePartRef(table, 'aggregate')), meaning, args)
}
