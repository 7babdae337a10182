import type { InsertRow, InsertTarget, Value, WrittenColumn } from '../../../ir/index.ts'
import type { LongWork } from '../../../long-work.ts'
import type { RequestValues } from '../../backend.ts'
import { ident, join, print, sql, tableName } from '../../sql.ts'
import type { Sql } from '../compile/scope.ts'
import { mssqlDialect } from '../dialect.ts'
import { type ProgramStep, writing } from './mssql-program.ts'
import { bindStep, writtenSlot } from './prepare-write.ts'
import type { StoredRows } from './stored-rows.ts'

/** Of one statement: the server takes 1,000 rows in VALUES, and 2,100 parameters. */
const MOST_ROWS = 1000
const MOST_CELLS = 2000

/**
 * Inserts rows as they are, what they do not say by its default: in parts, where they are too many for one statement.
 * Rows that say nothing at all are inserted each by itself.
 */
export function* insertParts(
  target: InsertTarget,
  rows: readonly InsertRow[],
  stored: StoredRows,
  values: RequestValues,
): LongWork<readonly ProgramStep[]> {
  const columns = columnsOf(target, rows)
  if (columns.length === 0) {
    const plan = writing(
      print(sql`INSERT INTO ${tableName(target.table)}${stored.output('INSERTED')} DEFAULT VALUES`, mssqlDialect),
    )
    return rows.map(() => ({ kind: 'write', plan, parameters: [] }))
  }
  const steps: ProgramStep[] = []
  const size = Math.max(1, Math.min(MOST_ROWS, Math.floor(MOST_CELLS / columns.length)))
  for (let from = 0; from < rows.length; from += size) {
    steps.push(yield* insertPart(target, columns, rows.slice(from, from + size), stored, values))
    yield size
  }
  return steps
}

/** The columns that a row or a preset has a value for, in the order of the table. */
export function columnsOf({ columns, presets }: InsertTarget, rows: readonly InsertRow[]): readonly WrittenColumn[] {
  const named = new Set(presets.map(({ column }) => column))
  for (const { values } of rows) for (const name of values.keys()) named.add(name)
  return columns.filter(({ name }) => named.has(name))
}

function* insertPart(
  { table, presets }: InsertTarget,
  columns: readonly WrittenColumn[],
  rows: readonly InsertRow[],
  stored: StoredRows,
  values: RequestValues,
): LongWork<ProgramStep> {
  const preset = new Map(presets.map(({ column, value }) => [column, value]))
  const cell = (row: InsertRow, { name }: WrittenColumn): Sql => {
    const value: Value | undefined = preset.get(name) ?? row.values.get(name)
    return value ? writtenSlot(value) : sql`DEFAULT`
  }
  const list = rows.map(
    (row) =>
      sql`(${join(
        columns.map((column) => cell(row, column)),
        sql`, `,
      )})`,
  )
  const names = join(
    columns.map(({ name }) => ident(name)),
    sql`, `,
  )
  const text = sql`INSERT INTO ${tableName(table)} (${names})${stored.output('INSERTED')} VALUES ${join(list, sql`, `)}`
  return yield* bindStep('write', writing(print(text, mssqlDialect)), values)
}
