import { isDeepStrictEqual } from 'node:util'
import { type Attributes, type AttributeType, innermost } from '../../resources/index.ts'
import type { EnumSpec, ObjectSpec } from './package-spec.ts'
import { objectSpec, typeToken } from './property-spec.ts'
import { pascalCase, typeName } from './type-name.ts'

type NamedSpec = readonly [token: string, spec: ObjectSpec | EnumSpec]

/** The objects and choices in attributes of `owner`, which a schema lists in addition to what has them. */
export const typesIn = (attributes: Attributes, owner: string): readonly NamedSpec[] =>
  Object.entries(attributes).flatMap(([name, { type }]) => typesBelow(type, owner + pascalCase(name)))

function typesBelow(type: AttributeType, path: string): readonly NamedSpec[] {
  const inner = innermost(type)
  if (inner.kind === 'string') return inner.choices ? [[typeToken(typeName(inner, path)), enumSpec(inner.choices)]] : []
  if (inner.kind !== 'object') return []
  const name = typeName(inner, path)
  return [[typeToken(name), objectSpec(inner.attributes, name)], ...typesIn(inner.attributes, name)]
}

const enumSpec = (choices: readonly string[]): EnumSpec => ({
  type: 'string',
  enum: choices.map((value) => ({ name: pascalCase(value), value })),
})

/** By name. Throws Error where two that differ have the same one. */
export function typeTable(named: readonly NamedSpec[]): Readonly<Record<string, ObjectSpec | EnumSpec>> {
  const table = new Map<string, ObjectSpec | EnumSpec>()
  for (const [token, spec] of named.toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    if (!isDeepStrictEqual(table.get(token) ?? spec, spec)) throw new Error(`two types are called ${token}`)
    table.set(token, spec)
  }
  return Object.fromEntries(table)
}
