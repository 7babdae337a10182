import type { RowField } from '../../../ir/index.ts'
import { compileJoin, ident, join, sql, tableName } from '../../sql.ts'
import { compileFields } from '../compile/fields.ts'
import type { JsonEntry } from '../compile/json-shapes.ts'
import { type Scope, scopeOf } from '../compile/scope.ts'
import { failing } from './write-failure.ts'

/**
 * The members of the object of a row in the answer of the statement that writes it, looked up row by row. A statement
 * that answers itself does not see what other transactions have committed since it began, but its foreign keys do:
 * where it does not find a row that a key says is there, it fails, and the rows are written and requested by two
 * statements.
 */
export function answerEntries(fields: readonly RowField[], scope: Scope): readonly JsonEntry[] {
  const { entries } = compileFields(fields, scope, { left: 0 })
  return entries.map((entry, i) => {
    const field = fields[i]
    return field?.kind === 'object' && field.join.unique ? { ...entry, value: seen(field, entry, scope) } : entry
  })
}

function seen({ join: by }: RowField & { kind: 'object' }, { value }: JsonEntry, scope: Scope) {
  const { row } = scopeOf(scope.statement.nextAlias(), scope.statement)
  const given = by.columns.map(({ from }) => sql`${scope.row}.${ident(from)} IS NOT NULL`)
  const isThere = sql`EXISTS (SELECT FROM ${tableName(by.table)} AS ${row} WHERE ${compileJoin(by, scope.row, row)})`
  const [column] = by.columns
  const known = sql`${scope.row}.${ident(column?.from ?? '')}::text`
  const missed = sql`CASE WHEN ${join(given, sql` AND `)} AND NOT ${isThere} THEN to_json(${failing('missed', known)}) END`
  return sql`COALESCE(to_json(${value}), ${missed})`
}
