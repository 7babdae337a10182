/** What each comparison operator is in T-SQL (docs/sql-server.md). */
import { ApiError, Path } from '../../../errors.ts'
import { type ComparisonOperator, type Operand, operandType } from '../../../ir/index.ts'
import { type Sql as Fragment, sql } from '../../sql.ts'
import { knownType } from '../types/known-types.ts'
import { comparable } from './cast.ts'
import { compileOperand } from './operand.ts'
import type { Scope, Sql } from './scope.ts'

/** Compiles a comparison. Throws a TypeError for an operator that `operators` declares for no type. */
export function compileComparison(operator: ComparisonOperator, left: Operand, right: Sql, scope: Scope): Sql {
  const type = operandType(left)
  const found = (knownType(type).family === 'spatial' ? spatialEquality : spatial)[operator] ?? spatial[operator]
  if (found) {
    // the call takes the place of the column: it stands where the column may be read
    const call = compileOperand(left, scope, (value) => sql`${value}.${found.name}(${right})`)
    return sql`(${call} = ${found.gives})`
  }
  if (knownType(type).family === 'spatial')
    throw new ApiError('not-supported', Path.root, `values of type ${type.name} are not compared by _${operator}`)
  const infix = Object.hasOwn(comparisons, operator) ? comparisons[operator] : undefined
  const value = comparable(compileOperand(left, scope), type)
  if (infix) return isList(operator) ? sql`(${value} ${infix} (${right}))` : sql`(${value} ${infix} ${right})`
  throw new TypeError(`no such operator: ${operator}`)
}

const isList = (operator: ComparisonOperator): boolean => operator === 'in' || operator === 'nin'

interface Method {
  /** Of a type: its name is no identifier of a user. */
  readonly name: Fragment
  readonly gives: Fragment
}

const method = (name: Fragment, gives: Fragment = sql`1`): Method => ({ name, gives })

/** These types have no operator for it. */
const spatialEquality: Readonly<Record<string, Method>> = {
  eq: method(sql`STEquals`),
  neq: method(sql`STEquals`, sql`0`),
}

const spatial: Readonly<Record<string, Method>> = {
  st_contains: method(sql`STContains`),
  st_crosses: method(sql`STCrosses`),
  st_equals: method(sql`STEquals`),
  st_intersects: method(sql`STIntersects`),
  st_overlaps: method(sql`STOverlaps`),
  st_touches: method(sql`STTouches`),
  st_within: method(sql`STWithin`),
}

/** A list is a query of its members, so that an empty one is no syntax error. */
const comparisons: Readonly<Record<string, Fragment>> = {
  eq: sql`=`,
  neq: sql`<>`,
  gt: sql`>`,
  lt: sql`<`,
  gte: sql`>=`,
  lte: sql`<=`,
  in: sql`IN`,
  nin: sql`NOT IN`,
  like: sql`LIKE`,
  nlike: sql`NOT LIKE`,
}
