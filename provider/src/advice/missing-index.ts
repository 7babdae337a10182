import { isRecord, type Json, type JsonObject, ownKey, recordOf } from '@svc/schema'
import { type AdvisedObject, type Counsel, permissionOf, type Rule, tableName } from './rule.ts'
import { foreignKeyText } from './source-facts.ts'

/** Below that a scan of the table costs less than an index. */
const small = 1000

/** Columns that each request of a role, or each row of a relationship, is looked up by, without an index. */
export const missingIndex: Rule = (object) => {
  const { place, permits, value } = object
  const { table = null } = place
  if (permits === null) {
    const target = targetOf(object, table, value)
    return target ? indexFor(object, { ...target, use: 'the relationship looks up' }) : []
  }
  const found = lookupsOf(object, table, permissionOf(object).filter ?? null).flatMap((one) => indexFor(object, one))
  return [...new Map(found.map((counsel) => [counsel.remedy, counsel])).values()]
}

interface Target {
  readonly table: Json
  readonly columns: readonly string[]
}

interface Lookup extends Target {
  /** The subject of a sentence: what finds rows by the columns. */
  readonly use: string
}

/**
 * What a condition on rows of a table is answered by: its own columns, and those of tables that it leads to, which are looked up
 * for what is not to be there as well. `negated`: it is what the rows must not meet.
 */
function lookupsOf(object: AdvisedObject, table: Json, condition: Json, negated = false): readonly Lookup[] {
  if (!isRecord(condition)) return []
  return Object.entries(condition).flatMap(([key, value]): readonly Lookup[] => {
    const connective = /^[_$](and|or|not|exists)$/.exec(key)?.[1]
    if (connective === 'and' || connective === 'or')
      return Array.isArray(value) ? value.flatMap((one: Json) => lookupsOf(object, table, one, negated)) : []
    if (connective === 'not') return lookupsOf(object, table, value, !negated)
    if (connective === 'exists')
      return isRecord(value) ? lookupsOf(object, value._table ?? null, value._where ?? null) : []
    const relationship = relationshipOf(object, table, key)
    if (relationship) return behind(object, table, relationship, [value])
    const aggregated = key.endsWith('_aggregate') && relationshipOf(object, table, key.slice(0, -'_aggregate'.length))
    if (aggregated) return behind(object, table, aggregated, filtersIn(value))
    return isLookup(value, negated) ? [{ table, columns: [key], use: 'the filter compares' }] : []
  })
}

function behind(
  object: AdvisedObject,
  table: Json,
  relationship: JsonObject,
  conditions: readonly Json[],
): readonly Lookup[] {
  const target = targetOf(object, table, relationship)
  if (!target) return []
  const inTarget = conditions.flatMap((condition) => lookupsOf(object, target.table, condition))
  return [{ ...target, use: 'the filter looks up' }, ...inTarget]
}

/** Of `{ count: { filter, predicate } }`. */
const filtersIn = (aggregates: Json): readonly Json[] =>
  isRecord(aggregates) ? Object.values(aggregates).map((one) => (isRecord(one) ? (one.filter ?? null) : null)) : []

/** Whether an index finds the rows: what differs from a value is found by none, and what does not differ by one. */
function isLookup(comparison: Json, negated: boolean): boolean {
  if (!isRecord(comparison)) return !negated && comparison !== null
  const found = negated ? /^[_$]c?(?:neq?|nin|gte?|lte?)$/ : /^[_$]c?(?:eq|in|gte?|lte?)$/
  return Object.keys(comparison).some((operator) => found.test(operator))
}

/** A table's relationship by its name; undefined where it has none. */
function relationshipOf({ document, place }: AdvisedObject, table: Json, name: string): JsonObject | undefined {
  const source = document.children.source?.get(ownKey('source', { name: place.source ?? null }))
  const { object_relation, array_relation } = source?.children.table?.get(ownKey('table', { table }))?.children ?? {}
  // keys that are a name are written alike for all kinds
  const own = ownKey('source', { name })
  return (object_relation?.get(own) ?? array_relation?.get(own))?.value
}

/** The table that a table's relationship leads to, and the columns that its rows are found by. */
function targetOf({ facts, place }: AdvisedObject, table: Json, { using }: JsonObject): Target | null {
  const { foreign_key_constraint_on: foreign, manual_configuration: manual } = recordOf(using)
  if (isRecord(foreign)) return { table: foreign.table ?? null, columns: textsOf(foreign.column ?? foreign.columns) }
  if (isRecord(manual)) {
    const mapping: JsonObject = recordOf(manual.column_mapping)
    return { table: manual.remote_table ?? null, columns: Object.values(mapping).map(String) }
  }
  const key = foreignKeyText(textsOf(foreign))
  const target = facts.get(String(place.source))?.get(tableName(table))?.references.get(key)
  // the key of the other table has an index
  return target ? { table: target, columns: [] } : null
}

const textsOf = (json: Json | undefined): readonly string[] =>
  Array.isArray(json) ? json.map(String) : typeof json === 'string' ? [json] : []

/** One that begins with any of the columns will do. */
function indexFor({ facts, place }: AdvisedObject, { table, columns, use }: Lookup): readonly Counsel[] {
  const name = tableName(table)
  const known = facts.get(String(place.source))?.get(name)
  if (!known?.isTable || (known.rows !== null && known.rows < small)) return []
  const ofTable = columns.filter((column) => known.types.has(column) && known.types.get(column) !== 'boolean')
  if (ofTable.length === 0 || ofTable.some((column) => known.indexed.has(column))) return []
  const list = ofTable.map(quoted).join(', ')
  return [
    {
      message: `${use} ${name}.${ofTable.join(', ')}, which no index begins with`,
      remedy: `CREATE INDEX ON ${name.split('.').map(quoted).join('.')} (${list});`,
    },
  ]
}

const quoted = (name: string): string => (/^[a-z_][a-z\d_]*$/.test(name) ? name : `"${name.replaceAll('"', '""')}"`)
