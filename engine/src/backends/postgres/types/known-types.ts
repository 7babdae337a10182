/**
 * The types the engine knows by name, and what each can do (reference/graphql-schema#generated-types,
 * reference/graphql-schema#scalars). Other types are opaque text.
 */
import type { DatabaseType } from '../../../ir/index.ts'

/** The JSON form of a type's values, which decides how input is read. */
export type Family =
  | 'integer'
  | 'number'
  | 'boolean'
  | 'text'
  | 'json'
  | 'geometry'
  | 'raster'
  | 'ltree'
  /** Strings that only the database understands. */
  | 'opaque'

interface KnownType {
  readonly family: Family
  /** The GraphQL scalar, where it has not the type's own name. */
  readonly scalar?: string
  readonly comparable: boolean
  /** The type is an extension's, so that its schema is wherever the extension was created. */
  readonly extension?: true
}

const knownTypes: Readonly<Record<string, KnownType>> = {
  int2: { family: 'integer', scalar: 'smallint', comparable: true },
  int4: { family: 'integer', scalar: 'Int', comparable: true },
  int8: { family: 'integer', scalar: 'bigint', comparable: true },
  float4: { family: 'number', scalar: 'Float', comparable: true },
  float8: { family: 'number', comparable: true },
  numeric: { family: 'number', comparable: true },
  money: { family: 'number', comparable: true },
  bool: { family: 'boolean', scalar: 'Boolean', comparable: false },
  text: { family: 'text', scalar: 'String', comparable: true },
  varchar: { family: 'text', scalar: 'String', comparable: true },
  bpchar: { family: 'text', comparable: true },
  citext: { family: 'text', comparable: true, extension: true },
  uuid: { family: 'opaque', comparable: true },
  date: { family: 'opaque', comparable: true },
  timestamp: { family: 'opaque', comparable: true },
  timestamptz: { family: 'opaque', comparable: true },
  timetz: { family: 'opaque', comparable: true },
  json: { family: 'json', comparable: false },
  jsonb: { family: 'json', comparable: false },
  geometry: { family: 'geometry', comparable: false, extension: true },
  geography: { family: 'geometry', comparable: false, extension: true },
  raster: { family: 'raster', comparable: false, extension: true },
  ltree: { family: 'ltree', comparable: true, extension: true },
  lquery: { family: 'opaque', comparable: false, extension: true },
  ltxtquery: { family: 'opaque', comparable: false, extension: true },
}

const unknown: KnownType = { family: 'opaque', comparable: false }

/** Returns what is known of a type, or of the elements of an array. A user's own type by a known name is not known. */
function known(type: DatabaseType): KnownType {
  if (type.kind === 'enum') return { family: 'opaque', comparable: true }
  if (type.kind !== 'base') return unknown
  const found = Object.hasOwn(knownTypes, type.name) ? knownTypes[type.name] : undefined
  return found && (found.extension || type.schema === 'pg_catalog') ? found : unknown
}

/** Returns the JSON form of a type's values, or of an array's elements. */
export const familyOf = (type: DatabaseType): Family => known(type).family

/** Whether a type is one of these known types, and no array. */
export const isType = (type: DatabaseType, ...names: readonly string[]): boolean =>
  !type.array && names.includes(type.name) && known(type) !== unknown && type.kind === 'base'

/** Returns the GraphQL scalar of a type (reference/graphql-schema#scalars), without list or `!`. */
export function graphqlScalar(type: DatabaseType): string {
  return known(type).scalar ?? (type.kind === 'composite' ? `${type.name}_scalar` : type.name)
}

export const isKnown = (type: DatabaseType): boolean => !type.array && type.kind === 'base' && known(type) !== unknown

export const isNumeric = (type: DatabaseType): boolean =>
  isType(type, 'int2', 'int4', 'int8', 'float4', 'float8', 'numeric', 'money')

/** Whether a type may appear in max and min: known types that have an order, arrays and enums. */
export const isComparable = (type: DatabaseType): boolean => type.array || known(type).comparable

const withoutEquality: ReadonlySet<string> = new Set(['json', 'xml', 'point', 'polygon', 'jsonpath'])

/** Whether `=` compares values of a type. The equality of an array is that of its elements. */
export const hasEquality = (type: DatabaseType): boolean =>
  type.kind !== 'base' || type.schema !== 'pg_catalog' || !withoutEquality.has(type.name)

export const isJson = (type: DatabaseType): boolean => isType(type, 'json', 'jsonb')

export const builtIn = (name: string, array = false): DatabaseType => ({
  schema: 'pg_catalog',
  name,
  kind: 'base',
  array,
})

/** GraphQL's own scalars, and spellings that are no catalogue names. Float is read as float8: nothing is lost on the way. */
const scalarSpellings: Readonly<Record<string, string>> = {
  Int: 'int4',
  Float: 'float8',
  Boolean: 'bool',
  String: 'text',
  ID: 'text',
  smallint: 'int2',
  bigint: 'int8',
}

/** Built-in types that are known by name without a query to the database, in addition to the table above. */
const otherBuiltIns: ReadonlySet<string> = new Set(
  'time interval bytea inet cidr macaddr macaddr8 xml name oid bit varbit point line lseg box path polygon circle tsvector tsquery pg_lsn'.split(
    ' ',
  ),
)

/** Returns the type of a name as a GraphQL variable or a native query has it; null when only the database knows. */
export function typeOfScalar(name: string): DatabaseType | null {
  if (name.startsWith('_')) {
    const element = typeOfScalar(name.slice(1))
    return element && { ...element, array: true }
  }
  const own = Object.hasOwn(scalarSpellings, name) ? scalarSpellings[name] : undefined
  if (own !== undefined) return builtIn(own)
  const isKnown = Object.hasOwn(knownTypes, name) && knownTypes[name]?.extension === undefined
  return isKnown || otherBuiltIns.has(name) ? builtIn(name) : null
}
