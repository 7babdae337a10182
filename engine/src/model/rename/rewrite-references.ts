import { isRecord, type Json, type JsonObject } from '@svc/schema'
import type { TableId } from '../object-ids.ts'
import type { DatabaseNames } from './database-names.ts'
import { sortedEntries } from './rewrite-expression.ts'
import { renameKeys } from './rewrite-permission.ts'

/** `using` of a relationship of `table` (reference/metadata-operations#relationships). */
export function rewriteUsing(using: Json | undefined, table: TableId, names: DatabaseNames): JsonObject {
  if (!isRecord(using)) return {}
  const { foreign_key_constraint_on: key, manual_configuration: manual, ...others } = using
  return {
    ...others,
    ...(key === undefined ? {} : { foreign_key_constraint_on: rewriteKey(key, table, names) }),
    ...(isRecord(manual) ? { manual_configuration: rewriteManual(manual, table, names) } : {}),
  }
}

function rewriteKey(key: Json, own: TableId, names: DatabaseNames): Json {
  if (!isRecord(key)) return rewriteColumns(key, own, names)
  if (!isRecord(key.table)) return key
  const target = names.idOf(key.table)
  return {
    ...key,
    ...(key.column === undefined ? {} : { column: rewriteColumns(key.column, target, names) }),
    ...(key.columns === undefined ? {} : { columns: rewriteColumns(key.columns, target, names) }),
    table: names.table(key.table),
  }
}

/** A column, a list of them, or `*`. */
export function rewriteColumns(columns: Json, table: TableId, names: DatabaseNames): Json {
  if (typeof columns === 'string') return columns === '*' ? columns : names.field(table, columns)
  return Array.isArray(columns) ? columns.map((column: Json) => rewriteColumns(column, table, names)) : columns
}

/** Null as `own`: what maps is not a table of this source (a native query, a remote table, an action's type). */
export function rewriteManual(manual: JsonObject, own: TableId | null, names: DatabaseNames): JsonObject {
  if (!isRecord(manual.remote_table)) return manual
  return {
    ...manual,
    remote_table: names.table(manual.remote_table),
    column_mapping: rewriteMapping(manual.column_mapping, own, names.idOf(manual.remote_table), names),
  }
}

export function rewriteMapping(
  mapping: Json | undefined,
  own: TableId | null,
  target: TableId | null,
  names: DatabaseNames,
): JsonObject {
  if (!isRecord(mapping)) return {}
  const to = (column: Json): Json => (target === null ? column : rewriteColumns(column, target, names))
  return sortedEntries(
    Object.entries(mapping).map(([from, column]) => [own === null ? from : names.field(own, from), to(column)]),
  )
}

/** `definition` of a remote relationship whose left side is `own`, or something that is no table of this source. */
export function rewriteRemote(definition: Json | undefined, own: TableId | null, names: DatabaseNames): JsonObject {
  if (!isRecord(definition)) return {}
  const { to_source: source, to_remote_schema: schema } = definition
  if (isRecord(source)) return { ...definition, to_source: rewriteToSource(source, own, names) }
  if (own === null) return definition
  return isRecord(schema)
    ? { ...definition, to_remote_schema: rewriteFields(schema, 'lhs_fields', own, names) }
    : rewriteFields(definition, 'svc_fields', own, names)
}

function rewriteToSource(to: JsonObject, own: TableId | null, names: DatabaseNames): JsonObject {
  const table = to.source === names.source && isRecord(to.table) ? to.table : null
  return {
    ...to,
    ...(table && { table: names.table(table) }),
    field_mapping: rewriteMapping(to.field_mapping, own, table && names.idOf(table), names),
  }
}

/**
 * Columns are listed by name and used as `$name` in the arguments of remote fields
 * (reference/metadata-operations#remote-relationships).
 */
function rewriteFields(definition: JsonObject, list: string, own: TableId, names: DatabaseNames): JsonObject {
  const variable = (value: string) => (value.startsWith('$') ? `$${names.field(own, value.slice(1))}` : value)
  return {
    ...definition,
    [list]: rewriteColumns(definition[list] ?? [], own, names),
    remote_field: mapTexts(definition.remote_field ?? {}, variable),
  }
}

function mapTexts(json: Json, map: (text: string) => string): Json {
  if (typeof json === 'string') return map(json)
  if (Array.isArray(json)) return json.map((item: Json) => mapTexts(item, map))
  if (!isRecord(json)) return json
  return Object.fromEntries(Object.entries(json).map(([key, part]) => [key, mapTexts(part, map)]))
}

/** Column maps of a table's configuration. */
export function rewriteConfiguration(configuration: Json | undefined, own: TableId, names: DatabaseNames): JsonObject {
  if (!isRecord(configuration)) return {}
  const maps = (['column_config', 'custom_column_names'] as const).flatMap((key) => {
    const map = configuration[key]
    return isRecord(map) ? [[key, renameKeys(map, (column) => names.field(own, column))] as const] : []
  })
  return { ...configuration, ...Object.fromEntries(maps) }
}
