import type { DatabaseType } from '../../../ir/index.ts'
import { keptFor } from '../../../kept-for.ts'
import type { OperatorArgument, OperatorDeclaration } from '../../backend.ts'
import { builtIn, familyOf, isType } from './known-types.ts'

type Argument = OperatorDeclaration['argument']

/** Returns the operators of a column of this type, sorted by name as in introspection (reference/filters#operators). */
export const operators = keptFor((type: DatabaseType): readonly OperatorDeclaration[] => {
  const declared = { ...generic, ...(hasOrder(type) && ordered), ...specific(type) }
  return Object.entries(declared)
    .map(([name, argument]) => ({ name, argument }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
})

/** Returns the operators of a column that refers to an enum table: those of every type (reference/filters#operators). */
export const enumOperators = (type: DatabaseType): readonly OperatorDeclaration[] =>
  operators(type).filter(({ name }) => Object.hasOwn(generic, name))

/** Returns the types that `_cast` offers: each field is named after its type's scalar. */
export function casts(type: DatabaseType): readonly DatabaseType[] {
  if (isType(type, 'jsonb')) return [builtIn('text')]
  if (isType(type, 'geometry')) return [sibling(type, 'geography')]
  if (isType(type, 'geography')) return [sibling(type, 'geometry')]
  return []
}

const self: Argument = { kind: 'self' }

const generic: Readonly<Record<string, Argument>> = {
  _eq: self,
  _neq: self,
  _in: { kind: 'list' },
  _nin: { kind: 'list' },
  _is_null: { kind: 'boolean' },
}

const ordered = all(['_gt', '_lt', '_gte', '_lte'], self)

const hasOrder = (type: DatabaseType) => type.array || familyOf(type) !== 'raster'

function specific(type: DatabaseType): Readonly<Record<string, Argument>> {
  if (type.array) return containment
  if (familyOf(type) === 'text') return pattern
  if (isType(type, 'jsonb')) return jsonb
  if (isType(type, 'geometry')) return geometry(type)
  if (isType(type, 'geography')) return geography(type)
  if (isType(type, 'raster')) return raster(type)
  if (isType(type, 'ltree')) return ltree(type)
  return {}
}

const containment = all(['_contains', '_contained_in'], self)

const pattern = all(
  ['_like', '_nlike', '_ilike', '_nilike', '_similar', '_nsimilar', '_regex', '_iregex', '_nregex', '_niregex'],
  self,
)

const text = builtIn('text')
const jsonb: Readonly<Record<string, Argument>> = {
  ...containment,
  _has_key: one(text),
  _has_keys_any: many(text),
  _has_keys_all: many(text),
}

const distance: OperatorArgument = { name: 'distance', type: builtIn('float8'), required: true }

function geometry(type: DatabaseType): Readonly<Record<string, Argument>> {
  const within: Argument = {
    kind: 'object',
    name: 'st_d_within_input',
    fields: [distance, { name: 'from', type, required: true }],
  }
  return {
    ...all(
      [
        '_st_contains',
        '_st_crosses',
        '_st_equals',
        '_st_overlaps',
        '_st_touches',
        '_st_within',
        '_st_intersects',
        '_st_3d_intersects',
      ],
      self,
    ),
    _st_d_within: within,
    _st_3d_d_within: within,
  }
}

function geography(type: DatabaseType): Readonly<Record<string, Argument>> {
  return {
    _st_intersects: self,
    _st_d_within: {
      kind: 'object',
      name: 'st_d_within_geography_input',
      fields: [
        distance,
        { name: 'from', type, required: true },
        { name: 'use_spheroid', type: builtIn('bool'), required: false, default: true },
      ],
    },
  }
}

function raster(type: DatabaseType): Readonly<Record<string, Argument>> {
  const geommin = { name: 'geommin', type: sibling(type, 'geometry'), required: true }
  const nband = { name: 'nband', type: builtIn('int4') }
  return {
    _st_intersects_rast: self,
    _st_intersects_nband_geom: {
      kind: 'object',
      name: 'st_intersects_nband_geom_input',
      fields: [{ ...nband, required: true }, geommin],
    },
    _st_intersects_geom_nband: {
      kind: 'object',
      name: 'st_intersects_geom_nband_input',
      fields: [geommin, { ...nband, required: false }],
    },
  }
}

function ltree(type: DatabaseType): Readonly<Record<string, Argument>> {
  return {
    ...all(['_ancestor', '_descendant'], self),
    _ancestor_any: many(type),
    _descendant_any: many(type),
    _matches: one(sibling(type, 'lquery')),
    _matches_any: many(text),
    _matches_fulltext: one(sibling(type, 'ltxtquery')),
  }
}

/** Returns another type of the same extension. */
const sibling = (type: DatabaseType, name: string): DatabaseType => ({ ...type, name, array: false })

function one(type: DatabaseType): Argument {
  return { kind: 'type', type, list: false }
}

function many(type: DatabaseType): Argument {
  return { kind: 'type', type, list: true }
}

function all(names: readonly string[], argument: Argument): Readonly<Record<string, Argument>> {
  return Object.fromEntries(names.map((name) => [name, argument]))
}
