import {
  answerLeadsElsewhere,
  type Cell,
  type InsertRow,
  type InsertRows,
  type InsertTarget,
  type InsertWrite,
  isNested,
  type NestedInsert,
  type QualifiedName,
  type Value,
  type WriteAnswer,
  type WriteResult,
} from '../ir/index.ts'
import type { SettingNames } from './setting-names.ts'
import { textsType, textType, type WriteStep } from './write-step.ts'

/** How the rows of one request become texts. */
export interface RowTexts {
  bind(value: Value): string | null
  /** Texts as one text of the database: a list. */
  list(texts: readonly (string | null)[]): string
}

/**
 * An insert as statements in their order (spec 02 §4.2). Rows without rows inside them are one statement, whatever their
 * number; otherwise each row is a statement between those of the rows that it refers to and those that refer to it.
 */
export function insertSteps(
  insert: InsertRows,
  answer: WriteAnswer,
  texts: RowTexts,
  names: SettingNames,
): readonly WriteStep[] {
  if (insert.rows.some(isNested)) return new NestedSteps(texts, names).all(insert, answer)
  const context: StepContext = { texts, links: noLinks, path: insert.path, empty: null }
  if (!answerLeadsElsewhere(answer))
    return [stepOf(insert, insert.rows, context, { kind: 'answer', answer }, new Map())]
  const as = names.next()
  const saved: WriteResult = { kind: 'saved', as: savedAs, count: null, required: false }
  return [
    stepOf(insert, insert.rows, context, saved, new Map([[savedAs.name, as]])),
    answerStep(insert.into.table, answer, texts.list([as]), null, insert.path),
  ]
}

type Input = Value & { readonly kind: 'input' }
const input = (name: string, type = textType): Input => ({ kind: 'input', name, type })
const savedAs = input('as')
const counter = input('count')
const namesInput = input('names', textsType)

function answerStep(
  table: QualifiedName,
  answer: WriteAnswer,
  names: string,
  count: string | null,
  path: WriteStep['path'],
): WriteStep {
  return {
    write: { kind: 'saved-answer', table, names: namesInput, count: count === null ? null : counter, answer },
    inputs: new Map([
      [namesInput.name, names],
      [counter.name, count],
    ]),
    path,
    empty: null,
    key: `saved-answer ${count === null}`,
  }
}

/** Columns that a row takes from a row that is saved. */
interface Link {
  readonly column: string
  /** The setting that it is saved in. */
  readonly from: string
  readonly table: QualifiedName
  readonly source: string
}

interface StepContext {
  readonly texts: RowTexts
  readonly links: readonly Link[]
  readonly path: WriteStep['path']
  readonly empty: string | null
}

const noLinks: readonly Link[] = []

class NestedSteps {
  readonly #texts: RowTexts
  readonly #names: SettingNames
  readonly #count: string
  readonly #steps: WriteStep[] = []

  constructor(texts: RowTexts, names: SettingNames) {
    this.#texts = texts
    this.#names = names
    this.#count = names.next()
  }

  all(insert: InsertRows, answer: WriteAnswer): readonly WriteStep[] {
    const roots = insert.rows.map((row, i) => {
      const as = this.#names.next()
      this.#row(insert, row, noLinks, as, [...insert.path, i], null)
      return as
    })
    this.#steps.push(answerStep(insert.into.table, answer, this.#texts.list(roots), this.#count, insert.path))
    return this.#steps
  }

  /** A row with all that hangs on it. `empty`: what is wrong if it is not inserted. */
  #row(
    insert: InsertRows,
    row: InsertRow,
    links: readonly Link[],
    as: string | null,
    path: WriteStep['path'],
    empty: string | null,
  ): void {
    const own = [...links]
    for (const nested of row.before) own.push(...this.#before(nested, path))
    const hasMore = row.after.length > 0
    const kept = as ?? (hasMore ? this.#names.next() : null)
    const missing = hasMore
      ? `cannot proceed to insert array relations since insert to table "${shown(insert.into.table)}" affects zero rows`
      : empty
    this.#push(insert, [row], own, kept, path, empty ?? missing)
    if (kept !== null) for (const nested of row.after) this.#after(nested, insert.into.table, kept, path)
  }

  #before({ relationship, columns, rows }: NestedInsert, path: WriteStep['path']): readonly Link[] {
    const [row] = rows.rows
    if (!row) return []
    const as = this.#names.next()
    const { table } = rows.into
    const empty = `cannot proceed to insert object relation "${relationship}" since insert to table "${shown(table)}" affects zero rows`
    this.#row(rows, row, noLinks, as, [...path, relationship, 'data'], empty)
    return columns.map(({ from, to }) => ({ column: from, from: as, table, source: to }))
  }

  #after(
    { relationship, kind, columns, rows }: NestedInsert,
    table: QualifiedName,
    from: string,
    path: WriteStep['path'],
  ) {
    const links = columns.map(({ from: source, to }): Link => ({ column: to, from, table, source }))
    const at = [...path, relationship, 'data']
    if (!rows.rows.some(isNested)) {
      this.#push(rows, rows.rows, links, null, at, null)
      return
    }
    for (const [i, row] of rows.rows.entries())
      this.#row(rows, row, links, null, kind === 'array' ? [...at, i] : at, null)
  }

  #push(
    insert: InsertRows,
    rows: readonly InsertRow[],
    links: readonly Link[],
    as: string | null,
    path: WriteStep['path'],
    empty: string | null,
  ): void {
    const result: WriteResult = {
      kind: 'saved',
      as: as === null ? null : savedAs,
      count: counter,
      required: empty !== null,
    }
    const inputs = new Map<string, string | null>([
      [savedAs.name, as],
      [counter.name, this.#count],
    ])
    this.#steps.push(stepOf(insert, rows, { texts: this.#texts, links, path, empty }, result, inputs))
  }
}

