import { ApiError, type Path } from '../../errors.ts'
import { allOf, type BooleanExpression, type Value } from '../../ir/index.ts'
import type { ResolvedColumn } from '../../model/index.ts'
import { openArgument, requiredArgument } from '../selection/arguments.ts'
import { type Context, useTable } from '../selection/context.ts'
import { stringValue } from '../selection/input.ts'
import type { SelectedField } from '../selection/selected-fields.ts'
import type { QueryRootMeaning } from '../types/query-root-type.ts'
import { isNode, nodeInterface } from '../types/relay-types.ts'
import type { RoleTable } from '../types/role-table.ts'
import { checkAbstractFields } from './check-abstract-fields.ts'
import { columnOperand } from './column-operand.ts'
import { textValue } from './cursor.ts'
import { invalidId, parseNodeId, tableOfNode } from './node-id.ts'
import { databaseRoot, type PlannedRoot } from './operation-plan.ts'
import { keyColumns } from './plan-connection.ts'
import { planRowFields } from './plan-row-fields.ts'

/** Plans `node(id:)`: the row behind a global id, as far as the role may see it. Throws validation-failed. */
export function planNode(context: Context, selected: SelectedField<QueryRootMeaning>): PlannedRoot {
  const { as, selections, path } = selected
  const given = requiredArgument(selected, 'id')
  const text = stringValue(context, openArgument(context, given), given.path)
  const id = parseNodeId(text, given.path)
  const found = tableOfNode(context.schema.model, id)
  const isVisible = found && context.schema.tableTypes(found.id)
  if (!isVisible || !isNode(isVisible.table)) throw invalidId(`no such table: "${id.schema}.${id.name}"`, given.path)
  const types = useTable(context, found.id)
  checkAbstractFields(context, nodeInterface, selections, path)
  const where = allOf([types.table.filter, ...keyConditions(types.table, id.key, given.path, path)])
  const fields = planRowFields(context, types, selections, path)
  return databaseRoot(as, found.source, { kind: 'row', from: found.table, where, fields })
}

function keyConditions(
  table: RoleTable,
  key: readonly unknown[],
  atId: Path,
  path: Path,
): readonly BooleanExpression[] {
  const primaryKey = keyColumns(table)
  const missing = primaryKey.slice(key.length).map(({ name }) => `'${name}'`)
  if (missing.length > 0) throw invalidId(`primary key columns [${missing.join(', ')}] are missing`, atId)
  if (key.length > primaryKey.length)
    throw invalidId(`${key.length - primaryKey.length} values more than the primary key has columns`, atId)
  return primaryKey.map((column, i): BooleanExpression => {
    const right = [keyValue(column, key[i], table.types, path)]
    return { kind: 'compare', left: columnOperand(column), operator: 'eq', right, nullSafe: false }
  })
}

function keyValue(column: ResolvedColumn, json: unknown, types: RoleTable['types'], path: Path): Value {
  try {
    return textValue(types, column.type, json, path)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    throw new ApiError(error.code, path, `value of column '${column.name}' in node id: ${error.message}`)
  }
}
