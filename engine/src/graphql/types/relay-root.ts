import { type FunctionField, type Model, rootFieldName, rootKey } from '../../model/index.ts'
import { argsArgument, functionArguments } from './function-arguments.ts'
import { functionField } from './function-field.ts'
import type { QueryRootMeaning } from './query-root-type.ts'
import { connectionField, isNode, nodeInterface } from './relay-types.ts'
import { idRef } from './scalar-types.ts'
import { shownName } from './select-arguments.ts'
import { argument, byName, type Field, nonNull, refTo } from './type.ts'
import { visibleTable } from './visible-table.ts'

/** `node(id:)`: any row by its global id. */
export const nodeField: Field<QueryRootMeaning> = {
  name: 'node',
  description: null,
  args: byName([argument('id', 'A globally unique id', nonNull(idRef))]),
  type: refTo(nodeInterface),
  meaning: { kind: 'node' },
}

/** The connections of Relay's query root by `rootKey`: of each table with a key that the role may list, and of functions. */
export function relayRootFields(model: Model, role: string): ReadonlyMap<string, Field<QueryRootMeaning>> {
  const fields = new Map<string, Field<QueryRootMeaning>>()
  for (const id of model.tables.keys()) {
    const table = visibleTable(model, role, id)
    if (!table || !isNode(table) || (table.queryRootFields && !table.queryRootFields.has('select'))) continue
    const { naming, baseName } = table.table
    if (baseName === null) continue
    const name = rootFieldName(naming, baseName, 'connection')
    const key = rootKey(naming, name)
    const meaning = { kind: 'connection', table: id } as const
    if (!fields.has(key))
      fields.set(key, connectionField(name, `fetch data from the table: "${shownName(table)}"`, table, meaning))
  }
  for (const owner of model.roots.query.values()) {
    const connection = owner.kind === 'function' ? functionConnection(model, role, owner) : undefined
    if (!connection) continue
    const name = rootKey(connection.function.naming, connection.field.name)
    // a table may have that name
    if (!fields.has(name)) fields.set(name, connection.field)
  }
  return fields
}

/** `<fn>_connection`, where the role may call the function and its rows are nodes. */
function functionConnection(model: Model, role: string, owner: FunctionField) {
  const found = functionField(model, role, owner)?.meaning
  if (found?.kind !== 'function' || found.root !== 'function') return undefined
  const { function: called } = found
  const table = visibleTable(model, role, called.table)
  // its rows are requested more than once
  if (!table || !isNode(table) || called.connectionField === null || called.volatile) return undefined
  const executed = `function "${table.types.names.shown(called.function)}"`
  const field: Field<QueryRootMeaning> = connectionField<QueryRootMeaning>(
    called.connectionField,
    called.description,
    table,
    { kind: 'function-connection', function: called },
    argsArgument(functionArguments(table, called), executed),
  )
  return { function: called, field }
}
