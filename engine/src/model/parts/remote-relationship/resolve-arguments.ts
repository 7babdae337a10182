import { isRecord, type Json } from '@svc/schema'
import { isRawNumber } from '../../../exact-json/index.ts'
import { type RemoteInput, type RemoteTypeRef, type RemoteTypes, refText } from '../../../remote-schemas/index.ts'
import { definitionError } from '../../resolve/resolution-error.ts'
import type { FixedValue } from './resolved-remote-relationship.ts'

/** What arguments may mention: the GraphQL scalar of each value of the left side. */
export type LhsScalars = ReadonlyMap<string, string>

type Fixed = readonly (readonly [string, FixedValue])[]

/** The arguments that a relationship sets for a field, checked against the remote's types. Throws a ResolutionError. */
export function resolveArguments(
  given: Json | undefined,
  declared: ReadonlyMap<string, RemoteInput>,
  types: RemoteTypes,
  lhs: LhsScalars,
  at: readonly string[],
): Fixed {
  if (given === undefined) return []
  if (!isRecord(given)) throw wrong('the arguments of a remote field are an object', at)
  return Object.entries(given).map(([name, value]) => {
    const argument = declared.get(name)
    if (!argument) throw wrong(`argument with name ${name} not found in remote schema`, [...at, name])
    return [name, fixedValue(value, argument.type, types, lhs, [...at, name])]
  })
}

const wrong = (text: string, at: readonly string[]) => definitionError(text, at)

function fixedValue(
  value: Json | undefined,
  ref: RemoteTypeRef,
  types: RemoteTypes,
  lhs: LhsScalars,
  at: readonly string[],
): FixedValue {
  if (value === null || value === undefined) throw wrong('null is not allowed here', at)
  const type = ref.kind === 'non-null' ? ref.of : ref
  if (Array.isArray(value)) return fixedList(value, type, types, lhs, at)
  if (typeof value === 'string' && value.startsWith('$')) {
    const name = value.slice(1)
    const scalar = lhs.get(name)
    if (scalar === undefined) throw wrong(`variable "${name}" is not found`, at)
    checkScalar(scalar, innermost(type), types, at)
    return { kind: 'variable', name }
  }
  if (isRecord(value)) {
    if (type.kind !== 'named') throw mismatch(refText(type), 'object', at)
    const own = types.types.get(type.name)
    if (own?.kind !== 'INPUT_OBJECT') {
      if (own?.kind === 'SCALAR') throw mismatch(type.name, 'object', at)
      throw wrong(`expected type "${type.name}" but got an object`, at)
    }
    return { kind: 'object', fields: resolveArguments(value, own.fields, types, lhs, at) }
  }
  checkLiteral(value as string | number | boolean, innermost(type), types, at)
  return { kind: 'literal', value: value as string | number | boolean }
}

function fixedList(
  value: readonly Json[],
  type: RemoteTypeRef,
  types: RemoteTypes,
  lhs: LhsScalars,
  at: readonly string[],
): FixedValue {
  if (value.length > 1) throw wrong('multiple elements in list value is not supported', at)
  if (type.kind !== 'list') throw mismatch(refText(type), `[${refText(type)}]`, at)
  return { kind: 'list', items: value.map((item) => fixedValue(item, type.of, types, lhs, at)) }
}

const mismatch = (expected: string, got: string, at: readonly string[]) =>
  wrong(`expected type "${expected}" but got "${got}"`, at)

/** A single value where a list is expected is a list of one (GraphQL spec, Input Coercion of lists). */
const innermost = (ref: RemoteTypeRef): string => (ref.kind === 'named' ? ref.name : innermost(ref.of))

const joinsToId: ReadonlySet<string> = new Set(['ID', 'Int', 'uuid', 'String'])
const joinsToFloat: ReadonlySet<string> = new Set(['Float', 'Int', 'float8', 'numeric'])

function checkScalar(scalar: string, expected: string, types: RemoteTypes, at: readonly string[]): void {
  if (scalar === expected) return
  if (expected === 'ID') {
    if (joinsToId.has(scalar)) return
    throw wrong(`Only ID, Int, uuid or String scalar types can be joined to the ID type, but received ${scalar}`, at)
  }
  if (expected === 'Float' && joinsToFloat.has(scalar)) return
  // its values are texts, and only the remote can say which of them it knows
  if (types.types.get(expected)?.kind === 'ENUM' && (scalar === 'String' || scalar.endsWith('_enum'))) return
  throw mismatch(expected, scalar, at)
}

function checkLiteral(
  value: string | number | boolean,
  expected: string,
  types: RemoteTypes,
  at: readonly string[],
): void {
  const got = literalType(value)
  if (got === expected) return
  if (expected === 'ID' && (got === 'String' || got === 'Int')) return
  if (expected === 'Float' && got === 'Int') return
  const own = types.types.get(expected)
  if (own?.kind === 'ENUM') {
    if (own.values.some(({ name }) => name === value)) return
    throw wrong(`${JSON.stringify(value)} is no value of enum "${expected}"`, at)
  }
  const isBuiltIn = ['Int', 'Float', 'String', 'Boolean', 'ID'].includes(expected)
  if (own?.kind === 'SCALAR' && !isBuiltIn) return
  throw mismatch(expected, got, at)
}

function literalType(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return 'String'
    case 'boolean':
      return 'Boolean'
    default:
      return Number.isInteger(Number(isRawNumber(value) ? JSON.stringify(value) : value)) ? 'Int' : 'Float'
  }
}
