import { Kind, type ValueNode } from 'graphql'
import type { TypeSystem } from '../../backends/index.ts'
import { invalid, type Path } from '../../errors.ts'
import { exactNumber, isRawNumber } from '../../exact-json/index.ts'
import type { ActionField, ActionTypes } from '../../model/index.ts'
import { type Context, countInput, countLiterals } from '../selection/context.ts'
import { isObject } from '../selection/guard.ts'
import {
  type Input,
  isLeftOut,
  noValueOf,
  open,
  type RawInput,
  readVariable,
  mismatch as unlike,
} from '../selection/input.ts'
import type { Template } from '../selection/template.ts'
import { inputTypeRef } from '../types/action-types.ts'
import { typeText } from '../types/type.ts'

/**
 * A literal with the variables inside it, or a variable: its value is read with each request, since handlers get values
 * of any shape. Variables are checked to be of a type that is allowed at their place; literals that only seem to be of
 * their type (texts for enums) are refused here. Throws validation-failed.
 */
export function actionTemplate(context: Context, types: ActionTypes, of: Typed, raw: RawInput, path: Path): Template {
  const input = open(context, raw, inputTypeRef(types, of), false, path)
  return fromInput(context, types, of, input, path)
}

/** A type, and what stands at the end of its lists. */
export type Typed = Pick<ActionField, 'type' | 'base'>

function fromInput(context: Context, types: ActionTypes, of: Typed, input: Input, path: Path): Template {
  if (input.kind === 'json') return { kind: 'variable', variable: input.variable, keys: input.keys }
  const { node } = input
  countLiterals(context, 1 + ('value' in node && typeof node.value === 'string' ? node.value.length / 1000 : 0), path)
  if (node.kind === Kind.NULL) return { kind: 'json', json: null }
  const { type, base } = of
  const inner = (part: ValueNode, typed: Typed, at: Path) =>
    actionTemplate(context, types, typed, { kind: 'node', node: part }, at)
  if (type.kind === 'list') {
    const element = { type: type.of, base }
    if (node.kind !== Kind.LIST) return fromInput(context, types, element, input, path)
    return {
      kind: 'list',
      of: node.values.map((value, i) => {
        countInput(context, path)
        return inner(value, element, path.at(i))
      }),
    }
  }
  if (base.kind === 'input') {
    if (node.kind !== Kind.OBJECT) return anyLiteral(context, node, path)
    const fields = types.inputs.get(base.name)?.fields
    const entries = new Map<string, Template>()
    for (const { name, value } of node.fields) {
      countInput(context, path)
      const field = fields?.get(name.value)
      const at = path.at(name.value)
      if (!field) throw notFound(name.value, base.name, at)
      if (entries.has(name.value)) throw invalid(at, `field '${name.value}' is given more than once`)
      if (!isLeftOut(context, value)) entries.set(name.value, inner(value, field, at))
    }
    return { kind: 'object', of: entries }
  }
  if (base.kind === 'enum' && node.kind !== Kind.ENUM)
    throw unlike('an enum value', base.name, { kind: 'literal', node }, path)
  if (base.kind === 'built-in' && node.kind === Kind.ENUM)
    throw unlike('a value', base.name, { kind: 'literal', node }, path)
  return anyLiteral(context, node, path)
}

/** Returns the JSON of a literal, whatever its type and whatever variables are in it. */
function anyLiteral(context: Context, node: ValueNode, path: Path): Template {
  countLiterals(context, 1, path)
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
    case Kind.VARIABLE: {
      const input = readVariable(context, node.name.value)
      return input.kind === 'json'
        ? { kind: 'variable', variable: input.variable, keys: input.keys }
        : anyLiteral(context, input.node, path)
    }
    case Kind.LIST:
      return { kind: 'list', of: node.values.map((value, i) => anyLiteral(context, value, path.at(i))) }
    case Kind.OBJECT:
      return {
        kind: 'object',
        of: new Map(
          node.fields.map(({ name, value }) => [name.value, anyLiteral(context, value, path.at(name.value))]),
        ),
      }
  }
}

