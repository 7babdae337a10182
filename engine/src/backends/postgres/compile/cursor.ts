/** Cursors of Relay: the values a row has in the order of its connection, as JSON in base64. */
import {
  type Connection,
  type CursorKey,
  type DatabaseType,
  type Operand,
  type OrderKey,
  operandType,
} from '../../../ir/index.ts'
import { integer, join, literal, sql } from '../../sql.ts'
import { isJson } from '../types/known-types.ts'
import { typeName } from './cast.ts'
import { type JsonEntry, jsonFrom } from './json-shapes.ts'
import { compileOperand } from './operand.ts'
import { compileKey } from './order-by.ts'
import type { Scope, Sql } from './scope.ts'
import { compileValue } from './values.ts'

/** Returns the SQL of a row's cursor: `{"articles_aggregate" : {"count" : 3}, "id" : 1}` in base64. */
export const compileCursor = (orderBy: readonly CursorKey[], scope: Scope): Sql =>
  base64(
    jsonFrom(
      membersOf(orderBy.map(({ key, names }) => ({ names, value: inCursor(keyType(key), compileKey(key, scope)) }))),
    ),
  )

/** Returns the SQL of a row's id for Relay's `node`: what the table is found by, and the values of its key. */
export function compileNodeId(prefix: readonly (string | number)[], key: readonly Operand[], scope: Scope): Sql {
  const parts = [
    ...prefix.map((part) => (typeof part === 'number' ? integer(part) : sql`${literal(part)}::text`)),
    ...key.map((of) => inCursor(operandType(of), compileOperand(of, scope))),
  ]
  return base64(sql`jsonb_build_array(${join(parts, sql`, `)})`)
}

/**
 * As text what JSON does not write exactly, or not so that it can be read again: lists in lists, where a list begins,
 * records, and a JSON null, which is no NULL.
 */
const inCursor = (type: DatabaseType | null, value: Sql): Sql =>
  type && (type.array || type.kind === 'composite' || isJson(type)) ? sql`(${value})::text` : value

/** Null: a number. */
function keyType(key: OrderKey): DatabaseType | null {
  switch (key.kind) {
    case 'operand':
      return operandType(key.of)
    case 'related':
      return keyType(key.key)
    case 'related-aggregate':
    case 'computed-aggregate': {
      const { aggregate } = key
      return aggregate.operator === 'min' || aggregate.operator === 'max' ? operandType(aggregate.of) : null
    }
  }
}

/** In one line, however long. */
const base64 = (json: Sql): Sql =>
  sql`replace(encode(convert_to((${json})::text, 'UTF8'), 'base64'), ${literal('\n')}, '')`

interface Member {
  readonly names: readonly string[]
  readonly value: Sql
}

/** Values whose names begin alike share an object. */
function membersOf(members: readonly Member[]): readonly JsonEntry[] {
  const groups = new Map<string, Member[]>()
  for (const { names, value } of members) {
    const [first = '', ...rest] = names
    const group = groups.get(first) ?? []
    groups.set(first, group)
    group.push({ names: rest, value })
  }
  return [...groups].map(([key, group]) => {
    const [only] = group
    const isLeaf = only !== undefined && only.names.length === 0
    return { key, value: isLeaf ? only.value : jsonFrom(membersOf(group)) }
  })
}

/**
 * Compiles the condition that a row is on one side of a cursor. No two rows are equal in the order, so it is one that
 * distinguishes all.
 */
export function compileSide(
  orderBy: readonly CursorKey[],
  { side, values }: NonNullable<Connection['bound']>,
  scope: Scope,
): Sql {
  const [key, ...others] = orderBy
  const [value = null, ...rest] = values
  if (!key) return sql`false`
  const of = compileKey(key.key, scope)
  // an array of a domain has no operators with arrays of what the domain is made of
  const left = value?.type.type.array ? sql`(${of})::${typeName(value.type.type)}` : of
  const right = value && compileValue(value)
  const beyond = compileBeyond(key, side, left, right)
  if (others.length === 0) return beyond
  const equal = right ? sql`(${left} = ${right})` : isNull(left, key.key)
  return sql`(${beyond} OR (${equal} AND ${compileSide(others, { side, values: rest }, scope)}))`
}

function compileBeyond(
  { key, direction, nulls }: CursorKey,
  side: 'after' | 'before',
  left: Sql,
  right: Sql | null,
): Sql {
  const nullsBeyond = (nulls === 'last') === (side === 'after')
  if (!right) return nullsBeyond ? sql`false` : sql`(NOT ${isNull(left, key)})`
  const isGreater = (direction === 'asc') === (side === 'after')
  const compared = isGreater ? sql`(${left} > ${right})` : sql`(${left} < ${right})`
  return nullsBeyond ? sql`(${compared} OR ${isNull(left, key)})` : compared
}

/** A record of NULLs is NULL for `IS NULL`, but not where rows are ordered. */
const isNull = (value: Sql, key: OrderKey): Sql =>
  keyType(key)?.kind === 'composite' ? sql`(${value} IS NOT DISTINCT FROM NULL)` : sql`(${value} IS NULL)`
