/** Writes of the backend in memory (memory-backend.ts): a program is a function from tables to tables. */
import type { RequestValues, Statement, WriteCompiler, WriteProgram } from '../src/backends/index.ts'
import { ApiError, Path } from '../src/errors.ts'
import type { BooleanExpression, InsertList, InsertRow, Value, Write, WriteAnswer } from '../src/ir/index.ts'
import type { LongWork } from '../src/long-work.ts'
import { type MemoryRow, type MemoryTables, rowsOf, satisfies, shown, type TextOf } from './memory-rows.ts'

/** What a program makes of the tables, with the JSON of its answer. */
type Change = (tables: MemoryTables) => { readonly tables: MemoryTables; readonly answer: unknown }

class MemoryProgram implements WriteProgram {
  readonly statements: WriteProgram['statements']
  readonly change: Change

  constructor(statement: Statement, parameters: readonly (string | null)[], change: Change) {
    this.statements = [{ plan: statement, parameters }]
    this.change = change
  }
}

export const memoryWrites: WriteCompiler = {
  prepare(write) {
    if (write.kind === 'call') throw new ApiError('not-supported', Path.root, 'there are no functions')
    const slots = valuesOf(write)
    const statement: Statement = { text: `${write.kind.toUpperCase()} ${write.table.name}`, slots, effects: 'writes' }
    return {
      statements: [statement],
      *bind(values) {
        const texts = yield* textsOf(slots, values)
        return new MemoryProgram(
          statement,
          [...texts.values()],
          changeOf(write, (value) => texts.get(value) ?? null),
        )
      },
    }
  },
  prepareInserts: (answer) => ({
    *bind(rows, values) {
      const slots = valuesOfRows(rows)
      const statement: Statement = { text: `INSERT ${rows.into.table.name}`, slots, effects: 'writes' }
      const texts = yield* textsOf(slots, values)
      return new MemoryProgram(statement, [...texts.values()], (before) => {
        const insertion = new Insertion(before, (value) => texts.get(value) ?? null)
        const written = rows.rows.map((row) => insertion.row(rows, row, {}))
        const { tables, count } = insertion
        return { tables, answer: answerOf(answer, written, count, tables) }
      })
    },
  }),
}

/** All of them or, where one fails, none. */
export function runMemoryWrites(programs: readonly WriteProgram[], tables: MemoryTables) {
  const answers: Buffer[] = []
  let now = tables
  for (const program of programs) {
    if (!(program instanceof MemoryProgram)) throw new Error('the program was made by another backend')
    const changed = program.change(now)
    now = changed.tables
    answers.push(Buffer.from(JSON.stringify(changed.answer)))
  }
  return { tables: now, answers }
}

function* textsOf(slots: readonly Value[], values: RequestValues): LongWork<ReadonlyMap<Value, string | null>> {
  const texts = new Map<Value, string | null>()
  for (const slot of slots) {
    const short = values.short(slot)
    texts.set(slot, short === undefined ? yield* values.long(slot) : short)
  }
  return texts
}

function changeOf(write: Exclude<Write, { readonly kind: 'call' }>, textOf: TextOf): Change {
  return (tables) => {
    const { name } = write.table
    const all = rowsOf(tables, name)
    const found = all.filter((row) => satisfies(row, write.where, textOf))
    if (write.kind === 'delete') {
      const left = withRows(
        tables,
        name,
        all.filter((row) => !found.includes(row)),
      )
      return { tables: left, answer: answerOf(write.answer, found, found.length, left) }
    }
    const updated = new Map(found.map((row) => [row, assigned(row, write.assignments, textOf, tables, name)]))
    refuse([...updated.values()], write.check, textOf, Path.root)
    const now = withRows(
      tables,
      name,
      all.map((row) => updated.get(row) ?? row),
    )
    return { tables: now, answer: answerOf(write.answer, [...updated.values()], found.length, now) }
  }
}

function assigned(
  row: MemoryRow,
  assignments: (Write & { readonly kind: 'update' })['assignments'],
  textOf: TextOf,
  tables: MemoryTables,
  table: string,
): MemoryRow {
  const changes = assignments.map((one) => {
    if (one.operator === 'default') return [one.column, null]
    const value = cell(tables, table, one.column, textOf(one.value))
    if (one.operator === 'set') return [one.column, value]
    if (one.operator === 'inc') return [one.column, Number(row[one.column]) + Number(value)]
    throw new ApiError('not-supported', Path.root, `there is no ${one.operator}`)
  })
  return { ...row, ...Object.fromEntries(changes) }
}

