/** What the database of a source has, tracked or not (reference/metadata-operations#sources). */
import {
  getSourceTablesArgs,
  getTableInfoArgs,
  type Json,
  type JsonObject,
  type NameRules,
  tableAddress,
  tableText,
} from '@svc/schema'
import type { DatabaseColumn, DatabaseTable } from '../../backends/index.ts'
import { readySource } from '../../changes/index.ts'
import { ApiError } from '../../errors.ts'
import type { DatabaseType, QualifiedName } from '../../ir/index.ts'
import { defineSourceRead, type ReadContext } from '../read-operation.ts'

/** The tables as they are now: metadata may have been made before some of them. */
async function tablesOf(source: string, { draft, path }: ReadContext) {
  const { backend, connection, introspection } = readySource(draft, source, path)
  const { tables } = await connection.introspect(introspection)
  return { tables, names: backend.types.names }
}

/** get_source_tables: by schema, then name. not-exists, unexpected for a source that cannot be reached. */
export const getSourceTables = defineSourceRead({
  name: 'get_source_tables',
  scope: 'read',
  effects: 'none',
  args: () => getSourceTablesArgs,
  async answer({ source }, context) {
    const { tables, names } = await tablesOf(source, context)
    const found = [...tables.values()].map(({ table }) => table)
    return found.toSorted(byName).map(names.key)
  },
})

/** get_table_info: columns, keys and what may be written. not-exists for a table that the database lacks; unexpected-payload. */
export const getTableInfo = defineSourceRead({
  name: 'get_table_info',
  scope: 'read',
  effects: 'none',
  args: ({ names }) => getTableInfoArgs(names.style),
  async answer({ source, table }, context, { unsupported }) {
    if (unsupported?.tableInfo) throw new ApiError('unexpected-payload', context.path, unsupported.tableInfo)
    const { tables, names } = await tablesOf(source, context)
    const found = tables.get(tableAddress(source, table).own)
    if (!found)
      throw new ApiError(
        'not-exists',
        context.path,
        `no such table exists in source "${source}": "${tableText(table)}"`,
        {
          at: context.path.at('table'),
        },
      )
    return describeTable(found, names)
  },
})

function describeTable(table: DatabaseTable, names: NameRules): JsonObject {
  const foreignKeys = table.foreignKeys.map(({ constraint, target, columns }): [string, Json] => [
    constraint,
    { foreign_table: names.key(target), column_mapping: Object.fromEntries(columns.map(({ from, to }) => [from, to])) },
  ])
  return {
    name: names.key(table.table),
    type: table.kind,
    columns: table.columns.map((column) => describeColumn(column, table)),
    ...(table.primaryKey && { primary_key: table.primaryKey.columns }),
    ...(foreignKeys.length > 0 && { foreign_keys: Object.fromEntries(foreignKeys) }),
    ...(table.description !== null && { description: table.description }),
    insertable: table.insertable,
    updatable: table.updatable,
    deletable: table.deletable,
  }
}

function describeColumn(column: DatabaseColumn, { insertable, updatable }: DatabaseTable): JsonObject {
  const { name, type, nullable, hasDefault, generated, description } = column
  const isWritable = generated !== 'stored' && generated !== 'identity-always'
  return {
    name,
    type: typeText(type),
    nullable,
    insertable: insertable && isWritable,
    updatable: updatable && isWritable,
    has_default: hasDefault,
    ...(description !== null && { description }),
  }
}

const typeText = ({ name, array }: DatabaseType): string => (array ? `${name}[]` : name)

const byName = (a: QualifiedName, b: QualifiedName): number => compare(a.schema, b.schema) || compare(a.name, b.name)

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
