/**
 * How a statement fails by itself: it makes a number of a text that is none. Nothing has to be installed in the database
 * for that, and the statements behind it in the transaction are never run.
 */
import { randomBytes } from 'node:crypto'
import { literal, sql } from '../../sql.ts'
import type { Sql } from '../compile/scope.ts'

/**
 * A row that its check forbids; no row where one was required; a row that is referred to and was not seen; a table that may have been
 * changed since it was found to run nothing of a user's.
 */
export type WriteFailure = (typeof failures)[number]
const failures = ['check', 'empty', 'missed', 'changed'] as const

/** No one outside of this process can write a value that reads like a failure. */
const mark = `svc-${randomBytes(12).toString('hex')}`

/** An expression that fails when it is computed. `known`: only then, or the planner would compute it at once. */
export const failing = (failure: WriteFailure, known: Sql): Sql =>
  sql`(${literal(`${mark} ${failure} `)} || ${known})::int`

export function writeFailure(error: unknown): WriteFailure | null {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const at = cause.message.indexOf(mark)
    if (at < 0) continue
    const said = cause.message.slice(at + mark.length + 1)
    return failures.find((failure) => said.startsWith(failure)) ?? null
  }
  return null
}
