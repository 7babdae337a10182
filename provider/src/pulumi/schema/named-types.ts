import { isDeepStrictEqual } from 'node:util'
import type { Attributes, AttributeType } from '../../resources/index.ts'
import type { EnumSpec, ObjectSpec } from './package-spec.ts'
import { objectSpec, typeToken } from './property-spec.ts'
import { pascalCase, typeName } from './type-name.ts'

type NamedSpec = readonly [token: string, spec: ObjectSpec | EnumSpec]

/** The objects and choices in attributes of `owner`, which a schema lists in addition to what has them. */
export const typesIn = (attributes: Attributes, owner: string): readonly NamedSpec[] =>
  Object.entries(attributes).flatMap(([name, { type }]) => typesBelow(type, owner + pascalCase(name)))

function typesBelow(type: AttributeType, path: string): readonly NamedSpec[] {
  switch (type.kind) {
    case 'string':
      return type.choices ? [[typeToken(typeName(type, path)), enumSpec(type.choices)]] : []
    case 'boolean':
    case 'integer':
    case 'number':
    case 'json':
      return []
    case 'list':
    case 'set':
    case 'map':
      return typesBelow(type.of, path)
    case 'object': {
      const name = typeName(type, path)
      return [[typeToken(name), objectSpec(type.attributes, name)], ...typesIn(type.attributes, name)]
    }
  }
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
