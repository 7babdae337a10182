import { equalJson, type JsonObject } from '@svc/schema'
import { changedTables, type DatabaseTable, type Introspection } from '../backends/index.ts'

/** What became of tracked tables between two reads of a database: followed by oid and by column position. */
export interface SchemaChange {
  readonly droppedTables: readonly JsonObject[]
  readonly renamedTables: readonly { readonly from: JsonObject; readonly to: JsonObject }[]
  readonly changedColumns: readonly {
    /** The table's name before and now. */
    readonly was: JsonObject
    readonly table: JsonObject
    readonly dropped: readonly string[]
    readonly renamed: readonly { readonly from: string; readonly to: string }[]
    /** Columns of another type than before, by the names of before. */
    readonly retyped: readonly string[]
  }[]
  /** Something a relationship or a permission may rest on is gone. */
  readonly somethingDropped: boolean
}

/** Compares two reads of a database (reference/metadata-operations#sql). */
export function schemaChange(
  before: Introspection,
  after: Introspection,
  isTracked: (table: JsonObject) => boolean,
): SchemaChange {
  // one that has another name is one key less and one more
  const changed = changedTables(before.tables, after.tables)
  const now = new Map([...changed].flatMap((key) => tablesAt(after, key)).map((table) => [table.oid, table]))
  const droppedTables: JsonObject[] = []
  const renamedTables: { from: JsonObject; to: JsonObject }[] = []
  const changedColumns: SchemaChange['changedColumns'][number][] = []
  let keyDropped = false
  for (const [key, old] of before.tables) {
    if (!changed.has(key)) continue
    const table = now.get(old.oid)
    if (table === old || !isTracked(nameOf(old))) continue
    if (!table) {
      droppedTables.push(nameOf(old))
      continue
    }
    if (old.table.name !== table.table.name || old.table.schema !== table.table.schema)
      renamedTables.push({ from: nameOf(old), to: nameOf(table) })
    const columns = changesOfColumns(old, table)
    if (columns.dropped.length + columns.renamed.length + columns.retyped.length > 0)
      changedColumns.push({ was: nameOf(old), table: nameOf(table), ...columns })
    keyDropped ||= old.foreignKeys.some(({ oid }) => !table.foreignKeys.some((key) => key.oid === oid))
  }
  return {
    droppedTables,
    renamedTables,
    changedColumns,
    somethingDropped:
      keyDropped || droppedTables.length > 0 || changedColumns.some(({ dropped }) => dropped.length > 0),
  }
}

function tablesAt({ tables }: Introspection, key: string): readonly DatabaseTable[] {
  const table = tables.get(key)
  return table ? [table] : []
}

const nameOf = ({ table }: DatabaseTable): JsonObject => ({ name: table.name, schema: table.schema })

function changesOfColumns(before: DatabaseTable, after: DatabaseTable) {
  const now = new Map(after.columns.map((column) => [column.position, column]))
  const dropped: string[] = []
  const retyped: string[] = []
  const renamed: { from: string; to: string }[] = []
  for (const { name, position, type } of before.columns) {
    const to = now.get(position)
    if (to === undefined) {
      dropped.push(name)
      continue
    }
    if (to.name !== name) renamed.push({ from: name, to: to.name })
    if (!equalJson(to.type, type)) retyped.push(name)
  }
  return { dropped, renamed, retyped }
}
