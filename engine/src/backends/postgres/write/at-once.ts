/** When a write is one statement, and when nothing in it could see who asks. */
import { answerLeadsElsewhere, looksElsewhere, type QualifiedName, type WriteAnswer } from '../../../ir/index.ts'
import type { Insertion, WriteResult, WriteStatement } from './write-statement.ts'

/**
 * Whether the statement that writes may give its answer as well: all that it looks at beside the rows is as before the
 * statement (docs/mutations.md#one-statement). `isPlain`: the database runs nothing of a user's for the rows.
 */
export function answersAtOnce(answer: WriteAnswer, isPlain: boolean, written: readonly QualifiedName[]): boolean {
  if (answer.kind === 'nothing' || !answerLeadsElsewhere(answer)) return true
  const { leadsTo } = answer
  return isPlain && leadsTo !== undefined && !leadsTo.some((read) => written.some((one) => isSame(read, one)))
}

const isSame = (a: QualifiedName, b: QualifiedName): boolean => a.name === b.name && a.schema === b.schema

/**
 * Nothing that the database runs for it could look at the settings of the session. Whatever is not known is thought to: a
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
        write.isPlain && !looksElsewhere(write.where) && !looksElsewhere(write.check) && resultIgnores(write.result)
      )
    case 'delete':
      return write.isPlain && !looksElsewhere(write.where) && resultIgnores(write.result)
    case 'saved-answer':
      return answerIgnores(write.answer)
  }
}

function insertIgnores({ isPlain, check, conflict, changesAlone }: Insertion): boolean {
  if (!isPlain || looksElsewhere(check)) return false
  const update = conflict?.update
  return !update || (changesAlone && !looksElsewhere(update.where) && !looksElsewhere(update.check))
}

const resultIgnores = (result: WriteResult): boolean => result.kind === 'saved' || answerIgnores(result.answer)

/** The same of what it answers. */
export const answerIgnores = (answer: WriteAnswer): boolean => answer.kind === 'nothing' || answer.leadsTo !== undefined
