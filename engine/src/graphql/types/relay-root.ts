import { type Model, rootFieldName, rootKey } from '../../model/index.ts'
import type { QueryRootMeaning } from './query-root-type.ts'
import { connectionField, idRef, isNode, nodeInterface } from './relay-types.ts'
import { visibleTable } from './role-schema.ts'
import { argument, shownName } from './select-arguments.ts'
import { byName, type Field, nonNull, refTo } from './type.ts'

/** `node(id:)`: any row by its global id. */
export const nodeField: Field<QueryRootMeaning> = {
  name: 'node',
  description: null,
  args: byName([argument('id', 'A globally unique id', nonNull(idRef))]),
  type: refTo(nodeInterface),
  meaning: { kind: 'node' },
}

/** The connections of Relay's query root by `rootKey`: one for each table with a key that the role may list. */
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
  return fields
}
