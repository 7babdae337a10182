import { Path } from '../../../errors.ts'
import {
  answerLeadsElsewhere,
  type Conflict,
  type InsertList,
  type InsertRow,
  type InsertTarget,
  isNested,
  type Value,
  type WriteAnswer,
} from '../../../ir/index.ts'
import { finish, type LongWork } from '../../../long-work.ts'
import type { CompileOptions, InsertBinder, RequestValues, Statement } from '../../backend.ts'
import { compileLongWrite } from './compile-write.ts'
import { insertSteps } from './insert-steps.ts'
import { insertTree } from './insert-tree.ts'
import { bindStatement, PostgresProgram, type ProgramStatement, SMALL } from './postgres-program.ts'
import { slim } from './prepare-write.ts'
import type { WriteStep } from './write-step.ts'

/** Inserts, whose statements depend on their rows. */
export function prepareInserts(answer: WriteAnswer, options: CompileOptions): InsertBinder {
  const inserts: Inserts = { answer, options, statements: new Map(), shapes: new Map() }
  return {
    *bind(rows, values) {
      const [row, second] = rows.rows
      const only = row && !second && !isNested(row) ? row : null
      const known = only && knownShape(rows, only, inserts)
      if (known && only) {
        const statement = yield* bindRow(known, only, values, new Path(rows.path))
        return programOf([statement], rows, inserts, values, false)
      }
      const tree = yield* insertTree(rows, answer, values)
      const steps = tree ?? (yield* insertSteps(rows, answer, values, true))
      const own = yield* bound(steps, inserts, values)
      if (only) keepShape(rows, only, inserts, steps, own)
      return programOf(own, rows, inserts, values, tree !== null)
    },
  }
}

interface Inserts {
  readonly answer: WriteAnswer
  readonly options: CompileOptions
  /** By what shapes them. */
  readonly statements: Map<string, Statement>
  /** Of rows that are written by themselves, by the names of the columns that they have values for. */
  readonly shapes: Map<string, RowShape>
}

/** All rows with values for the same columns that are written by themselves have one statement. */
interface RowShape {
  readonly into: InsertTarget
  readonly conflict: Conflict | null
  readonly plan: Statement
  /** By its slots, the columns of the row that fill them; null: another value. */
  readonly columns: readonly (string | null)[]
}

/** No name has this character. */
const shapeKey = ({ values }: InsertRow): string => [...values.keys()].join('\0')

function knownShape({ into, conflict }: InsertList, row: InsertRow, { shapes }: Inserts): RowShape | null {
  const shape = shapes.get(shapeKey(row))
  return shape?.into === into && shape.conflict === conflict ? shape : null
}

function keepShape(
  { into, conflict }: InsertList,
  row: InsertRow,
  { shapes }: Inserts,
  [step, ...steps]: readonly WriteStep[],
  [statement]: readonly ProgramStatement[],
): void {
  if (!step || !statement || steps.length > 0 || step.key === null) return
  const { statement: insert } = step
  if (insert.kind !== 'insert' || insert.rows.kind !== 'cells') return
  const [cells = []] = insert.rows.of
  const { plan } = statement
  const columns = plan.slots.map((slot) => {
    const at = cells.findIndex((cell) => cell.kind === 'given' && isSameInput(cell.value, slot))
    return insert.columns[at]?.name ?? null
  })
  keep(shapes, shapeKey(row), { into, conflict, plan, columns })
}

/** How many shapes of rows one root field remembers: more are not worth searching. */
const MOST_SHAPES = 64

function keep<Kept>(known: Map<string, Kept>, key: string, one: Kept): void {
  if (known.size >= MOST_SHAPES) known.clear()
  known.set(key, one)
}

const isSameInput = (a: Value, b: Value): boolean => a.kind === 'input' && b.kind === 'input' && a.name === b.name

/** As `bindStatement`, without steps in between. */
function* bindRow(
  { plan, columns }: RowShape,
  row: InsertRow,
  values: RequestValues,
  path: Path,
): LongWork<ProgramStatement> {
  const parameters: (string | null)[] = []
  for (let i = 0; i < plan.slots.length; i++) {
    const column = columns[i] ?? null
    const value = column === null ? plan.slots[i] : row.values.get(column)
    const short = value ? values.short(value) : null
    const text = short === undefined && value ? yield* values.long(value) : (short ?? null)
    parameters.push(column === null ? text : values.counted(text))
    if (text !== null && text.length > SMALL) yield Math.ceil(text.length / 1024)
  }
  return { plan, parameters, path, empty: null }
}

/** `isTree`: one statement writes rows with rows inside them. */
function programOf(
  own: readonly ProgramStatement[],
  rows: InsertList,
  inserts: Inserts,
  values: RequestValues,
  isTree: boolean,
): PostgresProgram {
  if (!isTree && (own.length > 1 || !answerLeadsElsewhere(inserts.answer))) return new PostgresProgram(own)
  const again = values.again()
  return new PostgresProgram(own, { run: () => finish(boundInSteps(rows, inserts, again)), saysWhere: isTree })
}

/** Each row by itself where one is nested in another. */
function* boundInSteps(
  rows: InsertList,
  inserts: Inserts,
  values: RequestValues,
): LongWork<readonly ProgramStatement[]> {
  return yield* bound(yield* insertSteps(rows, inserts.answer, values, false), inserts, values)
}

function* bound(
  steps: readonly WriteStep[],
  { options, statements: known }: Inserts,
  values: RequestValues,
): LongWork<readonly ProgramStatement[]> {
  const statements: ProgramStatement[] = []
  for (const { key, statement, inputs, path, empty } of steps) {
    const found = key === null ? undefined : known.get(key)
    const plan = found ?? slim(yield* compileLongWrite(statement, options))
    if (key !== null && !found) keep(known, key, plan)
    statements.push(yield* bindStatement(plan, inputs, values, new Path(path), empty))
    yield 1
  }
  return statements
}
