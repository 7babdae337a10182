import { isRecord, type Json, type JsonObject } from '@svc/schema'
import type { TableId } from '../object-ids.ts'
import type { Lookup } from '../resolve/resolve-context.ts'
import { type NewNames, rewriteExpression, sortedEntries } from './rewrite-expression.ts'

/** A permission of a table with new names in its columns, presets, filter and check. */
export function rewritePermission(value: JsonObject, table: TableId, names: NewNames, lookup: Lookup): JsonObject {
  if (!isRecord(value.permission)) return value
  const parts = Object.entries(value.permission).map(([key, part]): [string, Json] => {
    switch (key) {
      case 'columns':
        return [key, Array.isArray(part) ? part.map((name: Json) => names.field(table, String(name))) : part]
      case 'set':
        return [key, isRecord(part) ? renameKeys(part, (name) => names.field(table, name)) : part]
      case 'filter':
      case 'check':
        return [key, isRecord(part) ? rewriteExpression(part, table, names, lookup) : part]
      default:
        return [key, part]
    }
  })
  return { ...value, permission: Object.fromEntries(parts) }
}

export const renameKeys = (map: JsonObject, rename: (name: string) => string): JsonObject =>
  sortedEntries(Object.entries(map).map(([key, part]) => [rename(key), part]))
