import { invalid, type Path } from '../../errors.ts'
import { allOf, type BooleanExpression, type RowField } from '../../ir/index.ts'
import { openArgument, requiredArgument } from '../selection/arguments.ts'
import { type Context, countSelection, useTable } from '../selection/context.ts'
import { listEntries, objectEntries, open, type RawInput, stringValue } from '../selection/input.ts'
import type { SelectedField } from '../selection/selected-fields.ts'
import { anyRef, entityKey, entityUnion } from '../types/federation-types.ts'
import type { QueryRootMeaning } from '../types/query-root-type.ts'
import { stringRef } from '../types/scalar-types.ts'
import type { TableTypes } from '../types/table-types.ts'
import { nonNull } from '../types/type.ts'
import { checkAbstractFields } from './check-abstract-fields.ts'
import { keyEquals } from './column-value.ts'
import { databaseRoot, type PlannedRoot } from './operation-plan.ts'
import { planRowFields } from './plan-row-fields.ts'

/**
 * Plans `_entities(representations:)` of Apollo federation (reference/http#limits-and-federation): each by its key
 * under the role's permissions, null where the role sees no such row. Throws validation-failed.
 */
export function planEntities(context: Context, selected: SelectedField<QueryRootMeaning>): PlannedRoot {
  const { as, selections, path } = selected
  const given = requiredArgument(selected, 'representations')
  checkAbstractFields(context, entityUnion, selections, path)
  const input = openArgument(context, given)
  const planned = new Map<TableTypes, { readonly fields: readonly RowField[]; readonly selections: number }>()
  const roots = listEntries(context, input, given.path).map((entry): PlannedRoot => {
    const { types, where } = planRepresentation(context, entry.raw, entry.path)
    // what is selected of a type is the same for all of its objects, and each has a statement of its own
    const known = planned.get(types)
    if (known) countSelection(context, known.selections)
    const before = context.selections
    const fields = known?.fields ?? planRowFields(context, types, selections, path)
    if (!known) planned.set(types, { fields, selections: context.selections - before })
    const { source, table: from } = types.table.table
    return databaseRoot(as, source, { kind: 'row', from, where: allOf([types.table.filter, ...where]), fields })
  })
  return { kind: 'list', responseKey: as, roots }
}

/** The table that a representation names, and its row. What it has in addition to the key is for other subgraphs. */
function planRepresentation(
  context: Context,
  raw: RawInput,
  path: Path,
): { readonly types: TableTypes; readonly where: readonly BooleanExpression[] } {
  const input = open(context, raw, nonNull(anyRef), false, path)
  const given = new Map(objectEntries(context, input, anyRef.name, path).map((entry) => [entry.key, entry.raw]))
  const typename = given.get('__typename')
  if (!typename) throw invalid(path, '__typename key not found')
  const at = path.at('__typename')
  const types = entityNamed(context, stringValue(context, open(context, typename, stringRef, false, at), at), at)
  const { columns } = types.table
  const where = (entityKey(types.table) ?? []).map((field) => {
    const value = given.get(field)
    const column = columns.find((one) => one.field === field)
    if (!value || !column) throw invalid(path, `cannot find ${field} in ${anyRef.name} type`)
    return keyEquals(context, column, value, types.table.types, path.at(field))
  })
  return { types, where }
}

function entityNamed(context: Context, name: string, path: Path): TableTypes {
  const { model } = context.schema
  const table = model.tables.find(({ isEntity, graphqlName }) => isEntity && graphqlName === name)
  const types = table && context.schema.tableTypes(table.id)
  if (table && types && entityKey(types.table)) return useTable(context, table.id)
  throw invalid(path, `${name} is not found in selection set or apollo federation is not enabled for the type`)
}
