import { ApiError, Path } from '../../../errors.ts'
import {
  type Assignment,
  answerLeadsElsewhere,
  type PlainChange,
  type QualifiedName,
  type Value,
} from '../../../ir/index.ts'
import type { LongWork } from '../../../long-work.ts'
import type { CompiledQuery, CompileOptions } from '../../backend.ts'
import {
  aroundSlot,
  bind,
  compileWhere,
  type Sql as Fragment,
  ident,
  join,
  type PrintedSql,
  Printer,
  print,
  printInlined,
  sql,
  tableName,
} from '../../sql.ts'
import { compileBooleanExpression } from '../compile/boolean-expression.ts'
import { MOST_VALUES } from '../compile/compile-query.ts'
import { type Scope, type Sql, type StatementContext, scopeOf, statementContext } from '../compile/scope.ts'
import { compileValue } from '../compile/values.ts'
import { answerIgnores } from './at-once.ts'
import { compileInsert, compileInsertTree, rowOf } from './compile-insert.ts'
import { foundAt, isAsFound, tablesOf } from './guard.ts'
import { answersMore, seenBefore } from './seen-before.ts'
import { answerOf, checkColumn, resultOf, rowEntries, written, writtenAnswer } from './write-result.ts'
import type { DeleteStatement, SavedAnswer, UpdateStatement, WriteResult, WriteStatement } from './write-statement.ts'

/**
 * Compiles one statement of a transaction that writes (reference/mutations). It returns one row with one column: the
 * answer, or nothing of interest. Throws validation-failed for one with more values than PostgreSQL accepts.
 */
export function compileWrite(write: WriteStatement, options: CompileOptions): CompiledQuery {
  return compiled(print(compileOne(write, contextOf(options), guardOf(write))), write, options)
}

const guardOf = (write: WriteStatement): Sql | null => (tablesOf(write) ? isAsFound : null)

const contextOf = ({ stringifyNumericTypes, mostJoins }: CompileOptions) =>
  statementContext(stringifyNumericTypes, mostJoins)

/** As `compileWrite`, in pieces: 9,000 rows of different columns take 200 ms. */
export function* compileLongWrite(write: WriteStatement, options: CompileOptions): LongWork<CompiledQuery> {
  if (write.kind !== 'insert') return compileWrite(write, options)
  const { columns, rows } = write
  if (rows.kind !== 'cells' || rows.of.length < MANY_ROWS || columns.length === 0) return compileWrite(write, options)
  const [before, after] = aroundSlot(compileInsert(write, contextOf(options), guardOf(write), bind(itsRows)), itsRows)
  const printer = new Printer<Value>()
  printer.add(before)
  for (const [i, cells] of rows.of.entries()) {
    printer.add(i === 0 ? sql`VALUES ` : sql`, `)
    printer.add(rowOf(cells, columns))
    yield columns.length
  }
  printer.add(after)
  return compiled(printer.statement(), write, options)
}

const MANY_ROWS = 32
/** Where the rows of an insert stand. */
const itsRows: Value = {
  kind: 'constant',
  text: null,
  type: { type: { schema: 'pg_catalog', name: 'text', kind: 'base', array: false }, list: false },
}

function compiled({ text, slots }: PrintedSql<Value>, write: WriteStatement, options: CompileOptions): CompiledQuery {
  if (slots.length > MOST_VALUES)
    throw new ApiError(
      'validation-failed',
      Path.root,
      `a statement writes ${slots.length} values: at most ${MOST_VALUES} are allowed`,
    )
  const inlined: CompiledQuery['inlined'] = (show) => printInlined(compileOne(write, contextOf(options), null), show)
  const effects = isPlain(write) ? 'rows' : 'writes'
  const tables = tablesOf(write)
  const restsOn = tables && { parameter: slots.indexOf(foundAt), tables }
  return { text: text + (options.tag ?? ''), slots, effects, ...(restsOn && { restsOn }), inlined }
}

