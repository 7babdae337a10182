/**
 * What SQL Server's errors are, by their numbers: TDS carries no SQLSTATE. The classes are those that ODBC makes of the
 * numbers, with the words that it puts in front (docs/sql-server.md#errors).
 */
import type { ErrorCode } from '../../../errors.ts'

export interface ErrorClass {
  readonly code: ErrorCode
  /** In front of the server's message. */
  readonly prefix: string
  /** A value or a row is at fault, rather than the statement. */
  readonly isOfData: boolean
}

const violation: ErrorClass = {
  code: 'constraint-violation',
  prefix: 'Integrity constraint violation.',
  isOfData: true,
}
const data = (what: string): ErrorClass => ({
  code: 'data-exception',
  prefix: `Data exception. ${what}`,
  isOfData: true,
})
const syntax = (code: ErrorCode, what = ''): ErrorClass => ({
  code,
  prefix: `Syntax error or access violation.${what}`,
  isOfData: false,
})

const truncated = data('String data, right-truncated.')
const outOfRange = data('Numeric value out of range.')
const badTime = data('Invalid datetime format.')
const plainSyntax = syntax('bad-request')
const noColumn = syntax('not-found', ' Column not found.')
const noTable = syntax('not-found', ' Table or view not found.')

const classes: ReadonlyMap<number, ErrorClass> = new Map([
  [547, violation],
  [2627, violation],
  [2601, violation],
  [515, violation],
  [8152, truncated],
  [2628, truncated],
  [220, outOfRange],
  // of a text that is stored as a whole number
  [244, outOfRange],
  [248, outOfRange],
  [8115, outOfRange],
  [241, badTime],
  [242, badTime],
  [517, data('Datetime field overflow.')],
  [102, plainSyntax],
  [156, plainSyntax],
  [2812, plainSyntax],
  [15247, plainSyntax],
  [2714, syntax('already-exists', ' Table or view already exists.')],
  [208, noTable],
  [3701, noTable],
  [1088, noTable],
  [4902, noTable],
  [8197, noTable],
  [1913, syntax('already-exists', ' Index already exists.')],
  [3703, syntax('not-found', ' Index not found.')],
  [2705, syntax('already-exists', ' Column already exists.')],
  [207, noColumn],
  [4924, noColumn],
])

/** Severities of rights that are missing and of most errors of syntax, and the number from which on errors are a script's own. */
const RIGHTS = 14
const SYNTAX = 15
const OF_USERS = 50_000

/** Returns the class of an error; null for errors without one. */
export function errorClass(number: number, severity: number): ErrorClass | null {
  return classes.get(number) ?? (severity === RIGHTS || severity === SYNTAX || number >= OF_USERS ? plainSyntax : null)
}

/** The server makes no plan of so large or so deep a statement: a caller that requests less is answered. */
export const isTooLarge = (number: number): boolean => [191, 8623, 8631, 8632].includes(number)

/** The server has rolled the transaction back for the sake of another one: a deadlock, a conflict of snapshots. */
export const isRolledBack = (number: number): boolean => [1205, 3960, 3961].includes(number)
