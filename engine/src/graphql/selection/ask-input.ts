import { Kind, type ValueNode } from 'graphql'
import { type NamedRef, namedOf, type TypeRef, valuesOf } from '../types/type.ts'
import type { GivenArgument } from './arguments.ts'
import { type AskedParts, mostValues, type ValuesLeft } from './asked-parts.ts'
import type { Context } from './context.ts'
import { isObject, valueAt } from './guard.ts'
import type { RawInput } from './input.ts'

/** Remembers that a field is used, with its arguments. */
export function askFor(
  { asked }: Context,
  type: string,
  field: string,
  args: ReadonlyMap<string, GivenArgument>,
): void {
  if (!asked) return
  asked.member(type, field)
  for (const given of args.values()) asked.member(type, `${field}(${given.field.name})`)
}

/**
 * Remembers what of input types a value uses that the plan does not depend on: rows of an insert, arguments of other
 * servers. Variables are read with each request (`AskedParts.covers`).
 */
export function askInput(context: Context, ref: TypeRef, raw: RawInput): void {
  const { asked } = context
  const of = namedOf(ref)
  if (!asked || of.typeKind === 'SCALAR') return
  const walk = { context, asked }
  if (raw.kind === 'json') askVariable(walk, of, raw.variable, raw.keys)
  else askLiteral(walk, of, raw.node)
}

interface Walk {
  readonly context: Context
  readonly asked: AskedParts
}

/** Returns whether it is the first time that the variable is found in such a place. */
function askVariable(walk: Walk, of: NamedRef, variable: string, keys: readonly (string | number)[]): boolean {
  const { asked, context } = walk
  const isNew = asked.value(of.name, variable, keys)
  const left = { values: mostValues }
  askJson(walk, of, valueAt(context.variables.values, variable, keys), left)
  if (left.values < 0) asked.useAll(of.name)
  return isNew
}

function askLiteral(walk: Walk, of: NamedRef, node: ValueNode): void {
  switch (node.kind) {
    case Kind.VARIABLE: {
      const name = node.name.value
      // a list may have the same variable thousands of times
      const isNew = askVariable(walk, of, name, [])
      const initial = walk.context.variables.declared.get(name)?.defaultValue
      if (isNew && initial) askLiteral(walk, of, initial)
      return
    }
    case Kind.LIST:
      for (const entry of node.values) askLiteral(walk, of, entry)
      return
    case Kind.OBJECT: {
      const ask = asking(walk, of)
      for (const { name, value } of node.fields) {
        const inner = ask(name.value)
        if (inner) askLiteral(walk, inner, value)
      }
      return
    }
    case Kind.ENUM:
      asking(walk, of)(node.value)
  }
}

function askJson(walk: Walk, of: NamedRef, json: unknown, left: ValuesLeft): void {
  if (typeof json === 'string') asking(walk, of)(json)
  else if (Array.isArray(json))
    for (const entry of json) {
      if (--left.values < 0) return
      askJson(walk, of, entry, left)
    }
  else if (isObject(json)) {
    const ask = asking(walk, of)
    for (const [key, value] of Object.entries(json)) {
      if (--left.values < 0) return
      const inner = ask(key)
      if (inner) askJson(walk, inner, value, left)
    }
  }
}

/** Remembers members of a type, with the permission that it belongs to; the type of one where that has members too. */
function asking({ context, asked }: Walk, of: NamedRef): (name: string) => NamedRef | null {
  const type = of.find(context.schema)
  const members = asked.type(of.name)
  if (type.kind === 'ENUM')
    return (name) => {
      if (!valuesOf(type).has(name)) return null
      if (type.permission) asked.permission(type.permission)
      members.set(name, null)
      return null
    }
  if (type.kind !== 'INPUT_OBJECT') return () => null
  if (type.permission) asked.permission(type.permission)
  return (name) => {
    const field = type.fields.get(name)
    if (!field) return null
    const inner = namedOf(field.type)
    const isLeaf = inner.typeKind === 'SCALAR'
    members.set(name, isLeaf ? null : asked.type(inner.name))
    return isLeaf ? null : inner
  }
}
