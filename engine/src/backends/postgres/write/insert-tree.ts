import { type InsertList, type InsertRow, type InsertTarget, isNested, type WriteAnswer } from '../../../ir/index.ts'
import type { LongWork } from '../../../long-work.ts'
import type { RequestValues } from '../../backend.ts'
import { answersAtOnce } from './at-once.ts'
import { insertClauseOf, type Link } from './insert-clause.ts'
import { hasGroups, insertGroups, isSameTable, mayRefer, type WrittenRows } from './insert-groups.ts'
import { answerStep, counter, savedAs } from './insert-steps.ts'
import type { InsertClause, WriteResult } from './write-statement.ts'
import { savedName, type WriteStep } from './write-step.ts'

/** The database plans a statement of more for too long. */
const MOST_INSERTS = 12

/**
 * Rows with rows inside them as one statement, and one more where the answer leads elsewhere: where nothing that it
 * runs reads a table that it writes, and no row may be skipped. Null for all other inserts, which are statements one
 * after another (reference/mutations#order-of-an-insert); several rows that are no groups too, since a row must not
 * refer to one that comes later.
 */
export function* insertTree(
  insert: InsertList,
  answer: WriteAnswer,
  texts: RequestValues,
): LongWork<readonly WriteStep[] | null> {
  if (!insert.rows.some(isNested) || !isAlone(insert)) return null
  const tree = new Tree(texts)
  const by = (yield* writeGroups(insert, tree)) ?? (yield* writeRow(insert, tree))
  if (by === null) return null
  const roots = [by]
  const { inserts, inputs, key } = tree
  const { table } = insert.into
  const { path } = insert
  const step = (result: WriteResult): WriteStep => ({
    statement: { kind: 'insert-tree', inserts, roots, table, result },
    inputs,
    path,
    empty: null,
    key: key === null ? null : `tree ${roots} ${result.kind} ${key}`,
  })
  const isPlain = inserts.every((one) => one.isPlain)
  const written = inserts.map(({ into }) => into)
  if (answersAtOnce(answer, isPlain, written)) return [step({ kind: 'answer', answer })]
  const [as, count] = [savedName(texts), savedName(texts)]
  inputs.set(savedAs.name, as).set(counter.name, count)
  return [
    step({ kind: 'saved', as: savedAs, count: counter, required: false }),
    answerStep(table, answer, yield* texts.list([as]), count, path),
  ]
}

/** Each table is one insert. Null where that would show. */
function* writeGroups(insert: InsertList, tree: Tree): LongWork<number | null> {
  const found = hasGroups(insert) ? insertGroups(insert) : null
  if (!found || found.groups.length > MOST_INSERTS) return null
  for (const group of found.groups) yield* tree.add(group.insert, group.rows, group.links)
  return found.root
}

/**
 * Each row is one insert, except for those without rows inside. Null where there are too many, and where one may refer
 * to a row that comes later: PostgreSQL checks what a row refers to at the end of the statement.
 */
function* writeRow(insert: InsertList, tree: Tree): LongWork<number | null> {
  const [root, ...others] = insert.rows
  if (!root || others.length > 0 || countOf(insert) > MOST_INSERTS) return null
  const by = yield* tree.row(insert, root, [])
  return tree.mayReferAhead() ? null : by
}

function isAlone(insert: InsertList): boolean {
  const targets = new Set<InsertTarget>()
  if (!addTargets(insert, targets)) return false
  const written = [...targets]
  return written.every(({ reads }) => reads?.every((name) => !written.some(({ table }) => isSameTable(table, name))))
}

/** Adds where all these rows go; whether that is all that they do. */
function addTargets({ into, conflict, rows }: InsertList, targets: Set<InsertTarget>): boolean {
  targets.add(into)
  return (
    conflict === null &&
    rows.every(({ before, after }) => [...before, ...after].every((nested) => addTargets(nested.rows, targets)))
  )
}

/** How many inserts the rows become, each row of them being one. */
const countOf = ({ rows }: InsertList): number =>
  rows.reduce((sum, { before, after }) => {
    const inner = [...before, ...after].map((nested) => (nested.rows.rows.some(isNested) ? countOf(nested.rows) : 1))
    return sum + 1 + inner.reduce((all, one) => all + one, 0)
  }, 0)

class Tree {
  readonly #texts: RequestValues
  readonly inserts: InsertClause[] = []
  readonly #written: WrittenRows[] = []
  readonly inputs = new Map<string, string | null>()
  /** The key of the cached statement, or null when it is not cached. */
  key: string | null = ''

  constructor(texts: RequestValues) {
    this.#texts = texts
  }

  /** A row with all that hangs on it: which insert it is. */
  *row(insert: InsertList, row: InsertRow, links: readonly Link[]): LongWork<number> {
    const own = [...links]
    for (const { rows, columns } of row.before) {
      const [inner] = rows.rows
      if (!inner) continue
      const by = yield* this.row(rows, inner, [])
      own.push(...columns.map(({ from, to }): Link => ({ kind: 'written', column: from, by, source: to })))
    }
    const by = yield* this.add(insert, [row], own)
    for (const { rows, columns } of row.after) {
      const inherited = columns.map(({ from, to }): Link => ({ kind: 'written', column: to, by, source: from }))
      if (rows.rows.some(isNested)) for (const inner of rows.rows) yield* this.row(rows, inner, inherited)
      else yield* this.add(rows, rows.rows, inherited)
    }
    return by
  }

  /** Rows of one table that are written together: which insert they are. */
  *add(insert: InsertList, rows: readonly InsertRow[], links: readonly Link[]): LongWork<number> {
    const by = this.inserts.length
    const context = { texts: this.#texts, links, inputs: this.inputs, prefix: `${by}:` }
    const { clause, key } = yield* insertClauseOf(insert, rows, context)
    this.inserts.push(clause)
    this.#written.push({ into: insert.into, rows, links })
    this.key = this.key === null || key === null ? null : `${this.key}|${key}`
    return by
  }

  /** Whether a row may refer to one of a later insert, in addition to what nesting says. */
  mayReferAhead(): boolean {
    return this.#written.some((written, i) =>
      written.into.refersTo.some(
        (key) =>
          key.columns.some(({ from }) => !written.links.some(({ column }) => column === from)) &&
          this.#written.some((later, j) => j > i && isSameTable(later.into.table, key.target)) &&
          mayRefer(written, key),
      ),
    )
  }
}
