/** What sources there are, and what their databases have, tracked or not (reference/metadata-operations#sources). */
import {
  databaseInspectionArgs,
  findObject,
  getSourceTablesArgs,
  getTableInfoArgs,
  type Json,
  type JsonObject,
  listOfSourceArgs,
  type NameRules,
  noArgs,
  objectKinds,
  sourceAddress,
  sourceKindArgs,
  tableAddress,
  tableText,
  writeObject,
} from '@svc/schema'
import type { DatabaseColumn, DatabaseTable, SourceKind } from '../../backends/index.ts'
import { readySource } from '../../changes/index.ts'
import { ApiError } from '../../errors.ts'
import type { DatabaseType, QualifiedName } from '../../ir/index.ts'
import {
  defineRead,
  defineSourceRead,
  type ReadContext,
  type ReadOperation,
  type SourceRead,
} from '../read-operation.ts'

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

/** By schema, then name. */
export const byName = (a: QualifiedName, b: QualifiedName): number =>
  compare(a.schema, b.schema) || compare(a.name, b.name)

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** list_source_kinds: those of the engine's backends. */
export const listSourceKinds = (kinds: readonly SourceKind[]): ReadOperation => {
  const served = kinds.map(
    ({ prefixes: [prefix = ''] }): JsonObject => ({ kind: prefix, builtin: true, available: true }),
  )
  return defineRead({
    type: 'list_source_kinds',
    scope: 'read',
    effects: 'none',
    args: noArgs,
    answer: () => ({ sources: served }),
  })
}

/** get_source_kind_capabilities: agents have some to request; data-connector-error for every other kind. */
export const getSourceKindCapabilities = defineRead({
  type: 'get_source_kind_capabilities',
  scope: 'read',
  effects: 'none',
  args: sourceKindArgs,
  answer({ name }, { path }) {
    throw path.error('data-connector-error', `"${name}" is no data connector agent`, 'name')
  },
})

/**
 * get_native_query, get_logical_model and get_stored_procedure: what metadata has of these in a source
 * (reference/metadata-operations#native-queries-and-logical-models).
 */
const list = (type: 'native_query' | 'logical_model' | 'stored_procedure'): SourceRead =>
  defineSourceRead({
    name: `get_${type}`,
    scope: 'read',
    effects: 'none',
    args: () => listOfSourceArgs,
    answer({ source }, { draft, path }) {
      const found = findObject(draft.document, sourceAddress(source))
      if (!found) throw path.error('not-exists', `source with name "${source}" does not exist`, 'source')
      return writeObject(found)[objectKinds[type].list] ?? []
    },
  })

export const listsOfSource: readonly SourceRead[] = [
  list('native_query'),
  list('logical_model'),
  list('stored_procedure'),
]

/** database_inspection: all tables of a source with their columns, as rows of SQL. not-exists, unexpected. */
export const databaseInspection = defineSourceRead({
  name: 'database_inspection',
  scope: 'read',
  effects: 'none',
  besideSql: true,
  args: () => databaseInspectionArgs,
  async answer({ source }, { draft, path }) {
    const { connection } = readySource(draft, source, path)
    if (!connection.inspectDatabase)
      throw new ApiError('not-supported', path, `the database of source "${source}" is not inspected`)
    return { ...(await connection.inspectDatabase(path)) }
  },
})
