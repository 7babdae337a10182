/** How rows become JSON. */
import { ApiError, Path } from '../../../errors.ts'
import { ident, join, literal, sql } from '../../sql.ts'
import type { Sql } from './scope.ts'

/** A key of an object and the expression of its value. */
export interface JsonEntry {
  readonly key: string
  readonly value: Sql
}

/** What follows the columns of a SELECT. */
export interface JsonSource {
  /** `TOP (n) ` or nothing. */
  readonly top: Sql
  /** What stands after FROM; null: there is none. */
  readonly from: Sql | null
  /** ` WHERE … ORDER BY …` or nothing. */
  readonly rest: Sql
}

/** The source of JSON whose values need no rows. */
export const noRows: JsonSource = { top: sql``, from: null, rest: sql`` }

/** Returns a query for a JSON list, or NULL where there are no rows. */
export const listOf = (entries: readonly JsonEntry[], source: JsonSource): Sql =>
  sql`${select(entries, source)} FOR JSON PATH, INCLUDE_NULL_VALUES`

/** Returns a query for the JSON of one row, or NULL where there is none. */
export const objectOf = (entries: readonly JsonEntry[], source: JsonSource): Sql =>
  sql`${select(entries, source)} FOR JSON PATH, INCLUDE_NULL_VALUES, WITHOUT_ARRAY_WRAPPER`

/** Marks JSON as a member of other JSON: without it FOR JSON makes a string of it. It has to be the outermost call. */
export const jsonValue = (text: Sql): Sql => sql`JSON_QUERY(${text})`

/** Does the same for a list that may be NULL. */
export const jsonList = (text: Sql): Sql => sql`JSON_QUERY(ISNULL(${text}, '[]'))`

export const typename = ({ as, name }: { readonly as: string; readonly name: string }): JsonEntry => ({
  key: as,
  value: literal(name),
})

function select(entries: readonly JsonEntry[], { top, from, rest }: JsonSource): Sql {
  const columns = entries.map(({ key, value }) => sql`${value} AS ${ident(named(key))}`)
  return sql`SELECT ${top}${join(columns, sql`, `)}${from ? sql` FROM ${from}` : sql``}${rest}`
}

/** Of an identifier. */
const LONGEST_NAME = 128

function named(key: string): string {
  if (key.length <= LONGEST_NAME) return key
  throw new ApiError(
    'validation-failed',
    Path.root,
    `the name "${key.slice(0, LONGEST_NAME)}…" is too long: SQL Server allows ${LONGEST_NAME} characters`,
  )
}
