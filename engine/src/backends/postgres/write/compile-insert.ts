import type { Conflict, Value, ValueType, WrittenColumn } from '../../../ir/index.ts'
import { bind, compileWhere, ident, join, literal, sql, tableName } from '../../sql.ts'
import { compileBooleanExpression } from '../compile/boolean-expression.ts'
import { castTo } from '../compile/cast.ts'
import { type Scope, type Sql, type StatementContext, scopeOf } from '../compile/scope.ts'
import { compileValue } from '../compile/values.ts'
import { answersMore, seenBefore } from './seen-before.ts'
import { checkColumn, isForbidden, resultOf, rootOf, written, writtenAnswer } from './write-result.ts'
import type { Cell, InsertClause, InsertStatement, InsertTreeStatement } from './write-statement.ts'

const comma = sql`, `

/** reference/mutations#order-of-an-insert */
export function compileInsert(
  insert: InsertStatement,
  statement: StatementContext,
  guard: Sql | null,
  values: Sql = valuesOf(insert),
): Sql {
  const { into, result, columns, rows } = insert
  const scope = scopeOf(statement.nextAlias(), statement)
  const conditions = { check: checkOf(insert, scope), seen: seenOf(insert, scope) }
  const [only, second] = rows.kind === 'cells' ? rows.of : []
  const own = only && !second ? writtenAnswer(result, conditions, scope) : null
  if (own && only) {
    const row = guard ? sql`SELECT ${join(cellsOf(only, columns, cellOfRow), comma)} WHERE ${guard}` : values
    return sql`${insertClause(insert, scope, row)} RETURNING ${own}`
  }
  const text = sql`${insertClause(insert, scope, values)} RETURNING ${written(scope, conditions)}`
  return resultOf(text, into, result, conditions, guard, statement)
}

/** What an insert is before its RETURNING. */
function insertClause(insert: InsertClause, scope: Scope, rows: Sql): Sql {
  const { into, columns } = insert
  const names = join(
    columns.map(({ name }) => ident(name)),
    comma,
  )
  const values = columns.length === 0 ? sql` DEFAULT VALUES` : sql` (${names}) ${rows}`
  return sql`INSERT INTO ${tableName(into)} AS ${scope.row}${values}${onConflict(insert, scope)}`
}

/** Compiles all inserts of a tree: each is a query, from whose rows later ones read their keys. */
export function compileInsertTree(
  { inserts, roots, table, result }: InsertTreeStatement,
  statement: StatementContext,
  guard: Sql | null,
): Sql {
  const checks: Sql[] = []
  const parts = inserts.map((insert, i) => {
    const scope = scopeOf(statement.nextAlias(), statement)
    const checked = checkOf(insert, scope)
    if (checked) checks.push(isForbidden(writtenBy(i)))
    return sql`${writtenBy(i)} AS (${insertClause(insert, scope, valuesOf(insert))} RETURNING ${written(scope, { check: checked, seen: null })})`
  })
  const rows = join(
    roots.map((i) => sql`SELECT "row" FROM ${writtenBy(i)}`),
    sql` UNION ALL `,
  )
  const counts = join(
    inserts.map((_, i) => sql`(SELECT count(*) FROM ${writtenBy(i)})`),
    sql` + `,
  )
  const forbidden = checks.length > 0 ? join(checks, sql` OR `) : null
  return sql`WITH ${join(parts, comma)}, "m" AS (${rows}) SELECT ${rootOf(table, result, { guard, forbidden, missed: null }, sql`(${counts})`, statement)} AS "root"`
}

const writtenBy = (i: number) => ident(`w${i}`)

/**
 * A row that was there has its own check (reference/mutations#order-of-an-insert): such a row has been locked, a new
 * one has not.
 */
function checkOf({ check, conflict }: InsertClause, scope: Scope): Sql | null {
  const inserted = checkColumn(check, scope)
  if (!conflict?.update) return inserted
  const updated = checkColumn(conflict.update.check, scope)
  if (inserted === null && updated === null) return null
  const yes = sql`true`
  const { knownBy } = conflict.update
  if (knownBy) return checkOfMarked(inserted ?? yes, updated ?? yes, keyText(knownBy, scope))
  return sql`CASE WHEN ${scope.row}."xmax" = 0 THEN ${inserted ?? yes} ELSE ${updated ?? yes} END`
}

/** A new row has no version before it. */
const seenOf = ({ into, conflict, key, result }: InsertStatement, scope: Scope): Sql | null =>
  conflict?.update && key && answersMore(result)
    ? sql`(${scope.row}."xmax" = 0 OR ${seenBefore(into, key, scope)})`
    : null

/**
 * Views and partitioned tables do not say of a row which of both it is. The condition of DO UPDATE leaves the key of
 * the row that it finds in a setting, which the RETURNING of the same row removes. Where a trigger leaves such a row
 * out, the next one finds the mark of another: it has to satisfy both.
 */
