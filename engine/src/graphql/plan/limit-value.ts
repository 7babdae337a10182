import { Kind } from 'graphql'
import type { TypeSystem } from '../../backends/index.ts'
import type { ApiError, Path } from '../../errors.ts'
import { isRawNumber } from '../../exact-json/index.ts'
import type { DatabaseType, Value } from '../../ir/index.ts'
import { intRef } from '../types/scalar-types.ts'
import type { Context } from './context.ts'
import { type Input, isNull, mismatch, open, type RawInput } from './input.ts'

/** `limit`: a non-negative 32-bit integer; null is absent (spec 02 §1.4). */
export function limitValue(context: Context, raw: RawInput, types: TypeSystem, path: Path): Value | null {
  return rowCount(context, raw, types, 'limit', path)
}

/** `offset`: any signed 64-bit integer, or a numeric string; null is absent. */
export function offsetValue(context: Context, raw: RawInput, types: TypeSystem, path: Path): Value | null {
  return rowCount(context, raw, types, 'offset', path)
}

type RowCount = 'limit' | 'offset'
const scalars = { limit: 'Int', offset: 'bigint' } as const

function rowCount(context: Context, raw: RawInput, types: TypeSystem, kind: RowCount, path: Path): Value | null {
  const input = open(context, raw, intRef, false, path)
  if (isNull(input)) return null
  const type = { type: integerType(types, scalars[kind]), list: false }
  if (input.kind === 'json') {
    const { variable, keys, value } = input
    if (rowCountText(kind, value) === null) throw rowCountMismatch(kind, input, path)
    context.checks.push({ kind, variable, keys, path: path.keys })
    return { kind: 'variable', variable, keys, type, path: path.keys }
  }
  const text = literalText(kind, input)
  if (text === null) throw rowCountMismatch(kind, input, path)
  return { kind: 'constant', text, type }
}

function integerType(types: TypeSystem, scalar: 'Int' | 'bigint'): DatabaseType {
  const type = types.typeOfScalar(scalar)
  if (!type) throw new Error(`the backend has no type for ${scalar}`)
  return type
}

function literalText(kind: RowCount, input: Extract<Input, { kind: 'literal' }>): string | null {
  const { node } = input
  if (node.kind === Kind.INT) return inBounds(kind, node.value)
  return kind === 'offset' && node.kind === Kind.STRING ? rowCountText(kind, node.value) : null
}

/** The text for the database, null if JSON of this kind is no such count. */
export function rowCountText(kind: RowCount, json: unknown): string | null {
  if (typeof json === 'number' && Number.isInteger(json)) return inBounds(kind, BigInt(json).toString())
  if (isRawNumber(json)) return /^-?\d+$/.test(json.rawJSON) ? inBounds(kind, json.rawJSON) : null
  if (kind === 'offset' && typeof json === 'string' && /^-?\d{1,20}$/.test(json)) return inBounds(kind, json)
  return null
}

function inBounds(kind: RowCount, digits: string): string | null {
  const number = BigInt(digits.length < 30 ? digits : '9'.repeat(30))
  const [low, high] = kind === 'limit' ? [0n, 2n ** 31n - 1n] : [-(2n ** 63n), 2n ** 63n - 1n]
  return number >= low && number <= high ? number.toString() : null
}

export function rowCountMismatch(kind: RowCount, input: Input, path: Path): ApiError {
  return kind === 'limit'
    ? mismatch('a non-negative 32-bit integer', 'Int', input, path)
    : mismatch('a 64-bit integer', 'Int', input, path)
}
