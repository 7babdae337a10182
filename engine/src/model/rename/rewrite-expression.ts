import { isRecord, type Json, type JsonObject } from '@svc/schema'
import type { TableId } from '../object-ids.ts'
import { aggregatedName } from '../resolve/resolve-aggregate-predicate.ts'
import type { Lookup } from '../resolve/resolve-context.ts'
import { qualifiedNameOf, siblingTableId } from '../table-id.ts'

/** The new names of what is renamed, looked up by the old ones. */
export interface NewNames {
  /** A column or relationship of a table. */
  field(table: TableId, name: string): string
  table(name: JsonObject): JsonObject
  /** Called for each column that is compared, with its operators. */
  compared?(table: TableId, column: string, operators: Json): void
}

interface RowPlace {
  readonly row: TableId
  readonly root: TableId
}

/**
 * A permission's expression with new names. Whether a key is that column of that table only the model knows, so it
 * leads over relationships. Keys come out sorted, as the canonical form has them.
 */
export function rewriteExpression(json: JsonObject, table: TableId, names: NewNames, lookup: Lookup): JsonObject {
  return rewrite(json, { row: table, root: table }, names, lookup)
}

function rewrite(json: JsonObject, place: RowPlace, names: NewNames, lookup: Lookup): JsonObject {
  return sortedEntries(Object.entries(json).map(([key, part]) => rewritePart(key, part, place, names, lookup)))
}

function rewritePart(
  key: string,
  part: Json,
  place: RowPlace,
  names: NewNames,
  lookup: Lookup,
): readonly [string, Json] {
  switch (key) {
    case '_and':
    case '_or':
      return [key, Array.isArray(part) ? part.map((item: Json) => rewriteIn(item, place, names, lookup)) : part]
    case '_not':
      return [key, rewriteIn(part, place, names, lookup)]
    case '_exists':
      return [key, isRecord(part) ? rewriteExists(part, place, names, lookup) : part]
    default:
      return (
        rewriteAggregated(key, part, place, names, lookup) ?? [
          names.field(place.row, key),
          rewriteField(key, part, place, names, lookup),
        ]
      )
  }
}

const rewriteIn = (part: Json, place: RowPlace, names: NewNames, lookup: Lookup): Json =>
  isRecord(part) ? rewrite(part, place, names, lookup) : part

function rewriteExists(part: JsonObject, place: RowPlace, names: NewNames, lookup: Lookup): JsonObject {
  if (!isRecord(part._table)) return part
  const row = siblingTableId(place.row, qualifiedNameOf(part._table))
  const where = rewriteIn(part._where ?? {}, { ...place, row }, names, lookup)
  return { ...part, _table: names.table(part._table), _where: where }
}

/**
 * `<rel>_aggregate: {<function>: {arguments, filter, …}}` (reference/filters#aggregates-of-relationships); null for
 * anything else.
 */
function rewriteAggregated(
  key: string,
  part: Json,
  place: RowPlace,
  names: NewNames,
  lookup: Lookup,
): readonly [string, Json] | null {
  const name = lookup.shape(place.row)?.columns.has(key) ? null : aggregatedName(key)
  const relationship = name === null ? null : lookup.relationship(place.row, name)
  if (name === null || relationship?.kind !== 'array' || !isRecord(part)) return null
  const row = relationship.target
  const renamed = (json: Json | undefined): Json | undefined => {
    if (typeof json === 'string') return names.field(row, json)
    if (Array.isArray(json)) return (json as readonly Json[]).map((one) => renamed(one) ?? null)
    return isRecord(json)
      ? sortedEntries(Object.entries(json).map(([axis, one]) => [axis, renamed(one) ?? null]))
      : json
  }
  const predicates = Object.entries(part).map(([called, given]): readonly [string, Json] => {
    if (!isRecord(given)) return [called, given]
    const { arguments: columns, filter, ...others } = given
    const own = renamed(columns)
    return [
      called,
      sortedEntries([
        ...Object.entries(others),
        ...(own === undefined ? [] : ([['arguments', own]] as const)),
        ...(filter === undefined ? [] : ([['filter', rewriteIn(filter, { ...place, row }, names, lookup)]] as const)),
      ]),
    ]
  })
  return [`${names.field(place.row, name)}_aggregate`, Object.fromEntries(predicates)]
}

function rewriteField(key: string, part: Json, place: RowPlace, names: NewNames, lookup: Lookup): Json {
  const isColumn = lookup.shape(place.row)?.columns.has(key) ?? false
  if (isColumn) names.compared?.(place.row, key, part)
  if (!isRecord(part)) return part
  const relationship = isColumn ? null : lookup.relationship(place.row, key)
  const computed = isColumn || relationship ? null : lookup.computedField(place.row, key)?.returns
  const row = relationship?.target ?? (computed?.kind === 'table' ? computed.table : null)
  return row === null ? rewriteOperators(part, place, names) : rewrite(part, { ...place, row }, names, lookup)
}

function rewriteOperators(operators: JsonObject, place: RowPlace, names: NewNames): JsonObject {
  return Object.fromEntries(
    Object.entries(operators).map(([key, value]) => {
      if (/^[_$]c(eq|neq?|gte?|lte?)$/.test(key)) return [key, rewriteColumn(value, place, names)]
      if (!/^[_$]cast$/.test(key) || !isRecord(value)) return [key, value]
      const casts = Object.entries(value).map(
        ([type, part]) => [type, isRecord(part) ? rewriteOperators(part, place, names) : part] as const,
      )
      return [key, Object.fromEntries(casts)]
    }),
  )
}

/** `"c"`, `["c"]`, `["$", "c"]` */
function rewriteColumn(value: Json, { row, root }: RowPlace, names: NewNames): Json {
  if (typeof value === 'string') return names.field(row, value)
  if (!Array.isArray(value)) return value
  const path: readonly Json[] = value
  const table = path[0] === '$' ? root : row
  return path.map((step, i) => (typeof step === 'string' && i === path.length - 1 ? names.field(table, step) : step))
}

export const sortedEntries = (entries: readonly (readonly [string, Json])[]): JsonObject =>
  Object.fromEntries([...entries].sort(([a], [b]) => (a < b ? -1 : 1)))