/** Nothing of a user's runs for it, and it takes about as long as any other of its text: lists of rows do not. */
function isPlain(write: WriteStatement): boolean {
  switch (write.kind) {
    case 'insert':
      return write.isPlain && write.rows.kind === 'cells'
    case 'insert-tree':
      return (
        write.inserts.every((insert) => insert.isPlain) &&
        write.roots.every((root) => write.inserts[root]?.rows.kind === 'cells')
      )
    case 'update':
    case 'delete':
      return write.isPlain
    case 'saved-answer':
      return !answerLeadsElsewhere(write.answer) || answerIgnores(write.answer)
  }
}

function compileOne(write: WriteStatement, statement: StatementContext, guard: Sql | null): Sql {
  switch (write.kind) {
    case 'insert':
      return compileInsert(write, statement, guard)
    case 'insert-tree':
      return compileInsertTree(write, statement, guard)
    case 'update':
      return compileUpdate(write, statement, guard)
    case 'delete':
      return compileDelete(write, statement, guard)
    case 'saved-answer':
      return compileSavedAnswer(write, statement)
  }
}

function compileUpdate(
  { table, assignments, where, check, changes, result }: UpdateStatement,
  statement: StatementContext,
  guard: Sql | null,
): Sql {
  const scope = scopeOf(statement.nextAlias(), statement)
  const set = join(
    assignments.map((one) => assignment(one, scope)),
    sql`, `,
  )
  const conditions = { check: checkColumn(check, scope), seen: seenOf(table, changes, result, scope) }
  const own = writtenAnswer(result, conditions, scope)
  const condition = compileWhere([compileBooleanExpression(where, scope), ...(own && guard ? [guard] : [])])
  const update = sql`UPDATE ${tableName(table)} AS ${scope.row} SET ${set}${condition}`
  if (own) return sql`${update} RETURNING ${own}`
  return resultOf(sql`${update} RETURNING ${written(scope, conditions)}`, table, result, conditions, guard, statement)
}

const seenOf = (
  table: QualifiedName,
  changes: PlainChange | undefined,
  result: WriteResult,
  scope: Scope,
): Sql | null => (changes?.key && answersMore(result) ? seenBefore(table, changes.key, scope) : null)

function assignment(one: Assignment, { row }: Scope): Sql {
  const own: Fragment = ident(one.column)
  if (one.operator === 'default') return sql`${own} = DEFAULT`
  const before = sql`${row}.${own}`
  const value = compileValue(one.value)
  switch (one.operator) {
    case 'set':
      return sql`${own} = ${value}`
    case 'inc':
      return sql`${own} = ${before} + ${value}`
    case 'mul':
      return sql`${own} = ${before} * ${value}`
    case 'append':
      return sql`${own} = ${before} || ${value}`
    case 'prepend':
      return sql`${own} = ${value} || ${before}`
    case 'delete_key':
    case 'delete_elem':
      return sql`${own} = ${before} - ${value}`
    case 'delete_at_path':
      return sql`${own} = ${before} #- ${value}`
  }
}

function compileDelete(
  { table, where, changes, result }: DeleteStatement,
  statement: StatementContext,
  guard: Sql | null,
): Sql {
  const scope = scopeOf(statement.nextAlias(), statement)
  const conditions = { check: null, seen: seenOf(table, changes, result, scope) }
  const own = writtenAnswer(result, conditions, scope)
  const condition = compileWhere([compileBooleanExpression(where, scope), ...(own && guard ? [guard] : [])])
  const remove = sql`DELETE FROM ${tableName(table)} AS ${scope.row}${condition}`
  if (own) return sql`${remove} RETURNING ${own}`
  return resultOf(sql`${remove} RETURNING ${written(scope, conditions)}`, table, result, conditions, guard, statement)
}

function compileSavedAnswer({ table, names, count, answer }: SavedAnswer, statement: StatementContext): Sql {
  const saved = sql`SELECT "r" AS "row" FROM unnest(${compileValue(names)}) AS "n" ("name"), unnest(current_setting("n"."name")::${tableName(table)}[]) AS "r"`
  const counted = count ? sql`current_setting(${compileValue(count)})::bigint` : sql`(SELECT count(*) FROM "m")`
  return sql`WITH "m" AS MATERIALIZED (${saved}) SELECT ${answerOf(answer, table, counted, statement, rowEntries)} AS "root"`
}