/** How scalars of a source's database are checked. */
export type SourceTypesOf = (source: string) => TypeSystem | null

/**
 * A request's value as the handler gets it (reference/actions#schema-of-a-role): built-in scalars coerced, enums and
 * input objects checked, scalars of databases checked and passed on as they are, custom scalars taken whatever they
 * are. Throws validation-failed, and what a database's type says, at the value at fault.
 */
export function coerceActionInput(
  types: ActionTypes,
  of: Typed,
  json: unknown,
  sources: SourceTypesOf,
  path: Path,
): unknown {
  const { type, base } = of
  if (json === null || json === undefined) {
    if (type.nullable) return null
    throw invalid(path, `unexpected null value for type '${typeText(inputTypeRef(types, of))}'`)
  }
  if (type.kind === 'list') {
    const element = { type: type.of, base }
    if (!Array.isArray(json)) return [coerceActionInput(types, element, json, sources, path)]
    return json.map((entry, i) => coerceActionInput(types, element, entry, sources, path.at(i)))
  }
  switch (base.kind) {
    case 'built-in':
      return builtIn(base.name, json, path)
    case 'scalar':
      return json
    case 'source-scalar':
      sources(base.source)?.coerceInput({ type: base.type, list: false }, json, path)
      return json
    case 'enum': {
      if (typeof json !== 'string') throw mismatch('an enum value', base.name, json, path)
      const { values = [] } = types.enums.get(base.name) ?? {}
      if (values.some(({ name }) => name === json)) return json
      throw invalid(path, noValueOf({ name: base.name, values }, json))
    }
    case 'input':
      return inputObject(types, base.name, json, sources, path)
    case 'object':
      throw new Error(`${base.name} is no input type`)
  }
}

function inputObject(types: ActionTypes, name: string, json: unknown, sources: SourceTypesOf, path: Path): unknown {
  if (!isObject(json) || isRawNumber(json)) throw mismatch('an object', name, json, path)
  const fields = types.inputs.get(name)?.fields ?? new Map<string, ActionField>()
  for (const key of Object.keys(json)) if (!fields.has(key)) throw notFound(key, name, path.at(key))
  return Object.fromEntries(
    [...fields.values()].flatMap((field) => {
      const at = path.at(field.name)
      if (!Object.hasOwn(json, field.name)) {
        if (!field.type.nullable) throw invalid(at, `missing required field '${field.name}'`)
        return []
      }
      return [[field.name, coerceActionInput(types, field, json[field.name], sources, at)]]
    }),
  )
}

function builtIn(name: string, json: unknown, path: Path): unknown {
  switch (name) {
    case 'Int':
      if (typeof json === 'number' && Number.isInteger(json) && Math.abs(json) < 2 ** 31) return json
      throw mismatch('a 32-bit integer', name, json, path)
    case 'Float':
      if (typeof json === 'number' || isRawNumber(json)) return json
      throw mismatch('a float', name, json, path)
    case 'Boolean':
      if (typeof json === 'boolean') return json
      throw mismatch('a boolean', name, json, path)
    case 'ID':
      if (typeof json === 'string') return json
      if (typeof json === 'number' && Number.isInteger(json)) return String(json)
      if (isRawNumber(json) && /^-?[0-9]+$/.test(json.rawJSON)) return json.rawJSON
      throw mismatch('an ID', name, json, path)
    default:
      if (typeof json === 'string') return json
      throw mismatch('a string', name, json, path)
  }
}

const notFound = (key: string, type: string, path: Path) => invalid(path, `field '${key}' not found in type: '${type}'`)

const mismatch = (expected: string, type: string, json: unknown, path: Path) =>
  invalid(path, `expected ${expected} for type '${type}', but found ${shown(json)}`)

function shown(json: unknown): string {
  if (json === null) return 'null'
  if (Array.isArray(json)) return 'a list'
  if (typeof json === 'number' || isRawNumber(json)) return 'a number'
  if (typeof json === 'boolean') return 'a boolean'
  return typeof json === 'string' ? 'a string' : 'an object'
}
