import {
  type Conflict,
  type InsertList,
  type InsertRow,
  type InsertTarget,
  type QualifiedName,
  runsUsersCode,
} from '../../../ir/index.ts'
import type { LongWork } from '../../../long-work.ts'
import type { RequestValues } from '../../backend.ts'
import type { Cell, InsertClause } from './write-statement.ts'
import { input, textsType, textType } from './write-step.ts'

/** A column whose value is that of a row written before: one that is saved, or one of the same tree. */
export type Link =
  | {
      readonly kind: 'saved'
      readonly column: string
      /** The setting that it is saved in. */
      readonly from: string
      readonly table: QualifiedName
      readonly source: string
    }
  | {
      readonly kind: 'written'
      readonly column: string
      readonly by: number
      readonly source: string
      /** Which row of that insert each row refers to, from 1; without it, the only one. */
      readonly at?: readonly number[]
    }

export interface RowContext {
  readonly texts: RequestValues
  readonly links: readonly Link[]
  /** Takes the texts of the rows. */
  readonly inputs: Map<string, string | null>
  /** Of the names of the inputs. */
  readonly prefix: string
}

/** Of parameters; below PostgreSQL's own, since a check has some too. */
const MOST_CELLS = 60_000
/** Beyond these, rows that have the same columns come as one list for each. */
const MOST_SINGLE_ROWS = 8
/** Longer statements are not cached. */
const LONGEST_KEY = 20_000

export interface KeyedClause {
  readonly clause: InsertClause
  /** Equal keys have the same statement; null: it is not cached. */
  readonly key: string | null
}

/** Rows of one list as they are written together. */
export function* insertClauseOf(
  { into, conflict }: InsertList,
  rows: readonly InsertRow[],
  context: RowContext,
): LongWork<KeyedClause> {
  const { links, inputs, prefix } = context
  const presets = new Map(into.presets.map(({ column, value }) => [column, value]))
  const linked = new Map(links.map((link) => [link.column, link]))
  const given = new Set<string>()
  for (const { values } of rows) for (const name of values.keys()) given.add(name)
  const named = into.columns.filter(({ name }) => presets.has(name) || given.has(name) || linked.has(name))
  // a row with only defaults still needs a column to name, where there are several
  const columns = named.length === 0 && rows.length > 1 ? into.columns.slice(0, 1) : named
  const isEven = rows.every(({ values }) => values.size === given.size)
  // any number of them is one statement, in which what they take from another row is queried once
  const asLists = isEven && rows.length > (links.length > 0 ? 1 : MOST_SINGLE_ROWS)
  const asText = !asLists && given.size * rows.length > MOST_CELLS
  const linkCell = (name: string, row: number | null): Cell | null => {
    const link = linked.get(name)
    if (!link) return null
    if (link.kind === 'written') {
      const cell = { kind: 'written', by: link.by, column: link.source } as const
      if (!link.at) return cell
      if (row === null) return { ...cell, at: input(`${prefix}at ${name}`, textsType) }
      inputs.set(`${prefix}at${row} ${name}`, String(link.at[row]))
      return { ...cell, at: input(`${prefix}at${row} ${name}`, countType) }
    }
    inputs.set(`${prefix}from ${name}`, link.from)
    return { kind: 'saved', from: input(`${prefix}from ${name}`), table: link.table, column: link.source }
  }
  const cells: Cells = {
    columns,
    rows,
    given,
    asText,
    // what a row does not say itself
    fixed: (name) => {
      const preset = presets.get(name)
      return preset ? { kind: 'same', value: preset } : null
    },
    other: (name, row) => linkCell(name, row) ?? { kind: 'default' },
  }
  if (asLists)
    for (const link of links)
      if (link.kind === 'written' && link.at)
        inputs.set(`${prefix}at ${link.column}`, yield* context.texts.list(link.at.map(String)))
  const clause: InsertClause = {
    into: into.table,
    columns,
    rows: yield* asLists ? asColumns(cells, context) : asCells(cells, context),
    conflict,
    check: into.check,
    isPlain: into.isPlain && !callsOnConflict(conflict),
    changesAlone: into.changesAlone,
    key: into.key,
  }
  return { clause, key: asText ? null : keyOf(clause, into) }
}

