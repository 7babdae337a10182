import { Kind, type ValueNode, type VariableNode } from 'graphql'
import { type ApiError, invalid, type Path } from '../../errors.ts'
import { booleanRef } from '../types/scalar-types.ts'
import { type EnumType, type TypeRef, typeText } from '../types/type.ts'
import { type Context, countInput } from './context.ts'
import { type Expectation, isObject } from './guard.ts'
import { checkVariableType } from './variables.ts'

/** A client's value: a literal of the document, or JSON of a variable. */
export type Input = LiteralInput | JsonInput
export interface LiteralInput {
  readonly kind: 'literal'
  readonly node: Exclude<ValueNode, VariableNode>
}
interface JsonInput {
  readonly kind: 'json'
  readonly value: unknown
  readonly variable: string
  readonly keys: readonly (string | number)[]
}

/** A value before its variable was looked up. */
export type RawInput = { readonly kind: 'node'; readonly node: ValueNode } | JsonInput

/**
 * Finds a variable's value and checks its type. Absent and null ones become null (reference/queries#variables); an
 * absent one takes its default.
 */
export function open(context: Context, raw: RawInput, expected: TypeRef, hasDefault: boolean, path: Path): Input {
  if (raw.kind === 'json') return raw
  if (raw.node.kind !== Kind.VARIABLE) return { kind: 'literal', node: raw.node }
  const name = raw.node.name.value
  const definition = context.variables.declared.get(name)
  if (!definition) throw invalid(path, `unbound variable "${name}"`)
  checkVariableType(name, definition, expected, hasDefault, path)
  return readVariable(context, name)
}

const nullLiteral: LiteralInput = { kind: 'literal', node: { kind: Kind.NULL } }

/** The value of a declared variable, whatever its type. */
export function readVariable(context: Context, name: string): Input {
  const { values, declared } = context.variables
  if (Object.hasOwn(values, name)) return json(context, values[name], name, [])
  expect(context, name, [], { kind: 'absent' })
  const value = declared.get(name)?.defaultValue
  return value ? { kind: 'literal', node: value } : nullLiteral
}

function json(context: Context, value: unknown, variable: string, keys: readonly (string | number)[]): JsonInput {
  context.variables.guards.push({ variable, keys, expect: { kind: value === null ? 'null' : 'value' } })
  return { kind: 'json', value, variable, keys }
}

export function expect(
  context: Context,
  variable: string,
  keys: readonly (string | number)[],
  expectation: Expectation,
): void {
  context.variables.guards.push({ variable, keys, expect: expectation })
}

/** An opened input for a step that opens it: its variable is already looked up and checked. */
export const rawOf = (input: Input): RawInput => (input.kind === 'json' ? input : { kind: 'node', node: input.node })

export const isNull = (input: Input): boolean =>
  input.kind === 'json' ? input.value === null : input.node.kind === Kind.NULL

/** A variable that is neither supplied nor has a default, where such ones take their place along with them. */
export function isLeftOut(context: Context, node: ValueNode): boolean {
  if (!context.settings.unboundIsAbsent || node.kind !== Kind.VARIABLE) return false
  const name = node.name.value
  const { values, declared } = context.variables
  if (Object.hasOwn(values, name) || declared.get(name)?.defaultValue) return false
  expect(context, name, [], { kind: 'absent' })
  return true
}

export interface ObjectEntry {
  readonly key: string
  readonly raw: RawInput
}

/** Returns the entries of an object, in their order. Throws validation-failed when it is none. */
export function objectEntries(context: Context, input: Input, typeName: string, path: Path): readonly ObjectEntry[] {
  countInput(context, path)
  if (input.kind === 'json') {
    const { value, variable, keys } = input
    if (!isObject(value)) throw mismatch('an object', typeName, input, path)
    const names = Object.keys(value)
    expect(context, variable, keys, { kind: 'object', keys: names })
    for (const key of names) context.asked?.member(typeName, key)
    return names.map((key) => ({ key, raw: json(context, value[key], variable, [...keys, key]) }))
  }
  return literalEntries(context, input, typeName, path)
}

