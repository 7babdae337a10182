import { ApiError, Path } from '../../../errors.ts'
import type { DatabaseType, ProcedureCall } from '../../../ir/index.ts'
import { type Sql as Fragment, ident, join, sql, verbatim } from '../../sql.ts'
import { knownType } from '../types/known-types.ts'
import { compileValue } from './cast.ts'
import { type Sql, tableName } from './scope.ts'

/**
 * The SQL before and after the query over the rows that a stored procedure returns
 * (docs/sql-server.md#stored-procedures).
 */
export interface CalledProcedure {
  readonly before: Sql
  /** What stands after FROM. */
  readonly rows: Sql
  readonly after: Sql
}

/**
 * The procedure's rows go into a table of the statement's own. Arguments are variables, since a call takes no expressions;
 * counts of rows that it changes are no answer.
 */
export function compileProcedure({ procedure, arguments: given, columns }: ProcedureCall): CalledProcedure {
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
