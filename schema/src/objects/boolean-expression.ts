import { z } from 'zod'
import { type NameStyle, perStyle } from '../backend-kind.ts'
import { sortKeys } from '../check-depth.ts'
import { withInputForm } from '../input-forms.ts'
import type { Json, JsonObject } from '../json.ts'
import { isRecord, type Schema } from '../shape.ts'
import { qualifiedName } from './qualified-name.ts'

/** A row condition as users write it: columns, relationships and `_and _or _not _exists`. */
export type BooleanExpression = JsonObject

/**
 * Canonical row condition (reference/metadata-document#both-spellings): the connectives `$and $or $not $exists` become
 * `_…`, operators of columns are unchanged, keys are sorted.
 */
export const booleanExpression = perStyle(
  (style): Schema<BooleanExpression> =>
    withInputForm(
      z.unknown().transform((value, context): BooleanExpression => {
        try {
          return expression(value, style, [])
        } catch (error) {
          if (!(error instanceof Malformed)) throw error
          context.issues.push({ code: 'custom', message: error.message, input: value, path: [...error.path] })
          return z.NEVER
        }
      }),
      { schema: { type: 'object' } },
    ),
)

class Malformed extends Error {
  readonly path: readonly (string | number)[]
  constructor(message: string, path: readonly (string | number)[]) {
    super(message)
    this.path = path
  }
}

type Path = readonly (string | number)[]

const connectives: Readonly<Record<string, '_and' | '_or' | '_not' | '_exists'>> = {
  $and: '_and',
  $or: '_or',
  $not: '_not',
  $exists: '_exists',
  _and: '_and',
  _or: '_or',
  _not: '_not',
  _exists: '_exists',
}

const connectiveOf = (key: string) => (Object.hasOwn(connectives, key) ? connectives[key] : undefined)

function expression(value: unknown, style: NameStyle, path: Path): BooleanExpression {
  if (!isRecord(value)) throw new Malformed('expected object', path)
  return sorted(
    value,
    (key, part, at) => {
      const connective = connectiveOf(key)
      return connective ? [connective, connect(connective, part, style, at)] : [key, field(part, style, at)]
    },
    path,
  )
}

/**
 * The value under a field: operators if it is a column, a further expression if it is a relationship. Both are written
 * alike, but no operator is named like a connective and an operator's value must not be touched.
 */
function field(value: Json, style: NameStyle, path: Path): Json {
  if (!isRecord(value)) return sortKeys(value)
  return sorted(
    value,
    (key, part, at) => {
      const connective = connectiveOf(key)
      if (connective) return [connective, connect(connective, part, style, at)]
      return /^[_$]/.test(key) ? [key, sortKeys(part)] : [key, field(part, style, at)]
    },
    path,
  )
}

function connect(connective: '_and' | '_or' | '_not' | '_exists', value: Json, style: NameStyle, path: Path): Json {
  switch (connective) {
    case '_and':
    case '_or':
      if (!Array.isArray(value)) throw new Malformed('expected list', path)
      return value.map((part, i) => expression(part, style, [...path, i]))
    case '_not':
      return expression(value, style, path)
    case '_exists':
      return exists(value, style, path)
  }
}

function exists(value: Json, style: NameStyle, path: Path): Json {
  if (!isRecord(value)) throw new Malformed('expected object', path)
  const { _table, _where, $table, $where, ...others } = value
  const table = qualifiedName(style).safeParse(_table ?? $table)
  if (_table === undefined && $table === undefined) throw new Malformed('key "_table" not found', path)
  if (!table.success) throw new Malformed('expected a name or {schema, name}', [...path, '_table'])
  const where = _where === undefined || $where === undefined ? (_where ?? $where) : { _and: [_where, $where] }
  if (where === undefined) throw new Malformed('key "_where" not found', path)
  return { _table: table.data, _where: expression(where, style, [...path, '_where']), ...others }
}

function sorted(
  value: JsonObject,
  rewrite: (key: string, part: Json, path: Path) => readonly [string, Json],
  path: Path,
): JsonObject {
  const entries = Object.entries(value).map(([key, part]) => rewrite(key, part, [...path, key]))
  return Object.fromEntries(joined(entries).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

/**
 * One connective in both spellings, `_or` and `$or`, is two conditions that must both be true. One of them lost would
 * let a permission see more than it says.
 */
function joined(entries: readonly (readonly [string, Json])[]): readonly (readonly [string, Json])[] {
  const once = new Map(entries)
  if (once.size === entries.length) return entries
  const isTwice = (key: string) => entries.filter(([other]) => other === key).length > 1
  const conditions = entries.filter(([key]) => key === '_and' || isTwice(key))
  const together = conditions.flatMap(([key, part]) =>
    key === '_and' && Array.isArray(part) ? part : [{ [key]: part }],
  )
  return [...entries.filter((entry) => !conditions.includes(entry)), ['_and', together]]
}
