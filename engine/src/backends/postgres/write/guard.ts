/**
 * Statements that are sent without the session. Whatever changes a table (a trigger, a policy, a default) makes the database analyse
 * what is prepared for it again, and then it reads the constant 'now' again. So a statement knows by a comparison whether its
 * tables are still what they were found to be.
 */
import type { Value, WriteAnswer } from '../../../ir/index.ts'
import { bind, sql } from '../../sql.ts'
import type { RestsOn } from '../../statements.ts'
import type { Sql } from '../compile/scope.ts'
import { compileValue } from '../compile/values.ts'
import { ignoresSession } from './at-once.ts'
import { failing } from './write-failure.ts'
import type { InsertClause, WriteResult, WriteStatement } from './write-statement.ts'
import { input, textType } from './write-step.ts'

/** When the tables of a statement were found to be as it needs them. */
export const foundAt = input('found at', { ...textType, type: { ...textType.type, name: 'timestamptz' } })
/** What the session is sent with rests on nothing. */
export const ANY_TIME = 'infinity'

/** True, or the statement fails. */
export const isAsFound: Sql = sql`('now'::pg_catalog.timestamptz <= ${compileValue(foundAt)} OR ${failing('changed', sql`(${bind<Value>(foundAt)})::text`)} = 0)`

type Tables = RestsOn['tables']

/** The tables that a statement rests on where it needs no session; null: it is sent with one. */
export function tablesOf(write: WriteStatement): Tables | null {
  if (write.kind === 'saved-answer' || !ignoresSession(write)) return null
  const read = readBy(write.result)
  if (!read) return null
  switch (write.kind) {
    case 'insert':
      // DEFAULT VALUES has no place for a condition
      return write.columns.length > 0 ? [...insertedBy(write), ...read] : null
    case 'insert-tree':
      return [...write.inserts.flatMap(insertedBy), ...read]
    case 'update':
    case 'delete':
      return [{ table: write.table, rows: 'changed' }, ...read]
  }
}

/** Null: another statement answers. */
function readBy(result: WriteResult): Tables | null {
  if (result.kind === 'saved') return null
  return leadsTo(result.answer).map((table) => ({ table, rows: 'read' }))
}

const leadsTo = (answer: WriteAnswer) => (answer.kind === 'nothing' ? [] : (answer.leadsTo ?? []))

const insertedBy = ({ into, conflict }: InsertClause): Tables =>
  conflict?.update
    ? [
        { table: into, rows: 'inserted' },
        { table: into, rows: 'changed' },
      ]
    : [{ table: into, rows: 'inserted' }]