function checkOfMarked(inserted: Sql, updated: Sql, key: Sql): Sql {
  const mark = sql`COALESCE(current_setting(${markName}, true), '')`
  const check = sql`CASE ${mark} WHEN '' THEN ${inserted} WHEN ${key} THEN ${updated} ELSE (${inserted}) AND (${updated}) END`
  return sql`CASE WHEN ${check} THEN set_config(${markName}, '', true) = '' ELSE false END`
}

const markName = literal('svc.conflicting')

const keyText = (columns: readonly string[], { row }: Scope): Sql =>
  sql`ROW(${join(
    columns.map((name) => sql`${row}.${ident(name)}`),
    comma,
  )})::text`

function valuesOf({ columns, rows }: InsertClause): Sql {
  switch (rows.kind) {
    case 'cells': {
      const lists = rows.of.map((cells) => rowOf(cells, columns))
      return sql`VALUES ${join(lists, comma)}`
    }
    case 'lists':
      return listsOf(rows.of, columns, rows.count)
  }
}

/** One of VALUES. */
export const rowOf = (cells: readonly Cell[], columns: readonly WrittenColumn[]): Sql =>
  sql`(${join(cellsOf(cells, columns, cellOfRow), comma)})`

const cellsOf = (
  cells: readonly Cell[],
  columns: readonly WrittenColumn[],
  compile: (cell: Cell, column: WrittenColumn) => Sql,
): readonly Sql[] =>
  columns.map((column, i) => {
    const cell = cells[i]
    return cell ? compile(cell, column) : sql`DEFAULT`
  })

function cellOfRow(cell: Cell, { type }: WrittenColumn): Sql {
  switch (cell.kind) {
    case 'given':
    case 'same':
      return compileValue(cell.value)
    case 'text':
      return castTo<Value>(cell.text === null ? sql`NULL` : literal(cell.text), { type, list: false })
    case 'default':
      return sql`DEFAULT`
    // as queries, which run once and not for each row
    case 'saved':
      return sql`(SELECT ((current_setting(${compileValue(cell.from)})::${tableName(cell.table)}[])[1]).${ident(cell.column)})`
    case 'written':
      return cell.at
        ? writtenAt(cell, compileValue(cell.at))
        : sql`(SELECT (${writtenBy(cell.by)}."row").${ident(cell.column)} FROM ${writtenBy(cell.by)})`
  }
}

/**
 * Of several rows, the one at this place: an insert returns its rows in the order of its values. One list of all,
 * which is made once, since a join would have to be sorted again.
 */
const writtenAt = ({ by, column }: Cell & { readonly kind: 'written' }, place: Sql): Sql =>
  sql`((SELECT array_agg((${writtenBy(by)}."row").${ident(column)}) FROM ${writtenBy(by)}))[${place}]`

const texts: ValueType = {
  type: { schema: 'pg_catalog', name: 'text', kind: 'base', array: true },
  list: false,
}

/** One list for each column: of 1,000 rows of five columns this takes a third of the time of VALUES with 5,000 parameters. */
function listsOf(cells: readonly Cell[], columns: readonly WrittenColumn[], count: Value): Sql {
  const lists: Sql[] = []
  const names: Sql[] = []
  const selected = cellsOf(cells, columns, (cell, column) => {
    const given = cell.kind === 'given' ? cell.value : cell.kind === 'written' ? cell.at : undefined
    if (!given) return cellOfRow(cell, column)
    const name = ident(String(lists.length + 1))
    lists.push(castTo(bind(given), texts))
    names.push(name)
    const value = sql`"d".${name}`
    return cell.kind === 'written'
      ? writtenAt(cell, sql`${value}::int`)
      : castTo(value, { type: column.type, list: false })
  })
  const rows =
    lists.length > 0
      ? sql`unnest(${join(lists, comma)}) AS "d" (${join(names, comma)})`
      : sql`generate_series(1, ${compileValue(count)})`
  return sql`SELECT ${join(selected, comma)} FROM ${rows}`
}

function onConflict(insert: InsertClause, scope: Scope): Sql {
  const { conflict } = insert
  if (conflict === null) return sql``
  const { target, update } = conflict
  const on = sql` ON CONFLICT${targetOf(target)}`
  if (update === null) return sql`${on} DO NOTHING`
  const given = update.columns.map((name) => sql`${ident(name)} = EXCLUDED.${ident(name)}`)
  const presets = update.presets.map(({ column, value }) => sql`${ident(column)} = ${compileValue(value)}`)
  const found = compileBooleanExpression(update.where, scope)
  const marks = update.knownBy && checkOf(insert, scope)
  const condition = marks
    ? sql` WHERE CASE WHEN ${found} THEN set_config(${markName}, ${keyText(update.knownBy, scope)}, true) <> '' ELSE false END`
    : compileWhere([found])
  return sql`${on} DO UPDATE SET ${join([...given, ...presets], comma)}${condition}`
}

function targetOf(target: Conflict['target']): Sql {
  switch (target.kind) {
    case 'any':
      return sql``
    case 'constraint':
      return sql` ON CONSTRAINT ${ident(target.name)}`
    case 'columns':
      return sql` (${join(
        target.of.map((name) => ident(name)),
        comma,
      )})`
    case 'matched':
      throw new Error('PostgreSQL knows rows by their constraints')
  }
}
