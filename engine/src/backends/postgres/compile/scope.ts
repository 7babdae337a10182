import type { QualifiedName, Value } from '../../../ir/index.ts'
import { type Sql as Fragment, ident, sql } from '../../sql.ts'

/** All SQL of the compiler: its slots are IR values. */
export type Sql = Fragment<Value>

/** Where an expression stands: the aliases of the current row and of the row that the whole expression started from. */
export interface Scope {
  readonly row: Fragment
  readonly root: Fragment
  /** The row is one of a query over this table: no more of the table's own type, as functions need it. */
  readonly rowType: QualifiedName | null
  readonly statement: StatementContext
}

/** What is shared by everything in one statement. */
export interface StatementContext {
  readonly stringifyNumericTypes: boolean
  /** A table alias that nothing else in the statement has; the dot keeps it apart from every response key. */
  nextAlias(): Fragment
}

export function statementContext(stringifyNumericTypes: boolean): StatementContext {
  let count = 0
  return { stringifyNumericTypes, nextAlias: () => ident(`t.${count++}`) }
}

/** A row of its own: `$` means it, and so does a plain column. */
export const scopeOf = (row: Fragment, statement: StatementContext, rowType: QualifiedName | null = null): Scope => ({
  row,
  root: row,
  rowType,
  statement,
})

export const tableName = ({ schema, name }: QualifiedName): Fragment => sql`${ident(schema)}.${ident(name)}`
