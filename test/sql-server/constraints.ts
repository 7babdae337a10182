/** Keys, foreign keys and checks, with the errors 515, 547, 2601 and 2627 of the server. */

import { textOf } from './cast.ts'
import { keyOf } from './compare.ts'
import { compilePredicate } from './compile-expression.ts'
import { cellsOf, type Database, type ForeignKey, type Key, type Row, type Table, tablesOf } from './database.ts'
import type { Scope } from './scope.ts'
import { ServerError } from './server-error.ts'
import type { Predicate } from './syntax.ts'

export const qualified = ({ schema, name }: Pick<Table, 'schema' | 'name'>): string => `${schema}.${name}`

/** Throws for a table whose rows break one of its own rules; `rows`: those that are new. */
export function checkRows(table: Table, rows: readonly Row[], verb: string, scope: Scope): void {
  const { database } = scope.session
  for (const row of rows)
    table.columns.forEach((column, index) => {
      if (row[index] === null && !column.isNullable)
        throw new ServerError(
          515,
          `Cannot insert the value NULL into column '${column.name}', table '${database.name}.${qualified(table)}'; column does not allow nulls. ${verb} fails.`,
        )
    })
  for (const check of table.checks) {
    const holds = compileCheck(table, check.predicate, scope)
    if (rows.some((row) => holds(row) === false))
      throw new ServerError(
        547,
        `The ${verb} statement conflicted with the CHECK constraint "${check.name}". The conflict occurred in database "${database.name}", table "${qualified(table)}".`,
        16,
        0,
      )
  }
  for (const key of table.keys) if (key.isUnique) checkUnique(table, key, scope)
}

function compileCheck(table: Table, predicate: Predicate, scope: Scope): (row: Row) => boolean | null {
  const columns = table.columns.map(({ name, type }) => ({ table: table.name, name, type }))
  const run = compilePredicate(predicate, { ...scope, columns, outer: null, grouped: null, windows: [] })
  return (row) => run({ cells: row, outer: null })
}

function checkUnique(table: Table, key: Key, scope: Scope): void {
  const filter = key.where ? compileCheck(table, key.where, scope) : null
  const types = key.columns.map(
    (id) => table.columns.find((column) => column.id === id)?.type ?? { name: 'int' as const },
  )
  const seen = new Set<string>()
  for (const row of table.rows) {
    if (filter && filter(row) !== true) continue
    const cells = cellsOf(table, row, key.columns)
    const text = cells.map((cell, index) => keyOf(cell, types[index] ?? { name: 'int' })).join('\u0000')
    if (seen.has(text)) {
      const value = cells
        .map((cell, index) => (cell === null ? '<NULL>' : textOf(cell, types[index] ?? { name: 'int' })))
        .join(', ')
      throw key.kind === 'index'
        ? new ServerError(
            2601,
            `Cannot insert duplicate key row in object '${qualified(table)}' with unique index '${key.name}'. The duplicate key value is (${value}).`,
            14,
          )
        : new ServerError(
            2627,
            `Violation of ${key.kind === 'primary' ? 'PRIMARY' : 'UNIQUE'} KEY constraint '${key.name}'. Cannot insert duplicate key in object '${qualified(table)}'. The duplicate key value is (${value}).`,
            14,
          )
    }
    seen.add(text)
  }
}

/** Rows of `table` without a row that they refer to. */
export function orphans(database: Database, table: Table, key: ForeignKey): readonly Row[] {
  const parent = tablesOf(database).find(({ id }) => id === key.table)
  if (!parent) return []
  const types = key.references.map(
    (id) => parent.columns.find((column) => column.id === id)?.type ?? { name: 'int' as const },
  )
  const text = (cells: Row) => cells.map((cell, index) => keyOf(cell, types[index] ?? { name: 'int' })).join('\u0000')
  const known = new Set(parent.rows.map((row) => text(cellsOf(parent, row, key.references))))
  return table.rows.filter((row) => {
    const cells = cellsOf(table, row, key.columns)
    return !cells.includes(null) && !known.has(text(cells))
  })
}

/** Throws 547 where rows of `table` refer to nothing, or where others refer to rows of it that are gone. */
export function checkReferences(database: Database, table: Table, verb: string): void {
  for (const key of table.foreignKeys)
    if (orphans(database, table, key).length > 0)
      throw conflict(
        database,
        'FOREIGN KEY',
        verb,
        key,
        tablesOf(database).find(({ id }) => id === key.table),
        key.references,
      )
  if (verb === 'INSERT') return
  for (const other of tablesOf(database))
    for (const key of other.foreignKeys)
      if (key.table === table.id && orphans(database, other, key).length > 0)
        throw conflict(
          database,
          other.id === table.id ? 'SAME TABLE REFERENCE' : 'REFERENCE',
          verb,
          key,
          other,
          key.columns,
        )
}

function conflict(
  database: Database,
  kind: string,
  verb: string,
  key: ForeignKey,
  table: Table | undefined,
  columns: readonly number[],
): ServerError {
  const names = table?.columns.filter(({ id }) => columns.includes(id)).map(({ name }) => name) ?? []
  const column = names.length === 1 ? `, column '${names[0]}'` : ''
  return new ServerError(
    547,
    `The ${verb} statement conflicted with the ${kind} constraint "${key.name}". The conflict occurred in database "${database.name}", table "${table ? qualified(table) : ''}"${column}.`,
    16,
    0,
  )
}
