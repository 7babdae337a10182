import type { Value } from '../../../ir/index.ts'
import { bind, integer, sql } from '../../sql.ts'
import { castTo } from './cast.ts'
import type { Sql } from './scope.ts'

/** A value as a typed parameter. */
export const compileValue = (value: Value): Sql => castTo(bind(value), value.type)

/** LIMIT and OFFSET: a constant is printed, so that the planner knows it. Null: there is none. */
export function compileCount(value: Value | null): Sql | null {
  if (value === null) return null
  if (value.kind !== 'constant') return sql`(${bind(value)})::bigint`
  if (value.text === null) return null
  const count = Number(value.text)
  // beyond what a number holds exactly: the database reads it
  return Number.isSafeInteger(count) ? integer(count) : sql`(${bind<Value>(value)})::bigint`
}

/** The smaller of a LIMIT and a permission's; a variable that is NULL at run time leaves the latter. */
export function lowerLimit(value: Value | null, permissionLimit: number | null): Sql | null {
  const limit = compileCount(value)
  if (permissionLimit === null) return limit
  if (limit === null) return integer(permissionLimit)
  if (value?.kind === 'constant' && Number.isSafeInteger(Number(value.text)))
    return integer(Math.min(Number(value.text), permissionLimit))
  return sql`LEAST(${limit}, ${integer(permissionLimit)})`
}
