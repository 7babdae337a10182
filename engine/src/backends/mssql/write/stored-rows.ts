/**
 * The temporary table in which a write stores its rows, and what they are answered with (docs/sql-server.md#mutations).
 */
import {
  always,
  type BooleanExpression,
  isAlways,
  type QualifiedName,
  type ResponseField,
  type RowField,
  type WriteAnswer,
} from '../../../ir/index.ts'
import type { CompileOptions, Statement } from '../../backend.ts'
import { ident, join, print, sql, tableName } from '../../sql.ts'
import { compileBooleanExpression } from '../compile/boolean-expression.ts'
import { type JsonEntry, jsonList, noRows, objectOf, typename } from '../compile/json-shapes.ts'
import { compileList, compileOne, orderedRows, unrelated } from '../compile/rows.ts'
import { type Sql, type StatementContext, scopeOf, statementContext } from '../compile/scope.ts'
import { mssqlDialect } from '../dialect.ts'
import { isType } from '../types/known-types.ts'
import { batchStep, type ProgramStep, writing } from './mssql-program.ts'
import { type ReferencedColumns, referencedColumns } from './referenced-columns.ts'

/** What each of the rows that were written has to satisfy. */
export interface RowChecks {
  readonly check: BooleanExpression
  /** Of rows that were there before, of an upsert; null: there are none. */
  readonly updateCheck: BooleanExpression | null
}

export class StoredRows {
  readonly #name: string
  readonly #table: QualifiedName
  readonly #columns: ReferencedColumns
  readonly #isMarked: boolean
  /** Returns the JSON, and how many rows a check forbids. */
  readonly answer: Statement

  /** Rows of `table`, stored as `name`: `#inserted`. */
  constructor(name: string, table: QualifiedName, answer: WriteAnswer, checks: RowChecks, options: CompileOptions) {
    const { check, updateCheck } = checks
    this.#name = name
    this.#table = table
    this.#columns = referencedColumns(answer, updateCheck ? [check, updateCheck] : [check])
    this.#isMarked = updateCheck !== null
    this.answer = compileAnswer({ schema: '', name }, table, answer, checks, options)
  }

  /** Makes it: columns of the table's types, none of which is an identity, as a union has none. */
  create(): ProgramStep {
    const columns = [...this.#columns].map(([name, type]) => {
      const own = ident(name)
      // what the server counts up itself cannot be written to a column of its type
      const isCounted = type !== null && isType(type, 'timestamp', 'rowversion')
      if (isCounted) return sql`CAST(${own} AS binary(8)) AS ${own}`
      // a collection of schemas is known in its own database only
      return type !== null && isType(type, 'xml') ? sql`CAST(${own} AS xml) AS ${own}` : sql`${own} AS ${own}`
    })
    if (this.#isMarked || columns.length === 0) columns.push(sql`0 AS ${MARK}`)
    const select = (into: Sql) => sql`SELECT ${join(columns, comma)}${into} FROM ${tableName(this.#table)} WHERE (1<>1)`
    const text = sql`${select(sql` INTO ${ident(this.#name)}`)} UNION ALL ${select(sql``)}`
    return batchStep(print(text, mssqlDialect).text)
  }

  drop(): ProgramStep {
    return batchStep(print(sql`DROP TABLE ${ident(this.#name)}`, mssqlDialect).text)
  }

  /** ` OUTPUT INSERTED.[id] INTO #inserted([id])`. `isUpdated`: rows that were there before. */
  output(from: 'INSERTED' | 'DELETED', isUpdated = false): Sql {
    const names = [...this.#columns.keys()].map(ident)
    const values: Sql[] = names.map((name) => (from === 'INSERTED' ? sql`INSERTED.${name}` : sql`DELETED.${name}`))
    if (this.#isMarked || names.length === 0) {
      values.push(isUpdated ? sql`1` : sql`0`)
      names.push(MARK)
    }
    return sql` OUTPUT ${join(values, comma)} INTO ${ident(this.#name)}(${join(names, comma)})`
  }
}

const comma = sql`, `
/** Whether the row was there before, or nothing where no column of it is needed. No column of a user's has such a name. */
const MARK = ident('svc.updated')

function compileAnswer(
  rows: QualifiedName,
  table: QualifiedName,
  answer: WriteAnswer,
  checks: RowChecks,
  { mostJoins, tag }: CompileOptions,
): Statement {
  const statement = statementContext(mostJoins)
  const list = (fields: readonly RowField[], compile: typeof compileList) => {
    const source = orderedRows({ table, from: tableName(rows) }, allRows, null, unrelated, statement)
    // new rows come first
    const order = checks.updateCheck === null ? source.order : sql` ORDER BY ${source.scope.row}.${MARK}`
    return compile({ ...source, order }, fields)
  }
  const json = sql`${answerOf(answer, rows, list)} AS [mutation_response]`
  const text = sql`SELECT ${json}, ${forbidden(rows, checks, statement)} AS [check_constraint_select]`
  const printed = print(text, mssqlDialect)
  return writing({ ...printed, text: printed.text + (tag ?? '') })
}

const allRows = { where: always, orderBy: [], offset: null }

function answerOf(
  answer: WriteAnswer,
  rows: QualifiedName,
  list: (fields: readonly RowField[], compile: typeof compileList) => Sql,
): Sql {
  switch (answer.kind) {
    case 'nothing':
      return sql`'null'`
    case 'row':
      return sql`ISNULL((${list(answer.fields, compileOne)}), 'null')`
    case 'response': {
      const value = (field: ResponseField): JsonEntry => {
        switch (field.kind) {
          case 'typename':
            return typename(field)
          case 'affected-rows':
            return { key: field.as, value: sql`(SELECT COUNT(*) AS [count] FROM ${tableName(rows)})` }
          case 'returning':
            return { key: field.as, value: jsonList(sql`(${list(field.fields, compileList)})`) }
        }
      }
      return sql`(${objectOf(answer.fields.map(value), noRows)})`
    }
  }
}

/** How many rows a check forbids; what is neither true nor false forbids too. */
function forbidden(rows: QualifiedName, { check, updateCheck }: RowChecks, statement: StatementContext): Sql {
  if (isAlways(check) && (updateCheck === null || isAlways(updateCheck))) return sql`0`
  const scope = scopeOf(statement.alias('t', 'check'), statement)
  const own = compileBooleanExpression(check, scope)
  const satisfied =
    updateCheck === null
      ? own
      : sql`${own} AND (${scope.row}.${MARK} = 0 OR ${compileBooleanExpression(updateCheck, scope)})`
  const each = sql`SELECT (CASE WHEN ${satisfied} THEN 0 ELSE 1 END) AS [e] FROM ${tableName(rows)} AS ${scope.row}`
  return sql`ISNULL((SELECT SUM([c].[e]) AS [check] FROM (${each}) AS [c]), 0)`
}

/** The JSON of an answer where nothing was written. */
export function emptyAnswer(answer: WriteAnswer): string {
  if (answer.kind !== 'response') return 'null'
  const value = (field: ResponseField): unknown => {
    switch (field.kind) {
      case 'typename':
        return field.name
      case 'affected-rows':
        return 0
      case 'returning':
        return []
    }
  }
  return JSON.stringify(Object.fromEntries(answer.fields.map((field) => [field.as, value(field)])))
}