/** What decides about a row that is there already runs something of a user's. */
const callsOnConflict = (conflict: Conflict | null): boolean =>
  conflict?.update != null && (runsUsersCode(conflict.update.where) || runsUsersCode(conflict.update.check))

interface Cells {
  readonly columns: InsertClause['columns']
  readonly rows: readonly InsertRow[]
  /** Columns that a row has values for. */
  readonly given: ReadonlySet<string>
  /** As part of the statement, since they are more than it may have parameters. */
  readonly asText: boolean
  readonly fixed: (column: string) => Cell | null
  /** `row`: null where it is said for all of them. */
  readonly other: (column: string, row: number | null) => Cell
}

function* asColumns(
  { columns, rows, given, fixed, other }: Cells,
  { texts, inputs, prefix }: RowContext,
): LongWork<InsertClause['rows']> {
  inputs.set(`${prefix}rows`, String(rows.length))
  const of: Cell[] = []
  for (const [i, { name }] of columns.entries()) {
    const cell = fixed(name)
    if (cell || !given.has(name)) {
      of.push(cell ?? other(name, null))
      continue
    }
    const members: (string | null)[] = []
    for (const { values } of rows) {
      const value = values.get(name)
      const short = value === undefined ? null : texts.short(value)
      members.push(short === undefined && value ? yield* texts.long(value) : (short ?? null))
    }
    yield rows.length
    inputs.set(`${prefix}c${i}`, yield* texts.list(members))
    of.push({ kind: 'given', value: input(`${prefix}c${i}`, textsType) })
  }
  return { kind: 'lists', of, count: input(`${prefix}rows`, countType) }
}

function* asCells(
  { columns, rows, asText, fixed, other }: Cells,
  { texts, inputs, prefix }: RowContext,
): LongWork<InsertClause['rows']> {
  const of: Cell[][] = []
  for (const [row, { values }] of rows.entries()) {
    const cells: Cell[] = []
    for (const [i, { name, type }] of columns.entries()) {
      const value = values.get(name)
      const cell = fixed(name) ?? (value ? null : other(name, row))
      if (cell || !value) {
        if (cell) cells.push(cell)
        continue
      }
      const short = texts.short(value)
      const text = short === undefined ? yield* texts.long(value) : short
      const key = `${prefix}c${row}.${i}`
      if (asText) cells.push({ kind: 'text', text })
      else {
        inputs.set(key, text)
        cells.push({ kind: 'given', value: input(key, { type, list: false }) })
      }
    }
    of.push(cells)
    yield columns.length
  }
  return { kind: 'cells', of }
}

const countType = { ...textType, type: { ...textType.type, name: 'int4' } }

const numbers = new WeakMap<InsertTarget, number>()
let count = 0

/** What shapes the statement, without the permission, which is known by its own object. */
function keyOf({ columns, rows, conflict }: InsertClause, into: InsertTarget): string | null {
  const number = numbers.get(into) ?? count++
  numbers.set(into, number)
  const cells = rows.kind === 'lists' ? [rows.of] : rows.of
  if (cells.length * columns.length > LONGEST_KEY) return null
  // a row's value is named by its place, and a preset belongs to the permission
  const shapes = cells.map((row) => row.map(shapeOf).join(''))
  const names = JSON.stringify(columns.map(({ name }) => name))
  const key = `${number} ${rows.kind} ${names} ${shapes.join()} ${conflict === null ? '' : JSON.stringify(conflict)}`
  return key.length > LONGEST_KEY ? null : key
}

function shapeOf(cell: Cell): string {
  switch (cell.kind) {
    case 'given':
      return 'g'
    case 'same':
      return 's'
    case 'default':
      return 'd'
    case 'saved':
      return JSON.stringify([cell.table, cell.column])
    case 'written':
      return JSON.stringify([cell.by, cell.column, cell.at !== undefined])
    case 'text':
      return JSON.stringify(cell.text)
  }
}