/** Returns the entries of a literal object, in their order. Throws validation-failed when it is none. */
export function literalEntries(
  context: Context,
  input: LiteralInput,
  typeName: string,
  path: Path,
): readonly ObjectEntry[] {
  if (input.node.kind !== Kind.OBJECT) throw mismatch('an object', typeName, input, path)
  const seen = new Set<string>()
  return input.node.fields.flatMap(({ name: { value: key }, value: node }) => {
    if (seen.has(key)) throw invalid(path.at(key), `field '${key}' is given more than once`)
    seen.add(key)
    context.asked?.member(typeName, key)
    return isLeftOut(context, node) ? [] : [{ key, raw: { kind: 'node', node } }]
  })
}

/**
 * The entries of a list; a single value counts as a list of one (reference/graphql-schema#object-types) and keeps its
 * path.
 */
export function listEntries(
  context: Context,
  input: Input,
  path: Path,
): readonly { readonly raw: RawInput; readonly path: Path }[] {
  if (input.kind === 'json') {
    const { value, variable, keys } = input
    if (!Array.isArray(value)) return [{ raw: input, path }]
    expect(context, variable, keys, { kind: 'list', length: value.length })
    return value.map((entry, i) => {
      countInput(context, path)
      return { raw: json(context, entry, variable, [...keys, i]), path: path.at(i) }
    })
  }
  if (input.node.kind !== Kind.LIST) return [{ raw: { kind: 'node', node: input.node }, path }]
  return input.node.values.map((node, i) => {
    countInput(context, path)
    return { raw: { kind: 'node', node }, path: path.at(i) }
  })
}

export function booleanValue(context: Context, input: Input, path: Path): boolean {
  if (input.kind === 'literal') {
    if (input.node.kind === Kind.BOOLEAN) return input.node.value
  } else if (typeof input.value === 'boolean') {
    expect(context, input.variable, input.keys, { kind: 'equal', to: input.value })
    return input.value
  }
  throw mismatch('a boolean', 'Boolean', input, path)
}

/** Reads a flag that is false where it is left out. Throws validation-failed. */
export const flagValue = (context: Context, raw: RawInput | undefined, path: Path): boolean =>
  raw !== undefined && booleanValue(context, open(context, raw, booleanRef, false, path), path)

export function stringValue(context: Context, input: Input, path: Path): string {
  if (input.kind === 'literal') {
    if (input.node.kind === Kind.STRING) return input.node.value
  } else if (typeof input.value === 'string') {
    expect(context, input.variable, input.keys, { kind: 'equal', to: input.value })
    return input.value
  }
  throw mismatch('a string', 'String', input, path)
}

export function integerValue(input: Input, path: Path): number {
  const value =
    input.kind === 'json' ? input.value : input.node.kind === Kind.INT ? Number(input.node.value) : undefined
  if (typeof value === 'number' && Number.isInteger(value) && value >= -(2 ** 31) && value < 2 ** 31) return value
  throw mismatch('a 32-bit integer', 'Int', input, path)
}

/** `expected an object for type 'X', but found a string` (reference/queries#validation). */
export function mismatch(expected: string, typeName: string, input: Input, path: Path): ApiError {
  return invalid(path, `expected ${expected} for type '${typeName}', but found ${describe(input)}`)
}

/** Returns what is wrong with a name that is no value of an enum. */
export const noValueOf = ({ name, values }: Pick<EnumType, 'name' | 'values'>, found: string): string =>
  `expected one of the values [${values.map((one) => `'${one.name}'`).join(', ')}] for type '${name}', but found '${found}'`

export const unexpectedNull = (type: TypeRef, path: Path): ApiError =>
  invalid(path, `unexpected null value for type '${typeText(type)}'`)

function describe(input: Input): string {
  return input.kind === 'literal' ? describeLiteral(input.node) : describeJson(input.value)
}

function describeLiteral(node: LiteralInput['node']): string {
  switch (node.kind) {
    case Kind.BOOLEAN:
      return 'a boolean'
    case Kind.INT:
      return 'an integer'
    case Kind.FLOAT:
      return 'a float'
    case Kind.STRING:
      return 'a string'
    case Kind.ENUM:
      return 'an enum value'
    case Kind.LIST:
      return 'a list'
    case Kind.OBJECT:
      return 'an object'
    case Kind.NULL:
      return 'null'
  }
}

function describeJson(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'boolean') return 'a boolean'
  if (typeof value === 'string') return 'a string'
  return isObject(value) ? 'an object' : 'a number'
}
