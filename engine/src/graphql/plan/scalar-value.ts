import { Kind, type ValueNode } from 'graphql'
import type { TypeSystem } from '../../backends/index.ts'
import { invalid, type Path } from '../../errors.ts'
import { exactNumber } from '../../exact-json/index.ts'
import type { DatabaseType, Value, ValueType } from '../../ir/index.ts'
import type { LongWork } from '../../long-work.ts'
import { type Context, countLiterals } from '../selection/context.ts'
import { type Input, isNull, open, type RawInput, readVariable, unexpectedNull } from '../selection/input.ts'
import type { Template } from '../selection/template.ts'
import { databaseTypeRef } from '../types/scalar-types.ts'
import { listOf, nonNull, type TypeRef } from '../types/type.ts'

/**
 * Plans a value for the database (reference/values#values-of-input): a literal becomes a constant now, a variable a
 * slot, and a list or JSON literal with variables inside a template. Null: null. Throws validation-failed, and what the
 * backend says of literals.
 */
export function scalarValue(
  context: Context,
  raw: RawInput,
  types: TypeSystem,
  type: ValueType,
  path: Path,
  place: { readonly required: boolean; readonly ref?: TypeRef } = { required: false },
): Value | null {
  const ref = place.ref ?? valueTypeRef(types, type)
  const input = open(context, raw, place.required ? nonNull(ref) : ref, false, path)
  if (isNull(input)) return null
  if (input.kind === 'json')
    return { kind: 'variable', variable: input.variable, keys: input.keys, type, path: path.keys }
  const json = toTemplate(context, input.node, elementOf(types, type), path)
  if (json.kind === 'json') return constantValue(types, type, json.json, path)
  // no GraphQL name starts like this
  const variable = `:${context.templates.size}`
  context.templates.set(variable, json)
  return { kind: 'variable', variable, keys: [], type, path: path.keys }
}

/**
 * Returns the client's value as JSON, whatever its type, for a webhook that reads it
 * (reference/mutations#validation-of-input).
 */
export function givenJson(context: Context, raw: RawInput, path: Path): Template {
  if (raw.kind === 'json') return { kind: 'variable', variable: raw.variable, keys: raw.keys }
  return toTemplate(context, raw.node, anything, path)
}

/** Plans a value for the database that may not be null. Throws `unexpected null value for type 'Int'`. */
export function requiredScalarValue(
  context: Context,
  raw: RawInput,
  types: TypeSystem,
  type: ValueType,
  path: Path,
): Value {
  const value = scalarValue(context, raw, types, type, path, { required: true })
  if (value === null) throw unexpectedNull(valueTypeRef(types, type), path)
  return value
}

/** Returns a constant for the database. Throws what `coerce` throws. */
export function constantValue(types: TypeSystem, type: ValueType, json: unknown, path: Path): Value {
  return { kind: 'constant', text: coerce(types, type, json, path), type, literal: true }
}

/**
 * Converts JSON of a value to the database's text (reference/values#values-of-input). A single value stands for a list
 * of one; entries of a list may not be null. Throws validation-failed, and parse-failed from the backend, at path.
 */
export function coerce(types: TypeSystem, type: ValueType, json: unknown, path: Path): string | null {
  return types.coerceInput(type, type.list ? entriesOf(types, type, json, path) : json, path)
}

/** Converts JSON of a value that takes long in pieces. Throws what `coerce` throws. */
export function* coerceLong(types: TypeSystem, type: ValueType, json: unknown, path: Path): LongWork<string | null> {
  const entries = type.list ? entriesOf(types, type, json, path) : json
  return types.coerceLong ? yield* types.coerceLong(type, entries, path) : types.coerceInput(type, entries, path)
}

