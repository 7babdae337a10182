import { type CustomTypes, type GraphqlType, namedTypeOf } from '@svc/schema'
import type { TypeSystem } from '../../../backends/index.ts'
import { type ActionBase, type BuiltInScalar, builtInScalars } from './resolved-action.ts'

/**
 * Where a type stands: which kinds may stand there, and which of two with one name is meant
 * (reference/actions#custom-types).
 */
export type TypePlace = 'input-field' | 'object-field' | 'argument' | 'output'

/** The types of each source's database, in the order in which they are searched. */
export type SourceTypes = readonly { readonly source: string; readonly types: TypeSystem }[]

type Finder = (name: string) => ActionBase | null

/** Finds what names mean. `input` and `object` types may be recursive, so they are found by name only. */
export function baseFinder(
  types: CustomTypes,
  sources: SourceTypes,
): (type: GraphqlType, place: TypePlace) => ActionBase | null {
  const named = (
    list: readonly { readonly name: string }[] | undefined,
    kind: 'scalar' | 'enum' | 'object' | 'input',
  ): Finder => {
    const names = new Set((list ?? []).map(({ name }) => name))
    return (name) => (names.has(name) ? { kind, name } : null)
  }
  const custom = named(types.scalars, 'scalar')
  const scalar: Finder = (name) => custom(name) ?? builtIn(name)
  const enums = named(types.enums, 'enum')
  const input = named(types.input_objects, 'input')
  const object = named(types.objects, 'object')
  const ofSource: Finder = (name) => sourceScalar(name, sources)
  const orders: Readonly<Record<TypePlace, readonly Finder[]>> = {
    'input-field': [scalar, enums, input, ofSource],
    'object-field': [scalar, enums, object, ofSource],
    argument: [scalar, enums, input, ofSource],
    output: [object, scalar, enums, ofSource],
  }
  return (type, place) => {
    const name = namedTypeOf(type)
    for (const find of orders[place]) {
      const base = find(name)
      if (base) return base
    }
    return null
  }
}

const builtIn: Finder = (name) => (isBuiltIn(name) ? { kind: 'built-in', name } : null)

const isBuiltIn = (name: string): name is BuiltInScalar => (builtInScalars as readonly string[]).includes(name)

/** Any base type of a source's database is a scalar. */
function sourceScalar(name: string, sources: SourceTypes): ActionBase | null {
  for (const { source, types } of sources) {
    const type = types.typeOfScalar(name) ?? types.baseType(name)
    if (type) return { kind: 'source-scalar', name, source, type }
  }
  return null
}
