import type { Conflict, InsertRow, InsertTarget, Value, WrittenColumn } from '../../../ir/index.ts'
import type { LongWork } from '../../../long-work.ts'
import type { RequestValues } from '../../backend.ts'
import { bind, compileWhere, type Sql as Fragment, ident, join, print, sql, tableName, verbatim } from '../../sql.ts'
import { compileBooleanExpression } from '../compile/boolean-expression.ts'
import { castTo, comparable } from '../compile/cast.ts'
import { type Sql, scopeOf, statementContext } from '../compile/scope.ts'
import { mssqlDialect } from '../dialect.ts'
import { isType } from '../types/known-types.ts'
import { columnsOf, insertParts } from './insert-parts.ts'
import { batchStep, type ProgramStep, writing } from './mssql-program.ts'
import { bindStep, writtenSlot, writtenValue } from './prepare-write.ts'
import type { StoredRows } from './stored-rows.ts'

/**
 * `if_matched` (docs/sql-server.md#if_matched): existing rows are found under locks which keep other transactions from
 * inserting the missing ones, then updated, then the missing ones are inserted. MERGE does this in one statement, and
 * is known to race. Rows with the same columns are written together, since only VALUES accepts defaults for columns
 * that a row does not have.
 */
export function* upsertSteps(
  target: InsertTarget,
  conflict: Conflict,
  rows: readonly InsertRow[],
  stored: StoredRows,
  values: RequestValues,
): LongWork<readonly ProgramStep[]> {
  if (conflict.target.kind !== 'matched') throw new Error('SQL Server knows rows by columns that are equal')
  const matched = conflict.target.of
  const groups: RowGroup[] = []
  for (const group of Map.groupBy(rows, ({ values: given }) => JSON.stringify([...given.keys()].sort())).values())
    groups.push(yield* groupOf(target, matched, group, groups.length, values))
  const compared = groups.filter(({ isCompared }) => isCompared)
  const steps: ProgramStep[] = [batchStep(`CREATE TABLE ${MATCHED} ([group] int NOT NULL, [row] int NOT NULL)`)]
  const add = function* (kind: ProgramStep['kind'], text: Sql): LongWork<void> {
    const inputs = new Map<Value, string | null>(groups.map(({ rows: slot, json }) => [slot, json]))
    steps.push(yield* bindStep(kind, writing(print(text, mssqlDialect)), values, inputs))
  }
  for (const group of compared) yield* add('write', findMatched(target, matched, group))
  if (rows.length > 1 && conflict.update) yield* add('duplicates', countMatched(target, matched, compared))
  if (conflict.update)
    for (const group of compared) yield* add('write', updateMatched(target, matched, group, conflict.update, stored))
  for (const group of groups)
    if (group.isCompared) yield* add('write', insertOthers(target, group, stored))
    else steps.push(...(yield* insertParts(target, group.members, stored, values)))
  steps.push(batchStep(`DROP TABLE ${MATCHED}`))
  return steps
}

const MATCHED = '[#matched]'
const matchedTable: Fragment = sql`[#matched]`
const row: Fragment = sql`[v]`
const found: Fragment = sql`[target]`

/** Rows with the same columns. */
interface RowGroup {
  readonly number: number
  readonly members: readonly InsertRow[]
  readonly columns: readonly WrittenColumn[]
  /** Whether it has all columns by which rows are compared: else none of its rows can exist. */
  readonly isCompared: boolean
  /** Takes the rows as JSON: a list of lists of texts, the number of the row first. */
  readonly rows: Value
  readonly json: string
}

function* groupOf(
  target: InsertTarget,
  matched: readonly string[],
  members: readonly InsertRow[],
  number: number,
  values: RequestValues,
): LongWork<RowGroup> {
  const columns = columnsOf(target, members)
  const preset = new Map(target.presets.map(({ column, value }) => [column, value]))
  const lists: (readonly (number | string | null)[])[] = []
  for (const [i, { values: given }] of members.entries()) {
    const cells: (string | null)[] = []
    for (const { name } of columns) {
      const value = preset.get(name) ?? given.get(name)
      const short = value && values.short(value)
      cells.push(value && short === undefined ? yield* values.long(value) : (short ?? null))
    }
    lists.push([i, ...cells])
    yield columns.length
  }
  const type = { type: { schema: 'sys', name: 'nvarchar', kind: 'base', array: false }, list: false } as const
  const isCompared = matched.every((name) => columns.some((column) => column.name === name))
  const rows: Value = { kind: 'input', name: `rows ${number}`, type }
  return { number, members, columns, isCompared, rows, json: JSON.stringify(lists) }
}

