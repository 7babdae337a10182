/** Decides when a write is one statement, and when nothing in it could read the session. */
import {
  answerLeadsElsewhere,
  type Conflict,
  type InsertTarget,
  looksElsewhere,
  type PlainChange,
  type QualifiedName,
  runsUsersCode,
  type WriteAnswer,
} from '../../../ir/index.ts'
import { isSameTable } from './insert-groups.ts'
import type { InsertClause, WriteResult, WriteStatement } from './write-statement.ts'

/**
 * Whether the statement that writes may return its answer as well: all that it reads in addition to the rows is as
 * before the statement (docs/mutations.md#one-statement). `isPlain`: the database runs nothing of a user's for the
 * rows.
 */
export function answersAtOnce(answer: WriteAnswer, isPlain: boolean, written: readonly QualifiedName[]): boolean {
  if (answer.kind === 'nothing' || !answerLeadsElsewhere(answer)) return true
  const { leadsTo } = answer
  return isPlain && leadsTo !== undefined && !leadsTo.some((read) => written.some((one) => isSameTable(read, one)))
}

/**
 * The same of rows that are changed. One of them may have been changed by another transaction since the statement
 * began: it is known by its key (seen-before.ts).
 */
export const changeAnswersAtOnce = (
  answer: WriteAnswer,
  changes: PlainChange | undefined,
  table: QualifiedName,
): boolean => answersAtOnce(answer, changes !== undefined && changes.key !== null, [table])

/** What an insert changes of a row that is there. */
export function changeOnConflict({ changesAlone, key }: InsertTarget, conflict: Conflict): PlainChange | undefined {
  const { update } = conflict
  if (!update || !changesAlone || runsUsersCode(update.where) || runsUsersCode(update.check)) return undefined
  const set = [...update.columns, ...update.presets.map(({ column }) => column)]
  return { key: key && !set.some((name) => key.includes(name)) ? key : null }
}

/**
 * Nothing that the database runs for it could read the settings of the session. Whatever is not known is thought to: a
 * policy that finds no session might show more than it should.
 */
export function ignoresSession(write: WriteStatement): boolean {
  switch (write.kind) {
    case 'insert':
      return insertIgnores(write) && resultIgnores(write.result)
    case 'insert-tree':
      return write.inserts.every(insertIgnores) && resultIgnores(write.result)
    case 'update':
      return (
        write.changes !== undefined &&
        !looksElsewhere(write.where) &&
        !looksElsewhere(write.check) &&
        resultIgnores(write.result)
      )
    case 'delete':
      return write.changes !== undefined && !looksElsewhere(write.where) && resultIgnores(write.result)
    case 'saved-answer':
      return answerIgnores(write.answer)
  }
}

function insertIgnores({ isPlain, check, conflict, changesAlone }: InsertClause): boolean {
  if (!isPlain || looksElsewhere(check)) return false
  const update = conflict?.update
  return !update || (changesAlone && !looksElsewhere(update.where) && !looksElsewhere(update.check))
}

const resultIgnores = (result: WriteResult): boolean => result.kind === 'saved' || answerIgnores(result.answer)

/** The same of what it answers. */
export const answerIgnores = (answer: WriteAnswer): boolean => answer.kind === 'nothing' || answer.leadsTo !== undefined
