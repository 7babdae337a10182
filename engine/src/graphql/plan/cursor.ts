import { invalid, type Path } from '../../errors.ts'
import { parseExactly } from '../../exact-json/index.ts'
import {
  type CursorKey,
  type DatabaseType,
  type OrderAggregate,
  type OrderKey,
  operandType,
  type Value,
} from '../../ir/index.ts'
import { isObject } from '../selection/guard.ts'
import type { NamedTypes } from '../types/named-types.ts'
import { constantValue } from './scalar-value.ts'

/** Returns the JSON in a text of base64, or undefined where there is none. */
export function decodeBase64(text: string): unknown {
  if (!/^[A-Za-z0-9+/\s]*(?:=\s*){0,2}$/.test(text)) return undefined
  try {
    return parseExactly(Buffer.from(text, 'base64').toString('utf8'))
  } catch {
    return undefined
  }
}

/**
 * Returns the values of a cursor for the keys of an order. Throws validation-failed when it is no cursor of that order.
 */
export function cursorValues(
  text: string,
  orderBy: readonly CursorKey[],
  types: NamedTypes,
  path: Path,
): readonly (Value | null)[] {
  const cursor = decodeBase64(text)
  return orderBy.map(({ key, names }) => {
    const json = names.reduce((inside: unknown, name) => memberOf(inside, name), cursor)
    if (json === undefined) throw invalid(path, 'the cursor does not fit the order of the rows')
    return json === null ? null : textValue(types, keyType(key, types), json, path)
  })
}

/**
 * Returns a value in a cursor or a global id as the database's text, where JSON is its text. Throws what the backend
 * says of other values.
 */
export function textValue(types: NamedTypes, type: DatabaseType, json: unknown, path: Path): Value {
  const isJson = !type.array && ['json', 'jsonb'].includes(types.graphqlScalar(type))
  if (isJson && typeof json === 'string')
    return { kind: 'constant', text: json, type: { type, list: false }, literal: true }
  return constantValue(types, { type, list: false }, json, path)
}

const memberOf = (json: unknown, name: string): unknown =>
  isObject(json) && Object.hasOwn(json, name) ? json[name] : undefined

function keyType(key: OrderKey, types: NamedTypes): DatabaseType {
  switch (key.kind) {
    case 'operand':
      return operandType(key.of)
    case 'related':
      return keyType(key.key, types)
    case 'related-aggregate':
    case 'computed-aggregate':
      return aggregateType(key.aggregate, types)
  }
}

/** The type that the database returns, or one that it compares that with. */
function aggregateType(aggregate: OrderAggregate, types: NamedTypes): DatabaseType {
  if (aggregate.operator === 'count') return scalarType(types, 'bigint')
  const of = operandType(aggregate.of)
  if (aggregate.operator === 'max' || aggregate.operator === 'min') return of
  const scalar = types.graphqlScalar(of)
  if (scalar === 'money') return of
  return scalarType(types, scalar === 'Float' || scalar === 'float8' ? 'float8' : 'numeric')
}

function scalarType(types: NamedTypes, name: string): DatabaseType {
  const type = types.typeOfScalar(name)
  if (!type) throw new Error(`the backend has no type for ${name}`)
  return type
}