class Insertion {
  tables: MemoryTables
  count = 0
  readonly #textOf: TextOf

  constructor(tables: MemoryTables, textOf: TextOf) {
    this.tables = tables
    this.#textOf = textOf
  }

  /** A row with all that hangs on it. */
  row({ into, conflict }: InsertList, row: InsertRow, links: MemoryRow): MemoryRow {
    const path = new Path(row.path)
    if (conflict) throw new ApiError('not-supported', path, 'a row that is there already is not updated')
    const { name } = into.table
    const own: Record<string, string | number | null> = { ...links }
    for (const { rows, columns } of row.before)
      for (const inner of rows.rows) {
        const written = this.row(rows, inner, {})
        for (const { from, to } of columns) own[from] = written[to] ?? null
      }
    for (const [column, value] of row.values) own[column] = cell(this.tables, name, column, this.#textOf(value))
    for (const { column, value } of into.presets) own[column] = cell(this.tables, name, column, this.#textOf(value))
    const written = Object.fromEntries(into.columns.map((column) => [column.name, own[column.name] ?? null]))
    refuse([written], into.check, this.#textOf, path)
    this.tables = withRows(this.tables, name, [...rowsOf(this.tables, name), written])
    this.count += 1
    for (const { rows, columns } of row.after) {
      const inherited = Object.fromEntries(columns.map(({ from, to }) => [to, written[from] ?? null]))
      for (const inner of rows.rows) this.row(rows, inner, inherited)
    }
    return written
  }
}

function refuse(rows: readonly MemoryRow[], check: BooleanExpression, textOf: TextOf, path: Path): void {
  if (rows.every((row) => satisfies(row, check, textOf))) return
  throw new ApiError('permission-error', path, 'check constraint of an insert/update permission has failed')
}

function withRows(tables: MemoryTables, name: string, rows: readonly MemoryRow[]): MemoryTables {
  const table = tables[name]
  if (!table) throw new Error(`there is no table ${name}`)
  return { ...tables, [name]: { ...table, rows } }
}

const cell = (tables: MemoryTables, table: string, column: string, text: string | null) =>
  text !== null && tables[table]?.columns[column] === 'int4' ? Number(text) : text

function answerOf(answer: WriteAnswer, rows: readonly MemoryRow[], count: number, tables: MemoryTables): unknown {
  const textOf = () => null
  switch (answer.kind) {
    case 'nothing':
      return count
    case 'row':
      return rows[0] ? shown(rows[0], answer.fields, tables, textOf) : null
    case 'response':
      return Object.fromEntries(
        answer.fields.map((field) => {
          switch (field.kind) {
            case 'typename':
              return [field.as, field.name]
            case 'affected-rows':
              return [field.as, count]
            case 'returning':
              return [field.as, rows.map((row) => shown(row, field.fields, tables, textOf))]
          }
          return [field, null]
        }),
      )
  }
}

function valuesOf(write: Exclude<Write, { readonly kind: 'call' }>): readonly Value[] {
  if (write.kind === 'delete') return valuesIn(write.where)
  const assigned = write.assignments.flatMap((one) => (one.operator === 'default' ? [] : [one.value]))
  return [...assigned, ...valuesIn(write.where), ...valuesIn(write.check)]
}

const valuesOfRows = ({ into, rows }: InsertList): readonly Value[] => [
  ...into.presets.map(({ value }) => value),
  ...valuesIn(into.check),
  ...rows.flatMap(({ values, before, after }) => [
    ...values.values(),
    ...[...before, ...after].flatMap((nested) => valuesOfRows(nested.rows)),
  ]),
]

function valuesIn(e: BooleanExpression): readonly Value[] {
  switch (e.kind) {
    case 'and':
    case 'or':
      return e.of.flatMap(valuesIn)
    case 'not':
    case 'rooted':
      return valuesIn(e.of)
    case 'compare':
      return e.right
    default:
      return []
  }
}
