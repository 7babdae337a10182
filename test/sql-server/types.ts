/** The types of T-SQL, and what the test double holds for a value of each. */
import { ServerError } from './server-error.ts'

type TypeName =
  | 'tinyint'
  | 'smallint'
  | 'int'
  | 'bigint'
  | 'bit'
  | 'decimal'
  | 'numeric'
  | 'money'
  | 'smallmoney'
  | 'float'
  | 'real'
  | 'char'
  | 'varchar'
  | 'text'
  | 'nchar'
  | 'nvarchar'
  | 'ntext'
  | 'xml'
  | 'binary'
  | 'varbinary'
  | 'image'
  | 'timestamp'
  | 'uniqueidentifier'
  | 'date'
  | 'time'
  | 'smalldatetime'
  | 'datetime'
  | 'datetime2'
  | 'datetimeoffset'
  | 'hierarchyid'
  | 'geometry'
  | 'geography'
  | 'sql_variant'
  | 'sysname'

export type SqlType = {
  readonly name: TypeName
  /** Characters or bytes; Infinity for (max). */
  readonly length?: number
  readonly precision?: number
  readonly scale?: number
  /** Of a text; absent: the database's. */
  readonly collation?: string
}

export const DATABASE_COLLATION = 'SQL_Latin1_General_CP1_CI_AS'

export const withCollation = ({ collation: _, ...type }: SqlType, name: string): SqlType =>
  /^database_default$/i.test(name) || name === DATABASE_COLLATION ? type : { ...type, collation: name }

export const isExactCase = ({ collation }: SqlType): boolean => /_(CS|BIN2?)(_|$)/i.test(collation ?? '')

/** datetimeoffset: ticks of UTC, and minutes to add for the local time. */
export type Moment = { readonly ticks: bigint; readonly offset: number }

/**
 * int family and bit: bigint; decimal, money: the digits as bigint, the type has the scale; float: number; texts, xml,
 * hierarchyid, spatial (WKT), uniqueidentifier (upper case): string; date, time, datetime: bigint of 100 ns since 0001 or
 * midnight; datetimeoffset: Moment.
 */
export type Scalar = bigint | number | string | Buffer | Moment
export type Cell = Scalar | null

export type TypeFamily =
  | 'integer'
  | 'bit'
  | 'exact'
  | 'approximate'
  | 'text'
  | 'binary'
  | 'guid'
  | 'temporal'
  | 'opaque'

export const int: SqlType = { name: 'int' }
export const bigint: SqlType = { name: 'bigint' }
export const bit: SqlType = { name: 'bit' }
export const float: SqlType = { name: 'float' }
export const nvarchar = (length: number): SqlType => ({ name: 'nvarchar', length })
export const varchar = (length: number): SqlType => ({ name: 'varchar', length })
export const text = nvarchar(Infinity)

export function familyOf({ name }: SqlType): TypeFamily {
  switch (name) {
    case 'tinyint':
    case 'smallint':
    case 'int':
    case 'bigint':
      return 'integer'
    case 'bit':
      return 'bit'
    case 'decimal':
    case 'numeric':
    case 'money':
    case 'smallmoney':
      return 'exact'
    case 'float':
    case 'real':
      return 'approximate'
    case 'char':
    case 'varchar':
    case 'text':
    case 'nchar':
    case 'nvarchar':
    case 'ntext':
    case 'sysname':
      return 'text'
    case 'binary':
    case 'varbinary':
    case 'image':
    case 'timestamp':
      return 'binary'
    case 'uniqueidentifier':
      return 'guid'
    case 'date':
    case 'time':
    case 'smalldatetime':
    case 'datetime':
    case 'datetime2':
    case 'datetimeoffset':
      return 'temporal'
    case 'xml':
    case 'hierarchyid':
    case 'geometry':
    case 'geography':
    case 'sql_variant':
      return 'opaque'
  }
}

