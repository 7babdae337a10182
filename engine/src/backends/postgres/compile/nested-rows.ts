import type { RowField } from '../../../ir/index.ts'
import { ident, join, sql } from '../../sql.ts'
import { typeName } from './cast.ts'
import { compileOperand } from './operand.ts'
import { compileList, compileOne, filteredRows } from './rows.ts'
import type { Scope, Sql } from './scope.ts'

/**
 * The object or list inside a JSON or composite value, its members read as what their columns are declared to be, so that
 * filters and fields are those of any row (reference/database-objects#native-queries). NULL where it is none.
 */
export function compileNestedRows(field: RowField & { kind: 'nested' }, scope: Scope): Sql {
  const { statement } = scope
  const json = sql`to_json(${compileOperand(field.of, scope)})`
  const row = statement.nextAlias()
  const columns = field.columns.map(({ name, type }) => sql`${ident(name)} ${typeName(type)}`)
  const element = statement.nextAlias()
  const elements = field.list ? sql`json_array_elements(${json})` : sql`(SELECT ${json})`
  const objects = sql`(SELECT ${row}.* FROM ${elements} AS ${element} ("v"), LATERAL json_to_record(${element}."v") AS ${row} (${join(columns, sql`, `)}) WHERE json_typeof(${element}."v") = 'object')`
  const source = filteredRows({ table: field.table, from: objects }, field.where, () => [], statement)
  const rows = field.list ? compileList(source, field.fields) : sql`(${compileOne(source, field.fields)})`
  return sql`CASE WHEN json_typeof(${json}) = ${field.list ? sql`'array'` : sql`'object'`} THEN ${rows} END`
}
