/** How text becomes a value of a type, and a value what JSON shows of it. */
import type { DatabaseType, Value, ValueType } from '../../../ir/index.ts'
import { bind, type Sql as Fragment, sql, verbatim } from '../../sql.ts'
import { isType, knownType } from '../types/known-types.ts'
import type { Sql } from './scope.ts'

/** Returns a value as a typed parameter; of a list, the query inside IN ( ). */
export function compileValue(value: Value): Sql {
  const { type } = value.type
  if (value.kind === 'constant' && value.text !== null && !value.type.list && isType(type, 'decimal', 'numeric'))
    return sql`CAST(${bind<Value>(value)} AS ${verbatim(exactDecimal(value.text))})`
  return castTo(bind(value), value.type)
}

/**
 * With every digit of a number that is known, and not many more: of two decimals with more than 38 digits together the server
 * rounds the fractions, also that of the column. Few sizes, so that few plans are cached.
 */
function exactDecimal(text: string): string {
  const [whole = '', fraction = ''] = text.replace(/^[+-]?0*/, '').split('.')
  const digits = whole.length + fraction.length
  const precision = SIZES.find((size) => size >= digits) ?? MOST_DIGITS
  return `decimal(${precision}, ${Math.min(fraction.length, precision - whole.length)})`
}

/** The digits that a decimal of the server holds in 5, 9 and 13 bytes. */
const SIZES = [9, 19, 28]
const MOST_DIGITS = 38

/** Returns a slot's text as a value. */
export function castTo<Slot>(text: Fragment<Slot>, { type, list }: ValueType): Fragment<Slot> {
  if (!list) return castOne(text, type)
  return sql`SELECT ${castOne<Slot>(sql`[v].[v]`, type)} FROM OPENJSON(${text}) WITH ([v] nvarchar(max) '$') AS [v]`
}

function castOne<Slot>(text: Fragment<Slot>, type: DatabaseType): Fragment<Slot> {
  if (type.wholeDigits !== undefined) return comparedDecimal(text, type.wholeDigits)
  const { family, cast } = knownType(type)
  // rows of OPENJSON have the database's collation, and two that differ are not compared (468)
  if (cast === undefined) return type.collation === undefined ? text : sql`${text} COLLATE ${verbatim(type.collation)}`
  if (family === 'binary') return sql`CONVERT(${verbatim(cast)}, ${text}, 1)`
  return sql`CAST(${text} AS ${verbatim(cast)})`
}

/**
 * What a decimal column with so many digits before the point is compared with, whose text is not known yet: with as many, and
 * all others behind it. What has more before the point becomes the greatest or least of these, so that it is on the right side
 * of whatever the column holds. Only comparisons have the type of a column.
 */
function comparedDecimal<Slot>(text: Fragment<Slot>, wholeDigits: number): Fragment<Slot> {
  const scale = MOST_DIGITS - wholeDigits
  if (scale === 0) return sql`CAST(${text} AS decimal(38, 0))`
  const most = verbatim(`${'9'.repeat(wholeDigits)}.${'9'.repeat(scale)}`)
  const whole = sql<Slot>`CAST(${text} AS decimal(38, 0))`
  return sql`ISNULL(TRY_CAST(${text} AS ${verbatim(`decimal(38, ${scale})`)}), CASE WHEN ${whole} > 0 THEN ${most} WHEN ${whole} < 0 THEN -${most} END)`
}

/** Returns what JSON shows of a value where that is not what FOR JSON makes of it. */
export function shown<Slot>(value: Fragment<Slot>, type: DatabaseType): Fragment<Slot> {
  if (isType(type, 'geography', 'geometry')) return sql`${value}.STAsText()`
  // no string, as it may be otherwise; a sum of smallmoney is money
  if (isType(type, 'money', 'smallmoney')) return sql`CAST(${value} AS decimal(19, 4))`
  if (isType(type, 'hierarchyid')) return sql`CAST(${value} AS nvarchar(4000))`
  if (isType(type, 'xml')) return sql`CAST(${value} AS nvarchar(max))`
  return value
}

/** Returns a value as it is compared, ordered and counted: these types have no operators of their own. */
export function comparable<Slot>(value: Fragment<Slot>, type: DatabaseType): Fragment<Slot> {
  if (isType(type, 'text', 'ntext', 'xml')) return sql`CAST(${value} AS nvarchar(max))`
  if (isType(type, 'geography', 'geometry')) return sql`${value}.STAsText()`
  return isType(type, 'image') ? sql`CAST(${value} AS varbinary(max))` : value
}
