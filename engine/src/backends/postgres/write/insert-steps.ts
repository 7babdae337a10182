import { tableText } from '@svc/schema'
import {
  type InsertList,
  type InsertRow,
  isNested,
  type NestedInsert,
  type QualifiedName,
  type WriteAnswer,
} from '../../../ir/index.ts'
import type { LongWork } from '../../../long-work.ts'
import type { RequestValues } from '../../backend.ts'
import { answersAtOnce, changeAnswersAtOnce, changeOnConflict } from './at-once.ts'
import { insertClauseOf, type Link } from './insert-clause.ts'
import type { InsertStatement, WriteResult } from './write-statement.ts'
import { input, savedName, textsType, type WriteStep } from './write-step.ts'

/**
 * An insert as statements in their order (reference/mutations#order-of-an-insert). Rows without rows inside them are
 * one statement, whatever their number; otherwise each row is a statement between those of the rows that it refers to
 * and those that refer to it.
 */
export function* insertSteps(
  insert: InsertList,
  answer: WriteAnswer,
  texts: RequestValues,
  mayAnswerAtOnce: boolean,
): LongWork<readonly WriteStep[]> {
  if (insert.rows.some(isNested)) return yield* new NestedSteps(texts).all(insert, answer)
  const context: StepContext = { texts, links: noLinks, path: insert.path, empty: null }
  if (mayAnswerAtOnce && insertAnswers(insert, answer))
    return [yield* stepOf(insert, insert.rows, context, { kind: 'answer', answer }, new Map())]
  const as = savedName(texts)
  const saved: WriteResult = { kind: 'saved', as: savedAs, count: null, required: false }
  return [
    yield* stepOf(insert, insert.rows, context, saved, new Map([[savedAs.name, as]])),
    answerStep(insert.into.table, answer, yield* texts.list([as]), null, insert.path),
  ]
}

/** Of rows without rows inside them. */
const insertAnswers = ({ into, conflict }: InsertList, answer: WriteAnswer): boolean =>
  answersAtOnce(answer, into.isPlain, [into.table]) &&
  (!conflict?.update || changeAnswersAtOnce(answer, changeOnConflict(into, conflict), into.table))

export const savedAs = input('as')
export const counter = input('count')
const namesInput = input('names', textsType)

export function answerStep(
  table: QualifiedName,
  answer: WriteAnswer,
  names: string,
  count: string | null,
  path: WriteStep['path'],
): WriteStep {
  return {
    statement: { kind: 'saved-answer', table, names: namesInput, count: count === null ? null : counter, answer },
    inputs: new Map([
      [namesInput.name, names],
      [counter.name, count],
    ]),
    path,
    empty: null,
    key: `saved-answer ${count === null}`,
  }
}

interface StepContext {
  readonly texts: RequestValues
  readonly links: readonly Link[]
  readonly path: WriteStep['path']
  readonly empty: string | null
}

const noLinks: readonly Link[] = []

class NestedSteps {
  readonly #texts: RequestValues
  readonly #count: string
  readonly #steps: WriteStep[] = []

  constructor(texts: RequestValues) {
    this.#texts = texts
    this.#count = savedName(texts)
  }

  *all(insert: InsertList, answer: WriteAnswer): LongWork<readonly WriteStep[]> {
    const roots: string[] = []
    for (const [i, row] of insert.rows.entries()) {
      const as = savedName(this.#texts)
      roots.push(as)
      yield* this.#row(insert, row, noLinks, as, [...insert.path, i], null)
    }
    this.#steps.push(answerStep(insert.into.table, answer, yield* this.#texts.list(roots), this.#count, insert.path))
    return this.#steps
  }

  /** A row with all that hangs on it. `empty`: what is wrong if it is not inserted. */
  *#row(
    insert: InsertList,
    row: InsertRow,
    links: readonly Link[],
    as: string | null,
    path: WriteStep['path'],
    empty: string | null,
  ): LongWork<void> {
    const own = [...links]
    for (const nested of row.before) own.push(...(yield* this.#before(nested, path)))
    const hasMore = row.after.length > 0
    const saved = as ?? (hasMore ? savedName(this.#texts) : null)
    const missing = hasMore
      ? `cannot proceed to insert array relations since insert to table "${tableText(insert.into.table)}" affects zero rows`
      : empty
    yield* this.#push(insert, [row], own, saved, path, empty ?? missing)
    if (saved !== null) for (const nested of row.after) yield* this.#after(nested, insert.into.table, saved, path)
  }

  *#before({ relationship, columns, rows }: NestedInsert, path: WriteStep['path']): LongWork<readonly Link[]> {
    const [row] = rows.rows
    if (!row) return []
    const as = savedName(this.#texts)
    const { table } = rows.into
    const empty = `cannot proceed to insert object relation "${relationship}" since insert to table "${tableText(table)}" affects zero rows`
    yield* this.#row(rows, row, noLinks, as, [...path, relationship, 'data'], empty)
    return columns.map(({ from, to }) => ({ kind: 'saved', column: from, from: as, table, source: to }))
  }

  *#after(
    { relationship, kind, columns, rows }: NestedInsert,
    table: QualifiedName,
    from: string,
    path: WriteStep['path'],
  ): LongWork<void> {
    const links = columns.map(({ from: source, to }): Link => ({ kind: 'saved', column: to, from, table, source }))
    const at = [...path, relationship, 'data']
    if (!rows.rows.some(isNested)) {
      yield* this.#push(rows, rows.rows, links, null, at, null)
      return
    }
    for (const [i, row] of rows.rows.entries())
      yield* this.#row(rows, row, links, null, kind === 'array' ? [...at, i] : at, null)
  }

  *#push(
    insert: InsertList,
    rows: readonly InsertRow[],
    links: readonly Link[],
    as: string | null,
    path: WriteStep['path'],
    empty: string | null,
  ): LongWork<void> {
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
    this.#steps.push(yield* stepOf(insert, rows, { texts: this.#texts, links, path, empty }, result, inputs))
  }
}

/** One statement for rows of one list. */
function* stepOf(
  insert: InsertList,
  rows: readonly InsertRow[],
  { texts, links, path, empty }: StepContext,
  result: WriteResult,
  inputs: Map<string, string | null>,
): LongWork<WriteStep> {
  const { clause, key } = yield* insertClauseOf(insert, rows, { texts, links, inputs, prefix: '' })
  const statement: InsertStatement = { kind: 'insert', ...clause, result }
  return { statement, inputs, path, empty, key: key === null ? null : `${key} ${shapeOf(result)}` }
}

/** What of it shapes the statement; the answer is that of the root field. */
const shapeOf = (result: WriteResult): string =>
  result.kind === 'saved' ? `${result.as !== null}${result.count !== null}${result.required}` : ''
