import type { ComputedFieldDefinition, JsonObject } from '@svc/schema'
import type { DatabaseFunction } from '../../../backends/index.ts'
import type { ResolveContext } from '../../resolve/resolve-context.ts'
import type { TableShape } from '../../resolve/table-shape.ts'
import type { ResolvedArgument } from '../../resolved-function.ts'
import type { ResolvedComputedField } from '../../resolved-rows.ts'
import { qualifiedNameOf, quotedTable, siblingTableId } from '../../table-id.ts'
import type { Say } from './problem.ts'

/** What is called, and what its rows are; null where that is wrong. */
export interface TableFunction {
  readonly arguments: readonly ResolvedArgument[]
  readonly returns: ResolvedComputedField['returns'] | null
}

/**
 * Resolves a table function as a field: columns of the row are some of its arguments, the client has to pass the rest
 * (reference/database-objects#computed-fields-of-table-functions).
 */
export function resolveTableFunction(
  found: DatabaseFunction,
  { argument_mapping: mapping = {}, return_table: table }: ComputedFieldDefinition,
  own: TableShape,
  around: ResolveContext,
  say: Say,
): TableFunction {
  const name = quotedTable(found.function)
  if (!found.table) say({ text: `function ${name} is not a TABLE_VALUED_FUNCTION` })
  else if (found.arguments.length === 0) say({ text: `function ${name} has no input arguments defined` })
  for (const [argument, column] of Object.entries(mapping)) {
    const at = ['definition', 'argument_mapping', argument]
    if (!found.arguments.some((one) => one.name === argument))
      say({ text: `the argument "${argument}" is not one of function ${name} input arguments`, at })
    if (!around.column(own, column))
      say({ text: `the column "${column}" does not exist in table ${quotedTable(own.table)}`, at })
  }
  const returns = found.table ? resultOf(name, found.table.columns, table, own, around, say) : null
  const given = found.arguments.map(({ name: argument, type }): ResolvedArgument => {
    const field = argument ?? ''
    const column = Object.hasOwn(mapping, field) ? mapping[field] : undefined
    if (column !== undefined) return { kind: 'column', name: argument, column }
    return { kind: 'user', name: argument, field, type, hasDefault: false, isRequired: true }
  })
  return { arguments: given, returns }
}

function resultOf(
  name: string,
  columns: NonNullable<DatabaseFunction['table']>['columns'],
  returned: JsonObject | undefined,
  own: TableShape,
  around: ResolveContext,
  say: Say,
): ResolvedComputedField['returns'] | null {
  const at = ['definition', 'return_table']
  const table = returned && qualifiedNameOf(returned)
  if (!table) {
    if (columns) return { kind: 'columns', columns }
    say({ text: `function ${name} is not defined with 'RETURNS TABLE'. Expecting return table name.` })
    return null
  }
  if (columns) {
    const text = `return table ${quotedTable(table)} is not required as the function ${name} returns arbitrary column fields`
    say({ text, at })
    return null
  }
  const id = siblingTableId(own.id, table)
  if (id === own.id || around.table(id)) return { kind: 'table', table: id, of: table }
  say({ text: `function ${name} returning set of table ${quotedTable(table)} is not tracked`, at, needs: id })
  return null
}