/** Lowest precedence first: of two types the one that stands further down wins. */
const PRECEDENCE: readonly TypeName[] = [
  'binary',
  'varbinary',
  'char',
  'varchar',
  'nchar',
  'nvarchar',
  'sysname',
  'uniqueidentifier',
  'timestamp',
  'image',
  'text',
  'ntext',
  'bit',
  'tinyint',
  'smallint',
  'int',
  'bigint',
  'smallmoney',
  'money',
  'numeric',
  'decimal',
  'real',
  'float',
  'time',
  'date',
  'smalldatetime',
  'datetime',
  'datetime2',
  'datetimeoffset',
  'xml',
  'hierarchyid',
  'geometry',
  'geography',
  'sql_variant',
]

/** The type of a value that may come from either: CASE, UNION, comparisons. */
export function commonType(one: SqlType, other: SqlType): SqlType {
  const [low, high] = PRECEDENCE.indexOf(one.name) <= PRECEDENCE.indexOf(other.name) ? [one, other] : [other, one]
  if (familyOf(high) === 'text' || familyOf(high) === 'binary') {
    const length = Math.max(low.length ?? 0, high.length ?? 0)
    return familyOf(low) === familyOf(high) ? { ...high, length } : high
  }
  if (familyOf(high) === 'exact' && !high.name.includes('money')) {
    const lowDigits = digitsOf(low)
    const highDigits = digitsOf(high)
    const scale = Math.max(lowDigits.scale, highDigits.scale)
    const whole = Math.max(lowDigits.precision - lowDigits.scale, highDigits.precision - highDigits.scale)
    return { name: high.name, precision: Math.min(38, whole + scale), scale }
  }
  return high
}

/** Precision and scale of a number's type; of others those of an int. */
export function digitsOf({ name, precision = 18, scale = 0 }: SqlType): { precision: number; scale: number } {
  switch (name) {
    case 'decimal':
    case 'numeric':
      return { precision, scale }
    case 'money':
      return { precision: 19, scale: 4 }
    case 'smallmoney':
      return { precision: 10, scale: 4 }
    case 'bigint':
      return { precision: 19, scale: 0 }
    case 'smallint':
      return { precision: 5, scale: 0 }
    case 'tinyint':
      return { precision: 3, scale: 0 }
    case 'bit':
      return { precision: 1, scale: 0 }
    default:
      return { precision: 10, scale: 0 }
  }
}

export const scaleOf = (type: SqlType): number => digitsOf(type).scale

const ALIASES: Readonly<Record<string, TypeName>> = {
  integer: 'int',
  dec: 'decimal',
  'double precision': 'float',
  rowversion: 'timestamp',
  character: 'char',
  'character varying': 'varchar',
  'char varying': 'varchar',
  'national character varying': 'nvarchar',
}

/** A type by the name and the arguments that a statement has for it; `isCast`: the length defaults to 30. */
export function typeOf(written: string, args: readonly number[], isCast = false): SqlType {
  const lower = written.toLowerCase()
  const name = ALIASES[lower] ?? PRECEDENCE.find((known) => known === lower)
  const [first, second] = args
  if (!name) throw new ServerError(2715, `Column, parameter, or variable #1: Cannot find data type ${written}.`, 16, 6)
  switch (name) {
    case 'decimal':
    case 'numeric':
      return { name, precision: first ?? 18, scale: second ?? 0 }
    case 'float':
      return first !== undefined && first <= 24 ? { name: 'real' } : { name }
    case 'sysname':
      return { name: 'nvarchar', length: 128 }
    case 'timestamp':
      return { name, length: 8 }
    case 'text':
    case 'ntext':
    case 'image':
    case 'xml':
      return { name, length: Infinity }
    default:
      if (familyOf({ name }) === 'text' || familyOf({ name }) === 'binary')
        return { name, length: first ?? (isCast ? 30 : 1) }
      if (name === 'time' || name === 'datetime2' || name === 'datetimeoffset') return { name, scale: first ?? 7 }
      if (name === 'datetime') return { name, scale: 3 }
      return { name }
  }
}

export const isLob = ({ name }: SqlType): boolean => ['text', 'ntext', 'image'].includes(name)