/** The rows of a group, whose columns are texts. */
function opened({ rows, columns }: RowGroup): Sql {
  const declared = columns.map((_, i) => sql`, ${cell(i)} nvarchar(max) ${verbatim(`'$[${i + 1}]'`)}`)
  return sql`OPENJSON(${bind(rows)}) WITH ([row] int '$[0]'${join(declared, sql``)}) AS ${row}`
}

const cell = (i: number): Fragment => ident(`c${i}`)

/** Whether a row of a group is the row of the table. */
function isMatched({ columns }: RowGroup, matched: readonly string[]): Sql {
  const parts = columns.flatMap(({ name, type }, i) => {
    if (!matched.includes(name)) return []
    const text = sql`${row}.${cell(i)}`
    // compared as the column's own type, with every digit
    const value = isType(type, 'decimal', 'numeric') ? text : castTo(text, { type, list: false })
    return [sql`(${comparable(sql`${found}.${ident(name)}`, type)}) = (${value})`]
  })
  return join(parts, sql` AND `)
}

function findMatched({ table }: InsertTarget, matched: readonly string[], group: RowGroup): Sql {
  const on = isMatched(group, matched)
  return sql`INSERT INTO ${matchedTable} ([group], [row]) SELECT ${number(group)}, ${row}.[row] FROM ${opened(group)} INNER JOIN ${tableName(table)} AS ${found} WITH (UPDLOCK, HOLDLOCK) ON ${on}`
}

/** How many pairs of a row to write and an existing row there are, and of how many existing rows. */
function countMatched({ table }: InsertTarget, matched: readonly string[], groups: readonly RowGroup[]): Sql {
  const exists = groups.map(
    (group) => sql`EXISTS (SELECT 1 AS [x] FROM ${opened(group)} WHERE ${isMatched(group, matched)})`,
  )
  const any = exists.length === 0 ? sql`(1<>1)` : join(exists, sql` OR `)
  return sql`SELECT (SELECT COUNT(*) AS [count] FROM ${matchedTable}) AS [pairs], (SELECT COUNT(*) AS [count] FROM ${tableName(table)} AS ${found} WHERE ${any}) AS [rows]`
}

function updateMatched(
  { table, columns: known }: InsertTarget,
  matched: readonly string[],
  group: RowGroup,
  update: NonNullable<Conflict['update']>,
  stored: StoredRows,
): Sql {
  const presets = new Map(update.presets.map(({ column, value }) => [column, value]))
  const given = (name: string): Sql => {
    const i = group.columns.findIndex((column) => column.name === name)
    const type = group.columns[i]?.type
    return type ? writtenValue(sql`${row}.${cell(i)}`, type) : sql`DEFAULT`
  }
  const named = new Set([...update.columns, ...presets.keys()])
  const ordered = [...known.map(({ name }) => name).filter((name) => named.delete(name)), ...named]
  const set = ordered.map((name) => {
    const preset = presets.get(name)
    return sql`${ident(name)} = ${preset ? writtenSlot(preset) : given(name)}`
  })
  const condition = compileWhere([compileBooleanExpression(update.where, scopeOf(found, statementContext()))])
  return sql`UPDATE ${found} SET ${join(set, sql`, `)}${stored.output('INSERTED', true)} FROM ${tableName(table)} AS ${found} INNER JOIN ${opened(group)} ON ${isMatched(group, matched)}${condition}`
}

function insertOthers({ table }: InsertTarget, group: RowGroup, stored: StoredRows): Sql {
  const names = join(
    group.columns.map(({ name }) => ident(name)),
    sql`, `,
  )
  const cells = join(
    group.columns.map(({ type }, i) => writtenValue(sql`${row}.${cell(i)}`, type)),
    sql`, `,
  )
  const isThere = sql`SELECT 1 AS [x] FROM ${matchedTable} AS [m] WHERE [m].[group] = ${number(group)} AND [m].[row] = ${row}.[row]`
  return sql`INSERT INTO ${tableName(table)} (${names})${stored.output('INSERTED')} SELECT ${cells} FROM ${opened(group)} WHERE NOT EXISTS (${isThere}) ORDER BY ${row}.[row]`
}

const number = ({ number: of }: RowGroup): Sql => verbatim(String(of))
