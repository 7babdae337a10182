import { ApiError, Path } from '../../../errors.ts'
import type { DatabaseType, ProcedureCall, RootQuery } from '../../../ir/index.ts'
import type { CompiledQuery, CompileOptions } from '../../backend.ts'
import {
  bind,
  compileQueryText,
  type Sql as Fragment,
  ident,
  join,
  print,
  printInlined,
  sql,
  tableName,
  verbatim,
} from '../../sql.ts'
import { mssqlDialect } from '../dialect.ts'
import { knownType } from '../types/known-types.ts'
import { compileAggregateFields } from './aggregates.ts'
import { castTo, compileValue } from './cast.ts'
import { lowerLimit } from './counts.ts'
import { compileList, compileOne, type Origin, oneRow, orderedRows, originOf, unrelated } from './rows.ts'
import { notServed, type Sql, type StatementContext, scopeOf, statementContext } from './scope.ts'

/**
 * Compiles a root field to one statement that returns one row with one column, its JSON (docs/sql-server.md). It may
 * have any number of values: the connection sends those beyond 2,000 in one.
 */
export function compileQuery(query: RootQuery, options: CompileOptions): CompiledQuery {
  const compile = () => compileStatement(query, statementContext(options.mostJoins))
  const { text, slots } = print(compile(), mssqlDialect)
  // compiled once more for explain: fragments take more memory than the query, and plans are cached
  const inlined: CompiledQuery['inlined'] = (show) => {
    if (query.kind === 'rows' && query.procedure)
      throw new ApiError('not-supported', Path.root, 'queries which require multiple steps cannot be explained')
    return printInlined(compile(), show, mssqlDialect)
  }
  return { text, slots, effects: mayDoMore(query) ? 'unknown' : 'none', inlined }
}

/** Whether a root field may do more than read: of a native query or a stored procedure that is unknown. */
export const mayDoMore = (query: RootQuery): boolean =>
  query.kind === 'rows' && (query.query !== undefined || query.procedure !== undefined)

/** A root field; of a stored procedure with the steps around it. */
function compileStatement(query: RootQuery, statement: StatementContext): Sql {
  if (query.kind !== 'rows' || !query.procedure) return compileRoot(query, statement)
  const { before, rows, after } = compileProcedure(query.procedure)
  return sql`${before}${compileRows(query, { table: query.from, from: rows }, statement)}${after}`
}

/** Compiles a root field to a query that returns one row with its JSON (`root`). */
export function compileRoot(query: RootQuery, statement: StatementContext): Sql {
  switch (query.kind) {
    case 'keyed':
      return answer(compileKeyedRows(query, statement), sql`'[]'`)
    case 'rows': {
      if (query.call) return notServed('SQL Functions')
      if (query.procedure) return notServed('stored procedures inside of other queries')
      const from = query.query && compileQueryText(query.query, compileValue)
      return compileRows(query, from ? { table: query.from, from } : originOf(query.from), statement)
    }
    case 'row':
      return answer(
        compileOne(oneRow(originOf(query.from), query.where, unrelated, statement), query.fields),
        sql`'null'`,
      )
    case 'aggregate':
      if (query.call) return notServed('SQL Functions')
      return sql`SELECT (${compileAggregateFields(originOf(query.from), query.rows, query.fields, unrelated, statement)}) AS [root]`
    case 'connection':
      return notServed('Relay queries')
  }
}

function compileRows(
  { rows, fields, single }: Extract<RootQuery, { readonly kind: 'rows' }>,
  origin: Origin,
  statement: StatementContext,
): Sql {
  const source = orderedRows(origin, rows, lowerLimit(rows.limit, rows.permissionLimit), unrelated, statement)
  return single ? answer(compileOne(source, fields), sql`'null'`) : answer(compileList(source, fields), sql`'[]'`)
}

const answer = (json: Sql, empty: Sql): Sql => sql`SELECT ISNULL((${json}), ${empty}) AS [root]`

/**
 * The keys as rows of their own, in their order: what they lead to are relationships of these rows. Lists that belong
 * together are joined by the places of their members.
 */
function compileKeyedRows(
  { keys, fields }: Extract<RootQuery, { readonly kind: 'keyed' }>,
  statement: StatementContext,
): Sql {
  const alias = (i: number): Sql => ident(`list${i}`)
  const columns = keys.map(({ name, list }, i) => {
    const value: Sql = castTo(sql`${alias(i)}.[value]`, { ...list.type, list: false })
    return sql`, ${value} AS ${ident(name)}`
  })
  const lists = keys.map(({ list }, i) =>
    i === 0
      ? sql`OPENJSON(${bind(list)}) AS ${alias(i)}`
      : sql` INNER JOIN OPENJSON(${bind(list)}) AS ${alias(i)} ON ${alias(i)}.[key] = ${alias(0)}.[key]`,
  )
  const scope = scopeOf(ident('lhs'), statement)
  const from = sql`(SELECT CAST(${alias(0)}.[key] AS int) AS [position]${join(columns, sql``)} FROM ${join(lists, sql``)}) AS ${scope.row}`
  const rows = { top: sql``, from, where: sql``, order: sql` ORDER BY ${scope.row}.[position]`, scope }
  return compileList(rows, fields)
}

/**
 * The SQL before and after the query over the rows that a stored procedure returns
 * (docs/sql-server.md#stored-procedures).
 */
interface CalledProcedure {
  readonly before: Sql
  /** What stands after FROM. */
  readonly rows: Sql
  readonly after: Sql
}

/**
 * The procedure's rows go into a table of the statement's own. Arguments are variables, since a call accepts no
 * expressions; counts of rows that it changes are no answer.
 */
function compileProcedure({ procedure, arguments: given, columns }: ProcedureCall): CalledProcedure {
  const rows = ident(`#svc_sp_${procedure.name}`.slice(0, LONGEST_NAME))
  const declared = columns.map(({ name, type }) => {
    const own = columnType(type)
    // else its texts had the collation of tempdb
    return sql`${ident(name)} ${own}${own === TEXT ? sql` COLLATE DATABASE_DEFAULT` : sql``} NULL`
  })
  const variables = given.map(
    ({ value }, i) => sql`DECLARE ${variable(i)} ${columnType(value.type.type)} = ${compileValue(value)}; `,
  )
  const passed = given.map(({ name }, i) => sql`${parameter(name)} = ${variable(i)}`)
  return {
    before: sql`SET NOCOUNT ON; CREATE TABLE ${rows} (${join(declared, sql`, `)}); ${join(variables, sql``)}INSERT INTO ${rows} EXECUTE ${tableName(procedure)} ${join(passed, sql`, `)}; `,
    rows,
    after: sql`; DROP TABLE ${rows}`,
  }
}

/** Of a temporary table. */
const LONGEST_NAME = 116

const variable = (i: number): Fragment => verbatim(`@svc_argument${i}`)

/** It is no identifier that brackets could hold. */
function parameter(name: string): Fragment {
  if (/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) return verbatim(`@${name}`)
  throw new ApiError('validation-failed', Path.root, `a stored procedure has no parameter "${name}"`)
}

/** As long as values may be: metadata's own length is not known here. */
function columnType(type: DatabaseType): Fragment {
  const { cast, family } = knownType(type)
  if (cast !== undefined) return verbatim(cast)
  return type.schema === 'sys' && family !== 'text' && type.name !== 'sysname' ? verbatim(type.name) : TEXT
}

const TEXT: Fragment = sql`nvarchar(max)`
