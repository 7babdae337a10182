import type { DatabaseType } from '../../../ir/index.ts'
import type { ParameterType, ScalarShape } from '../statement-shape.ts'
import { baseType, databaseType, elementName, isRepeated } from './database-type.ts'

/** How values of a type are written in JSON, and checked. */
export type Family = 'integer' | 'float' | 'decimal' | 'boolean' | 'text' | 'geography' | 'json'

interface KnownType {
  readonly scalar: string
  /** Where numbers may be strings (experimental `bigquery_string_numeric_input`). */
  readonly stringScalar?: string
  readonly family: Family
  readonly parameter?: ParameterType
  readonly shape?: ScalarShape
}

const knownTypes: Readonly<Record<string, KnownType>> = {
  STRING: { scalar: 'String', family: 'text', parameter: 'STRING' },
  BYTES: { scalar: 'Bytes', family: 'text' },
  INT64: { scalar: 'Int', stringScalar: 'bigquery_int', family: 'integer', parameter: 'INT64' },
  FLOAT64: { scalar: 'Float', stringScalar: 'bigquery_float', family: 'float', parameter: 'FLOAT64' },
  NUMERIC: { scalar: 'decimal', stringScalar: 'bigquery_decimal', family: 'decimal' },
  BIGNUMERIC: { scalar: 'decimal', stringScalar: 'bigquery_bigdecimal', family: 'decimal' },
  BOOL: { scalar: 'Boolean', family: 'boolean', parameter: 'BOOL', shape: 'boolean' },
  DATE: { scalar: 'Date', family: 'text' },
  TIME: { scalar: 'Time', family: 'text' },
  DATETIME: { scalar: 'Datetime', family: 'text' },
  TIMESTAMP: { scalar: 'Timestamp', family: 'text', shape: 'timestamp' },
  GEOGRAPHY: { scalar: 'Geography', family: 'geography' },
  JSON: { scalar: 'json', family: 'json', shape: 'json' },
}

/** Stands for types that never occur, since introspection leaves out their columns. */
const unknown: KnownType = { scalar: 'String', family: 'text' }

const known = (type: DatabaseType): KnownType => knownTypes[elementName(type)] ?? unknown

export const familyOf = (type: DatabaseType): Family => known(type).family

/** Returns the GraphQL scalar of a type (reference/graphql-schema#bigquery). */
export const graphqlScalar = (type: DatabaseType): string => known(type).scalar

/** Returns the scalar where numbers may be strings. */
export const stringScalar = (type: DatabaseType): string => known(type).stringScalar ?? known(type).scalar

/** Returns the type that a parameter is declared with; null: it is a text, which the statement casts. */
export const parameterType = (type: DatabaseType): ParameterType | null => known(type).parameter ?? null

export const scalarShape = (type: DatabaseType): ScalarShape => known(type).shape ?? 'text'

export const isKnown = (type: DatabaseType): boolean => knownTypes[type.name] !== undefined

export const isNumeric = (type: DatabaseType): boolean =>
  !isRepeated(type) && ['integer', 'float', 'decimal'].includes(familyOf(type))

/** Whether values may appear in max and min, and are compared with `=`: those that the service orders. */
export const isComparable = (type: DatabaseType): boolean =>
  !isRepeated(type) && familyOf(type) !== 'geography' && familyOf(type) !== 'json'

export const isJson = (type: DatabaseType): boolean => type.name === 'JSON'

/** Names of GraphQL, in addition to those of the service itself. */
const scalarSpellings: Readonly<Record<string, string>> = {
  Int: 'INT64',
  Float: 'FLOAT64',
  Boolean: 'BOOL',
  String: 'STRING',
  ID: 'STRING',
  decimal: 'BIGNUMERIC',
  bigquery_int: 'INT64',
  bigquery_float: 'FLOAT64',
  bigquery_decimal: 'NUMERIC',
  bigquery_bigdecimal: 'BIGNUMERIC',
}

/** Returns the type of a name as a GraphQL variable or a native query has it. */
export function typeOfScalar(name: string): DatabaseType | null {
  const own = Object.hasOwn(scalarSpellings, name) ? scalarSpellings[name] : undefined
  return own === undefined ? databaseType(name) : baseType(own)
}
