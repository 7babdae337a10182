import { isRecord, type Json, type JsonObject } from '@svc/schema'
import { type AdvisedObject, type Counsel, permissionOf, type Rule, tableName } from './rule.ts'

/** Below that a scan of the table costs less than an index. */
const small = 1000

/** Columns that each request of a role, or each row of a relationship, is looked up by, without an index. */
export const missingIndex: Rule = (object) => {
  const target = targetOf(object)
  if (target) return indexFor(object, target.table, target.columns, 'the relationship looks up')
  if (object.permits === null) return []
  return comparedColumns(permissionOf(object).filter ?? null).flatMap((column) =>
    indexFor(object, object.place.table, [column], 'the filter compares'),
  )
}

/** The columns of the table itself that a condition compares, each once. */
function comparedColumns(condition: Json): readonly string[] {
  if (!isRecord(condition)) return []
  const found = Object.entries(condition).flatMap(([key, value]): readonly string[] => {
    if (key === '_and' || key === '_or') return Array.isArray(value) ? value.flatMap(comparedColumns) : []
    // what differs from a value is found by no index
    if (key.startsWith('_') || !isRecord(value)) return []
    return Object.keys(value).some((operator) => /^\$?_?(?:eq|in|gt|gte|lt|lte|ceq)$/.test(operator)) ? [key] : []
  })
  return [...new Set(found)]
}

/** The table and columns that the rows of a relationship are found by. */
function targetOf({ value }: AdvisedObject): { readonly table: Json; readonly columns: readonly string[] } | null {
  const using = isRecord(value.using) ? value.using : {}
  const { foreign_key_constraint_on: foreign, manual_configuration: manual } = using
  if (isRecord(foreign)) return { table: foreign.table ?? null, columns: textsOf(foreign.column ?? foreign.columns) }
  if (!isRecord(manual)) return null // the key of the other table, which has an index
  const mapping: JsonObject = isRecord(manual.column_mapping) ? manual.column_mapping : {}
  return { table: manual.remote_table ?? null, columns: Object.values(mapping).map(String) }
}

const textsOf = (json: Json | undefined): readonly string[] =>
  Array.isArray(json) ? json.map(String) : typeof json === 'string' ? [json] : []

/** One that begins with any of the columns will do. */
function indexFor(
  { facts, place }: AdvisedObject,
  table: Json | undefined,
  columns: readonly string[],
  use: string,
): readonly Counsel[] {
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
