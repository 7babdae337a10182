import { Kind } from 'graphql'
import { invalid, type Path } from '../../errors.ts'
import type { Value, ValueType } from '../../ir/index.ts'
import { askInput } from '../selection/ask-input.ts'
import { type Context, countLiterals } from '../selection/context.ts'
import {
  expect,
  type Input,
  isNull,
  listEntries,
  mismatch,
  noValueOf,
  open,
  type RawInput,
  unexpectedNull,
} from '../selection/input.ts'
import type { Template } from '../selection/template.ts'
import { type EnumType, listOf, nonNull, refTo, valuesOf } from '../types/type.ts'

/**
 * Plans a value of an enum table's type for the database (reference/database-objects#enum-tables,
 * reference/queries#variables): a literal becomes a constant now; what stands in variables is a slot, checked with
 * every request. Null: null. Throws validation-failed.
 */
export function enumOperand(
  context: Context,
  raw: RawInput,
  of: EnumType,
  type: ValueType,
  path: Path,
  required = false,
): Value | null {
  const ref = type.list ? listOf(nonNull(refTo(of))) : refTo(of)
  const input = open(context, raw, required ? nonNull(ref) : ref, false, path)
  if (isNull(input)) return null
  askInput(context, ref, raw)
  if (of.values.some(({ stored }) => stored !== undefined)) return storedOperand(context, input, of, type, path)
  if (input.kind === 'json') {
    const { variable, keys, value } = input
    checkEnumJson(of, type.list, value, variable, keys, path)
    context.checks.push({ kind: 'enum', of, list: type.list, variable, keys, path: path.keys })
    return { kind: 'variable', variable, keys, type, path: path.keys }
  }
  if (!type.list) return { kind: 'constant', text: checkedEnum(input, of, path), type, literal: true }
  return literalList(context, input, of, type, path)
}

/**
 * Checks JSON of a variable where one value, or a list of them, is wanted. Throws validation-failed at the wrong value.
 */
export function checkEnumJson(
  of: EnumType,
  list: boolean,
  value: unknown,
  variable: string,
  keys: readonly (string | number)[],
  path: Path,
): void {
  const names = valuesOf(of)
  const one = (entry: unknown, at: Path) => {
    if (entry === null || entry === undefined) throw unexpectedNull(refTo(of), at)
    checkedEnum({ kind: 'json', value: entry, variable, keys }, of, at)
  }
  if (list && Array.isArray(value)) {
    // places are made for errors only: of two million values they took 3 s
    const wrong = value.findIndex((entry) => !names.has(entry))
    if (wrong >= 0) one(value[wrong], path.at(wrong))
  } else one(value, path)
}

/**
 * A single value stands for a list of one. Variables inside become a template, since all other values are known
 * already.
 */
function literalList(
  context: Context,
  input: Extract<Input, { kind: 'literal' }>,
  of: EnumType,
  type: ValueType,
  path: Path,
): Value {
  const nodes = input.node.kind === Kind.LIST ? input.node.values : [input.node]
  const parts = nodes.map((node, i): Template => {
    const at = input.node.kind === Kind.LIST ? path.at(i) : path
    countLiterals(context, 1, at)
    const entry = open(context, { kind: 'node', node }, nonNull(refTo(of)), false, at)
    if (isNull(entry)) throw unexpectedNull(refTo(of), at)
    const text = checkedEnum(entry, of, at)
    if (entry.kind === 'literal') return { kind: 'json', json: text }
    const { variable, keys } = entry
    context.checks.push({ kind: 'enum', of, list: false, variable, keys, path: at.keys })
    return { kind: 'variable', variable, keys }
  })
  return listTemplate(context, parts, type, path)
}

/** Where the database holds other texts than GraphQL shows, values shape the plan: there are few of them. */
function storedOperand(context: Context, input: Input, of: EnumType, type: ValueType, path: Path): Value {
  const stored = (one: Input, at: Path): string => {
    const name = enumValue(context, one, of, at)
    return valuesOf(of).get(name) ?? name
  }
  if (!type.list) return { kind: 'constant', text: stored(input, path), type, literal: true }
  const element = nonNull(refTo(of))
  const parts = listEntries(context, input, path).map(({ raw, path: at }): Template => {
    const entry = open(context, raw, element, false, at)
    if (isNull(entry)) throw unexpectedNull(refTo(of), at)
    return { kind: 'json', json: stored(entry, at) }
  })
  return listTemplate(context, parts, type, path)
}

function listTemplate(context: Context, of: readonly Template[], type: ValueType, path: Path): Value {
  // no GraphQL name starts like this
  const variable = `:${context.templates.size}`
  context.templates.set(variable, { kind: 'list', of })
  return { kind: 'variable', variable, keys: [], type, path: path.keys }
}

/** Reads an enum value that shapes the plan: order_by, columns. Throws validation-failed. */
export function enumValue(context: Context, input: Input, type: EnumType, path: Path): string {
  const value = checkedEnum(input, type, path)
  context.asked?.member(type.name, value)
  if (type.permission) context.asked?.permission(type.permission)
  if (input.kind === 'json') expect(context, input.variable, input.keys, { kind: 'equal', to: value })
  return value
}

/**
 * An enum value: a name in the document, a string in a variable (reference/queries#variables). Throws
 * validation-failed.
 */
function checkedEnum(input: Input, type: EnumType, path: Path): string {
  const value = enumText(input)
  if (value === null) throw mismatch('an enum value', type.name, input, path)
  if (valuesOf(type).has(value)) return value
  throw invalid(path, noValueOf(type, value))
}

function enumText(input: Input): string | null {
  if (input.kind === 'json') return typeof input.value === 'string' ? input.value : null
  return input.node.kind === Kind.ENUM ? input.node.value : null
}