/** Returns the entries of a list. Throws validation-failed at the place of one that is null. */
function entriesOf(types: TypeSystem, type: ValueType, json: unknown, path: Path): readonly unknown[] {
  const entries = Array.isArray(json) ? json : [json]
  const missing = entries.findIndex((entry) => entry === null || entry === undefined)
  if (missing >= 0) throw unexpectedNull(databaseTypeRef(types, type.type), path.at(missing))
  return entries
}

function valueTypeRef(types: TypeSystem, type: ValueType): TypeRef {
  const ref = databaseTypeRef(types, type.type)
  return type.list ? listOf(nonNull(ref)) : ref
}

/** What a variable inside a literal must fit: an element of a list; inside JSON anything goes. */
interface Inside {
  readonly element: TypeRef | null
  readonly inner: Inside | null
}

function elementOf(types: TypeSystem, type: ValueType): Inside {
  const scalar = databaseTypeRef(types, withoutArray(type.type))
  const leaf: Inside = anything
  const array: Inside = type.type.array ? { element: nonNull(scalar), inner: leaf } : leaf
  return type.list ? { element: nonNull(databaseTypeRef(types, type.type)), inner: array } : array
}

const withoutArray = (type: DatabaseType): DatabaseType => (type.array ? { ...type, array: false } : type)

function toTemplate(context: Context, node: ValueNode, inside: Inside, path: Path): Template {
  // a long text is copied where it becomes JSON
  countLiterals(context, 1 + ('value' in node && typeof node.value === 'string' ? node.value.length / 200 : 0), path)
  switch (node.kind) {
    case Kind.NULL:
      return { kind: 'json', json: null }
    case Kind.BOOLEAN:
    case Kind.STRING:
    case Kind.ENUM:
      return { kind: 'json', json: node.value }
    case Kind.INT:
    case Kind.FLOAT:
      return { kind: 'json', json: exactNumber(node.value) }
    case Kind.VARIABLE:
      return fromInput(context, readVariable(context, node.name.value), inside, path)
    case Kind.LIST:
      return listTemplate(context, node.values, inside, path)
    case Kind.OBJECT:
      return objectTemplate(context, node.fields, path)
  }
}

const anything: Inside = { element: null, inner: null }

function listTemplate(context: Context, nodes: readonly ValueNode[], inside: Inside, path: Path): Template {
  const inner = inside.inner ?? anything
  const parts = nodes.map((node, i) => {
    if (node.kind === Kind.VARIABLE && inside.element)
      return fromInput(context, open(context, { kind: 'node', node }, inside.element, false, path.at(i)), inner, path)
    return toTemplate(context, node, inner, path)
  })
  const constants: unknown[] = []
  for (const part of parts) {
    if (part.kind !== 'json') return { kind: 'list', of: parts }
    constants.push(part.json)
  }
  return { kind: 'json', json: constants }
}

/** Making an object of 33,000 keys takes 10 ms, and its text 15. */
const MANY_KEYS = 1000

function objectTemplate(
  context: Context,
  fields: readonly { readonly name: { readonly value: string }; readonly value: ValueNode }[],
  path: Path,
): Template {
  const parts = new Map<string, Template>()
  for (const { name, value } of fields) {
    if (parts.has(name.value)) throw invalid(path, `field '${name.value}' is given more than once`)
    parts.set(name.value, toTemplate(context, value, anything, path))
  }
  // made when it is bound: that is another turn of the event loop, and what makes text of it yields
  if (parts.size > MANY_KEYS) return { kind: 'object', of: parts }
  const constants: Record<string, unknown> = {}
  for (const [key, part] of parts) {
    if (part.kind !== 'json') return { kind: 'object', of: parts }
    if (key === '__proto__')
      Object.defineProperty(constants, key, { value: part.json, enumerable: true, configurable: true, writable: true })
    else constants[key] = part.json
  }
  return { kind: 'json', json: constants }
}

function fromInput(context: Context, input: Input, inside: Inside, path: Path): Template {
  return input.kind === 'json'
    ? { kind: 'variable', variable: input.variable, keys: input.keys }
    : toTemplate(context, input.node, inside, path)
}