const shown = ({ schema, name }: QualifiedName): string => (schema === 'public' ? name : `${schema}.${name}`)

/** Of parameters; below PostgreSQL's own, since a check has some too. */
const MOST_CELLS = 60_000
/** Beyond these, rows that have the same columns come as one list for each. */
const MOST_ROWS_APART = 8
/** Statements that are longer are not worth keeping. */
const LONGEST_KEY = 20_000

/** One statement for rows of one list. */
function stepOf(
  { into, conflict }: InsertRows,
  rows: readonly InsertRow[],
  { texts, links, path, empty }: StepContext,
  result: WriteResult,
  inputs: Map<string, string | null>,
): WriteStep {
  const presets = new Map(into.presets.map(({ column, value }) => [column, value]))
  const linked = new Map(links.map((link) => [link.column, link]))
  const given = new Set(rows.flatMap(({ values }) => [...values.keys()]))
  const named = into.columns.filter(({ name }) => presets.has(name) || given.has(name) || linked.has(name))
  // a row of defaults alone still needs a column to name, where there are several
  const columns = named.length === 0 && rows.length > 1 ? into.columns.slice(0, 1) : named
  const isEven = rows.every(({ values }) => values.size === given.size)
  const asLists = isEven && rows.length > MOST_ROWS_APART
  const asText = !asLists && given.size * rows.length > MOST_CELLS
  const linkCell = (name: string): Cell | null => {
    const link = linked.get(name)
    if (!link) return null
    inputs.set(`from ${name}`, link.from)
    return { kind: 'saved', from: input(`from ${name}`), table: link.table, column: link.source }
  }
  const fixed = (name: string): Cell | null => {
    const preset = presets.get(name)
    return preset ? { kind: 'same', value: preset } : null
  }
  const lists = (): InsertWrite['rows'] => {
    inputs.set('rows', String(rows.length))
    const of = columns.map(({ name }, i): Cell => {
      const cell = fixed(name)
      if (cell) return cell
      if (!given.has(name)) return linkCell(name) ?? { kind: 'default' }
      inputs.set(`c${i}`, texts.list(rows.map(({ values }) => textOf(values.get(name), texts))))
      return { kind: 'given', value: input(`c${i}`, textsType) }
    })
    return { kind: 'lists', of, count: input('rows', countType) }
  }
  const cells = (): InsertWrite['rows'] => ({
    kind: 'cells',
    of: rows.map(({ values }, row) =>
      columns.map(({ name, type }, i): Cell => {
        const cell = fixed(name)
        if (cell) return cell
        const value = values.get(name)
        if (!value) return linkCell(name) ?? { kind: 'default' }
        const text = textOf(value, texts)
        if (asText) return { kind: 'text', text }
        const key = `c${row}.${i}`
        inputs.set(key, text)
        return { kind: 'given', value: input(key, { type, list: false }) }
      }),
    ),
  })
  const write: InsertWrite = {
    kind: 'insert',
    into: into.table,
    columns,
    rows: asLists ? lists() : cells(),
    conflict,
    check: into.check,
    result,
  }
  return { write, inputs, path, empty, key: asText ? null : keyOf(write, into) }
}

const countType = { ...textType, type: { ...textType.type, name: 'int4' } }

const textOf = (value: Value | undefined, texts: RowTexts): string | null =>
  value === undefined ? null : texts.bind(value)

const numbers = new WeakMap<InsertTarget, number>()
let count = 0

/** Of what shapes the statement beside the permission, which is told by its own object. */
function keyOf({ columns, rows, conflict, result }: InsertWrite, into: InsertTarget): string | null {
  const number = numbers.get(into) ?? count++
  numbers.set(into, number)
  const of = result.kind === 'saved' ? `${result.as !== null}${result.count !== null}${result.required}` : ''
  const cells = rows.kind === 'lists' ? [rows.of] : rows.of
  if (cells.length * columns.length > LONGEST_KEY) return null
  // what is given is named by its place, and a preset is the permission's
  const shapes = cells.map((row) => row.map(shapeOf).join(''))
  const names = JSON.stringify(columns.map(({ name }) => name))
  const key = `${number} ${rows.kind} ${of} ${names} ${shapes.join()} ${conflict === null ? '' : JSON.stringify(conflict)}`
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
    case 'text':
      return JSON.stringify(cell.text)
  }
}
