import { Kind } from 'graphql'
import type { TypeSystem } from '../../backends/index.ts'
import type { ApiError, Path } from '../../errors.ts'
import { isRawNumber } from '../../exact-json/index.ts'
import type { DatabaseType, Value } from '../../ir/index.ts'
import type { Context } from '../selection/context.ts'
import { type Input, isNull, mismatch, open, type RawInput } from '../selection/input.ts'
import type { IntPlace } from '../selection/variable-check.ts'
import { intRef } from '../types/scalar-types.ts'
import { nonNull } from '../types/type.ts'

const scalars = { limit: 'Int', offset: 'bigint', int: 'Int' } as const

/**
 * Plans a whole number (reference/graphql-schema#object-types): `limit`, a non-negative 32-bit integer; `offset`, any signed
 * 64-bit integer or a numeric string; or an argument of GraphQL's own `Int`, which unlike a column's takes no text
 * (reference/queries#variables). Null: null.
 */
export function intValue(
  context: Context,
  raw: RawInput,
  types: TypeSystem,
  kind: IntPlace,
  path: Path,
  required = false,
): Value | null {
  const input = open(context, raw, required ? nonNull(intRef) : intRef, false, path)
  if (isNull(input)) return null
  const type = { type: integerType(types, scalars[kind]), list: false }
  if (input.kind === 'json') {
    const { variable, keys, value } = input
    if (intText(kind, value) === null) throw intMismatch(kind, input, path)
    context.checks.push({ kind, variable, keys, path: path.keys })
    return { kind: 'variable', variable, keys, type, path: path.keys }
  }
  const text = literalText(kind, input)
  if (text === null) throw intMismatch(kind, input, path)
  return { kind: 'constant', text, type, literal: true }
}

function integerType(types: TypeSystem, scalar: 'Int' | 'bigint'): DatabaseType {
  const type = types.typeOfScalar(scalar)
  if (!type) throw new Error(`the backend has no type for ${scalar}`)
  return type
}

function literalText(kind: IntPlace, input: Extract<Input, { kind: 'literal' }>): string | null {
  const { node } = input
  if (node.kind === Kind.INT) return inBounds(kind, node.value)
  return kind === 'offset' && node.kind === Kind.STRING ? intText(kind, node.value) : null
}

/** Returns the text for the database, or null if JSON is no such number. */
export function intText(kind: IntPlace, json: unknown): string | null {
  if (typeof json === 'number' && Number.isInteger(json)) return inBounds(kind, BigInt(json).toString())
  if (isRawNumber(json)) {
    const [, digits] = /^(-?\d+)(?:\.0+)?$/.exec(json.rawJSON) ?? []
    return digits === undefined ? null : inBounds(kind, digits)
  }
  if (kind === 'offset' && typeof json === 'string' && /^-?\d{1,20}$/.test(json)) return inBounds(kind, json)
  return null
}

const places = {
  limit: { low: 0n, high: 2n ** 31n - 1n, called: 'a non-negative 32-bit integer' },
  offset: { low: -(2n ** 63n), high: 2n ** 63n - 1n, called: 'a 64-bit integer' },
  int: { low: -(2n ** 31n), high: 2n ** 31n - 1n, called: 'a 32-bit integer' },
} as const

function inBounds(kind: IntPlace, digits: string): string | null {
  const number = BigInt(digits.length < 30 ? digits : '9'.repeat(30))
  const { low, high } = places[kind]
  return number >= low && number <= high ? number.toString() : null
}

/** Returns the error for a value that is no such number. */
export const intMismatch = (kind: IntPlace, input: Input, path: Path): ApiError =>
  mismatch(places[kind].called, 'Int', input, path)
