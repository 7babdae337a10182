import type { Value } from '../../../ir/index.ts'
import { bind, integer, sql } from '../../sql.ts'
import type { Sql } from './scope.ts'

/** Returns a limit or an offset: a constant is printed. Null: there is none. */
export function compileCount(value: Value | null): Sql | null {
  if (value === null || (value.kind === 'constant' && value.text === null)) return null
  const count = constantCount(value)
  return count === null ? sql`CAST(${bind<Value>(value)} AS bigint)` : integer(count)
}

function constantCount(value: Value): number | null {
  const count = value.kind === 'constant' ? Number(value.text) : Number.NaN
  // beyond what a number holds exactly: the database reads it
  return Number.isSafeInteger(count) ? count : null
}

/** Returns ` OFFSET` of the rows that are skipped; a variable that is null skips none. */
export function compileOffset(value: Value | null): Sql | null {
  const offset = compileCount(value)
  return offset === null || value === null || constantCount(value) !== null ? offset : sql`ISNULL(${offset}, 0)`
}

/**
 * Returns `TOP`, which unlike FETCH may be zero: the smaller of a limit and a permission's. A variable that is null is
 * no limit.
 */
export function lowerLimit(value: Value | null, permissionLimit: number | null): Sql | null {
  const limit = compileCount(value)
  if (limit === null || value === null) return permissionLimit === null ? null : integer(permissionLimit)
  const count = constantCount(value)
  if (permissionLimit === null) return count === null ? sql`ISNULL(${limit}, 9223372036854775807)` : limit
  if (count !== null) return integer(Math.min(count, permissionLimit))
  return sql`IIF(${limit} < ${integer(permissionLimit)}, ${limit}, ${integer(permissionLimit)})`
}
