/**
 * The types of SQL Server that the engine knows by name, and what each can do (docs/sql-server.md). All other types,
 * alias types among them, are text that only the database understands.
 */
import type { DatabaseType } from '../../../ir/index.ts'

/** The JSON form of a type's values, which decides how input is read. */
type Family = 'integer' | 'decimal' | 'float' | 'boolean' | 'text' | 'binary' | 'moment' | 'spatial' | 'opaque'

export interface KnownType {
  readonly family: Family
  /** The GraphQL scalar, where it has not the type's own name. */
  readonly scalar?: 'String' | 'Int' | 'Float' | 'Boolean'
  /** What the text of a value is cast to; absent: it is compared and stored as text. */
  readonly cast?: string
  /** Whether it may appear in max and min. */
  readonly comparable: boolean
  readonly bits?: number
}

const text = { family: 'text', scalar: 'String', comparable: true } as const
const integer = (bits: number, cast: string) =>
  ({ family: 'integer', scalar: 'Int', cast, bits, comparable: true }) as const
const number = (family: 'decimal' | 'float', cast: string) =>
  ({ family, scalar: 'Float', cast, comparable: true }) as const
const other = (family: Family, cast: string, comparable = true) => ({ family, cast, comparable }) as const
const opaque = { family: 'opaque', comparable: false } as const

/** A scale that holds most columns: what is compared keeps 20 digits before the point, and 18 behind it. */
const decimal = number('decimal', 'decimal(38, 18)')

const knownTypes: Readonly<Record<string, KnownType>> = {
  char: text,
  varchar: text,
  nchar: text,
  nvarchar: text,
  text,
  ntext: text,
  // a value beyond what the column can hold is compared, and refused by the database where it is stored
  tinyint: integer(31, 'int'),
  smallint: integer(31, 'int'),
  int: integer(31, 'int'),
  bigint: integer(63, 'bigint'),
  decimal,
  numeric: decimal,
  money: number('decimal', 'money'),
  smallmoney: number('decimal', 'money'),
  float: number('float', 'float'),
  real: number('float', 'real'),
  bit: { family: 'boolean', scalar: 'Boolean', cast: 'bit', comparable: false },
  date: other('moment', 'date'),
  time: other('moment', 'time'),
  timestamp: other('moment', 'datetime'),
  binary: other('binary', 'varbinary(max)', false),
  varbinary: other('binary', 'varbinary(max)', false),
  uniqueidentifier: other('opaque', 'uniqueidentifier', false),
  geography: other('spatial', 'geography', false),
  geometry: other('spatial', 'geometry', false),
  datetime: other('opaque', 'datetime'),
  datetime2: other('opaque', 'datetime2'),
  smalldatetime: other('opaque', 'smalldatetime'),
  datetimeoffset: other('opaque', 'datetimeoffset'),
  hierarchyid: other('opaque', 'hierarchyid'),
  sysname: { family: 'opaque', comparable: true },
  sql_variant: other('opaque', 'nvarchar(4000)'),
  xml: opaque,
  image: other('binary', 'varbinary(max)', false),
}

const unknown: KnownType = { family: 'opaque', comparable: true }

/** Returns a type of the database's own by its name in sys.types. */
export const systemType = (name: string): DatabaseType => ({ schema: 'sys', name, kind: 'base', array: false })

export function knownType({ schema, name }: DatabaseType): KnownType {
  const found = schema === 'sys' && Object.hasOwn(knownTypes, name) ? knownTypes[name] : undefined
  return found ?? unknown
}

export const isType = (type: DatabaseType, ...names: readonly string[]): boolean =>
  type.schema === 'sys' && names.includes(type.name)

export const graphqlScalar = (type: DatabaseType): string => knownType(type).scalar ?? type.name

export const isKnown = (type: DatabaseType): boolean => !type.array && knownType(type) !== unknown

const numeric: ReadonlySet<Family> = new Set(['integer', 'decimal', 'float'])
export const isNumeric = (type: DatabaseType): boolean => numeric.has(knownType(type).family)

export const isComparable = (type: DatabaseType): boolean => knownType(type).comparable

/** Whether `=` compares values of a type. */
export const hasEquality = (type: DatabaseType): boolean =>
  !isType(type, 'text', 'ntext', 'xml', 'image', 'geography', 'geometry')

/** GraphQL's own scalars, and second names. */
const spellings: Readonly<Record<string, string>> = {
  Int: 'int',
  Float: 'float',
  Boolean: 'bit',
  String: 'nvarchar',
  ID: 'nvarchar',
  rowversion: 'timestamp',
  integer: 'int',
  dec: 'decimal',
  'double precision': 'float',
  'character varying': 'varchar',
}

/** Returns the type of a name: `varchar(32)` and `VARCHAR` are varchar. Null for a name of no known type. */
export function typeOfName(name: string): DatabaseType | null {
  const [bare = ''] = name.trim().split('(', 1)
  const own = bare.trim().replace(/^\[(.*)\]$/, '$1')
  const spelled = Object.hasOwn(spellings, own) ? spellings[own] : spellings[own.toLowerCase()]
  const found = spelled ?? own.toLowerCase()
  return Object.hasOwn(knownTypes, found) ? systemType(found) : null
}
