import type { Cell, Insertion, InsertRow, InsertRows, InsertTarget, QualifiedName, Value } from '../ir/index.ts'
import { input, textsType, textType } from './write-step.ts'

/** How the rows of one request become texts. */
export interface RowTexts {
  bind(value: Value): string | null
  /** Texts as one text of the database: a list. */
  list(texts: readonly (string | null)[]): string
}

/** A column that a row takes from a row that was written before: one that is saved, or one of the same tree. */
export type Link =
  | {
      readonly kind: 'saved'
      readonly column: string
      /** The setting that it is saved in. */
      readonly from: string
      readonly table: QualifiedName
      readonly source: string
    }
  | { readonly kind: 'written'; readonly column: string; readonly by: number; readonly source: string }

export interface RowContext {
  readonly texts: RowTexts
  readonly links: readonly Link[]
  /** Takes the texts of the rows. */
  readonly inputs: Map<string, string | null>
  /** Of the names of the inputs. */
  readonly prefix: string
}

/** Of parameters; below PostgreSQL's own, since a check has some too. */
const MOST_CELLS = 60_000
/** Beyond these, rows that have the same columns come as one list for each. */
const MOST_ROWS_APART = 8
/** Statements that are longer are not worth keeping. */
const LONGEST_KEY = 20_000

/** Rows of one list as they are written together. `key`: equal ones have the same statement; null: not worth keeping. */
export function insertionOf(
  { into, conflict }: InsertRows,
  rows: readonly InsertRow[],
  { texts, links, inputs, prefix }: RowContext,
): { readonly insertion: Insertion; readonly key: string | null } {
  const presets = new Map(into.presets.map(({ column, value }) => [column, value]))
  const linked = new Map(links.map((link) => [link.column, link]))
  const given = new Set<string>()
  for (const { values } of rows) for (const name of values.keys()) given.add(name)
  const named = into.columns.filter(({ name }) => presets.has(name) || given.has(name) || linked.has(name))
  // a row of defaults alone still needs a column to name, where there are several
  const columns = named.length === 0 && rows.length > 1 ? into.columns.slice(0, 1) : named
  const isEven = rows.every(({ values }) => values.size === given.size)
  // any number of them is one statement, in which what they take from another row is asked once
  const asLists = isEven && rows.length > (links.length > 0 ? 1 : MOST_ROWS_APART)
  const asText = !asLists && given.size * rows.length > MOST_CELLS
  const linkCell = (name: string): Cell | null => {
    const link = linked.get(name)
    if (!link) return null
    if (link.kind === 'written') return { kind: 'written', by: link.by, column: link.source }
    inputs.set(`${prefix}from ${name}`, link.from)
    return { kind: 'saved', from: input(`${prefix}from ${name}`), table: link.table, column: link.source }
  }
  const fixed = (name: string): Cell | null => {
    const preset = presets.get(name)
    return preset ? { kind: 'same', value: preset } : null
  }
  const lists = (): Insertion['rows'] => {
    inputs.set(`${prefix}rows`, String(rows.length))
    const of = columns.map(({ name }, i): Cell => {
      const cell = fixed(name)
      if (cell) return cell
      if (!given.has(name)) return linkCell(name) ?? { kind: 'default' }
      inputs.set(`${prefix}c${i}`, texts.list(rows.map(({ values }) => textOf(values.get(name), texts))))
      return { kind: 'given', value: input(`${prefix}c${i}`, textsType) }
    })
    return { kind: 'lists', of, count: input(`${prefix}rows`, countType) }
  }
  const cells = (): Insertion['rows'] => ({
    kind: 'cells',
    of: rows.map(({ values }, row) =>
      columns.map(({ name, type }, i): Cell => {
        const cell = fixed(name)
        if (cell) return cell
        const value = values.get(name)
        if (!value) return linkCell(name) ?? { kind: 'default' }
        const text = textOf(value, texts)
        if (asText) return { kind: 'text', text }
        const key = `${prefix}c${row}.${i}`
        inputs.set(key, text)
        return { kind: 'given', value: input(key, { type, list: false }) }
      }),
    ),
  })
  const insertion: Insertion = {
    into: into.table,
    columns,
    rows: asLists ? lists() : cells(),
    conflict,
    check: into.check,
  }
  return { insertion, key: asText ? null : keyOf(insertion, into) }
}

const countType = { ...textType, type: { ...textType.type, name: 'int4' } }

const textOf = (value: Value | undefined, texts: RowTexts): string | null =>
  value === undefined ? null : texts.bind(value)

const numbers = new WeakMap<InsertTarget, number>()
let count = 0

/** Of what shapes the statement beside the permission, which is known by its own object. */
function keyOf({ columns, rows, conflict }: Insertion, into: InsertTarget): string | null {
  const number = numbers.get(into) ?? count++
  numbers.set(into, number)
  const cells = rows.kind === 'lists' ? [rows.of] : rows.of
  if (cells.length * columns.length > LONGEST_KEY) return null
  // what is given is named by its place, and a preset is the permission's
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
      return JSON.stringify([cell.by, cell.column])
    case 'text':
      return JSON.stringify(cell.text)
  }
}
