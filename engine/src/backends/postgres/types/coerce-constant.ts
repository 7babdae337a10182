import { ApiError, type Path } from '../../../errors.ts'
import type { DatabaseType, ValueType } from '../../../ir/index.ts'
import { coerceInput } from './coerce-input.ts'
import { isType } from './known-types.ts'

/**
 * Returns a value of metadata in the database's text form, as `coerceInput` does; but a text must also be one that the
 * database reads as a number or a boolean where it has to be one: otherwise every request that meets it would fail.
 * Texts that only the database can check (dates, UUIDs, its own types) are not read. Throws parse-failed at `path`.
 */
export function coerceConstant(type: ValueType, json: unknown, path: Path): string | null {
  const text = coerceInput(type, json, path)
  checkTexts(type.type, json, path)
  return text
}

/** Checks texts, also those in lists and in lists of arrays. An array's own text form is checked by the database. */
function checkTexts(type: DatabaseType, json: unknown, path: Path): void {
  if (Array.isArray(json)) for (const [i, member] of json.entries()) checkTexts(type, member, path.at(i))
  else if (typeof json === 'string' && !(type.array && json.trimStart().startsWith('{'))) {
    const problem = problemOf({ ...type, array: false }, json.trim())
    if (problem) throw new ApiError('parse-failed', path, problem(json))
  }
}

type Problem = (text: string) => string

function problemOf(type: DatabaseType, text: string): Problem | null {
  for (const [name, { bits, called }] of Object.entries(integers))
    if (isType(type, name)) return integerProblem(text, bits, called)
  if (isType(type, 'float4', 'float8', 'numeric')) return numbers.test(text) ? null : unread(called[type.name] ?? '')
  if (isType(type, 'bool')) return booleans.test(text) ? null : unread('boolean')
  return null
}

const integers = {
  int2: { bits: 15n, called: 'smallint' },
  int4: { bits: 31n, called: 'integer' },
  int8: { bits: 63n, called: 'bigint' },
} as const

const called: Readonly<Record<string, string>> = { float4: 'real', float8: 'double precision', numeric: 'numeric' }

function integerProblem(text: string, bits: bigint, called: string): Problem | null {
  const [, sign = '', digits = ''] = wholes.exec(text) ?? []
  if (digits === '') return unread(called)
  const whole = BigInt(digits.replaceAll('_', ''))
  const beyond = sign === '-' ? whole > 1n << bits : whole >= 1n << bits
  return beyond ? (given) => `value "${given}" is out of range for type ${called}` : null
}

/** Says what PostgreSQL itself says. */
const unread =
  (called: string): Problem =>
  (text) =>
    `invalid input syntax for type ${called}: "${text}"`

const wholes = /^([+-]?)(\d+(?:_\d+)*|0x(?:_?[\da-f])+|0o(?:_?[0-7])+|0b(?:_?[01])+)$/i
const numbers = /^[+-]?(nan|inf|infinity|(\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(e[+-]?\d+)?|0x[\da-f_]+|0o[0-7_]+|0b[01_]+)$/i
/** The words for booleans, each cut to any prefix that no other word has. */
const booleans = /^(t|tr|tru|true|y|ye|yes|on|1|f|fa|fal|fals|false|n|no|of|off|0)$/i
