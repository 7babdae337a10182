/** What of a source's database metadata could serve (reference/metadata-operations#sources). */
import { getSourceTablesArgs, type Json, type JsonObject, type NameRules, ownKey } from '@svc/schema'
import type { DatabaseArgument, DatabaseFunction, DatabaseTable } from '../../backends/index.ts'
import { readySource } from '../../changes/index.ts'
import type { DatabaseType, QualifiedName } from '../../ir/index.ts'
import { defineSourceRead } from '../read-operation.ts'
import { byName } from './source-catalogue.ts'

/**
 * get_source_objects: tables with columns, keys and foreign keys, and the functions that can be tracked or compute fields, by
 * schema and name. Partitions and what extensions made are left out. not-exists, unexpected for a source that cannot be reached.
 */
export const getSourceObjects = defineSourceRead({
  name: 'get_source_objects',
  scope: 'read',
  effects: 'none',
  args: () => getSourceTablesArgs,
  async answer({ source }, { draft, path }) {
    const { backend, connection, introspection } = readySource(draft, source, path)
    const { names } = backend.types
    const { functions, subordinate } = (await connection.readTrackables?.()) ?? { functions: [], subordinate: [] }
    const { tables } = await connection.introspect(introspection)
    const keyOf = (name: QualifiedName): string => ownKey('table', { table: names.key(name) })
    const aside = new Set(subordinate.map(keyOf))
    const shown = new Map([...tables].filter(([own]) => !aside.has(own)))
    const found = (await connection.readFunctions?.(functions)) ?? []
    const isTable = ({ kind, array, schema, name }: DatabaseType) =>
      kind === 'composite' && !array && shown.has(keyOf({ schema, name }))
    return {
      tables: [...shown.values()].toSorted((a, b) => byName(a.table, b.table)).map((table) => tableOf(table, names)),
      functions: found.flatMap(([only, ...others]): readonly JsonObject[] =>
        only && others.length === 0 && !tables.has(keyOf(only.function)) ? functionOf(only, isTable, names) : [],
      ),
    }
  },
})

function tableOf(
  { table, kind, columns, primaryKey, uniqueKeys, foreignKeys }: DatabaseTable,
  names: NameRules,
): JsonObject {
  const keys = [...(primaryKey ? [primaryKey] : []), ...uniqueKeys.filter(({ partial }) => !partial)]
  return {
    name: names.key(table),
    type: kind,
    columns: columns.map(({ name }) => name),
    keys: keys.map((key) => key.columns),
    foreign_keys: foreignKeys.map(
      (key): Json => ({
        table: names.key(key.target),
        column_mapping: Object.fromEntries(key.columns.map(({ from, to }) => [from, to])),
      }),
    ),
  }
}

/** An empty list for one that cannot be served. */
function functionOf(
  { function: called, arguments: given, variadic, volatility, returns: { type, set } }: DatabaseFunction,
  isTable: (type: DatabaseType) => boolean,
  names: NameRules,
): readonly JsonObject[] {
  const [first] = given
  const row = first && isTable(first.type) ? first.type : null
  if (variadic || (row ? given.slice(1) : given).some((one) => !isPlain(one))) return []
  const name = names.key(called)
  const returned = isTable(type) ? names.key(type) : null
  if (!row) return returned ? [{ name, returns: returned, computes_field_of: null }] : []
  const isValue = type.kind !== 'composite' && !type.array && !set
  return volatility !== 'volatile' && (isValue || (returned && set))
    ? [{ name, returns: returned, computes_field_of: names.key(row) }]
    : []
}

/** An argument that a client can pass. */
const isPlain = ({ name, type }: DatabaseArgument): boolean =>
  type.kind !== 'composite' && (name === null || /^[_A-Za-z]\w*$/.test(name))
