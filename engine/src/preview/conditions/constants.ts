import type { DatabaseType } from '../../ir/index.ts'

/** How two constants of a type stand to each other; `distinct`: which of them is greater is not known. */
export type Order = 'same' | 'less' | 'greater' | 'distinct' | 'unknown'

/**
 * Compares two constants of a type by their text. `unknown` wherever the database might see it otherwise: texts order by
 * collations, which may also ignore case, accents and punctuation.
 */
export function compareConstants({ schema, name, kind, array }: DatabaseType, a: string, b: string): Order {
  if (a === b) return 'same'
  if (array) return 'unknown'
  if (kind === 'enum') return 'distinct'
  // constants of SQL Server's numeric (schema sys) are rounded to the digits of the column
  if (integers.has(name) || (name === 'numeric' && schema !== 'sys')) return decimals(a, b)
  if (name === 'float8') return numbers(Number(a), Number(b))
  if (name === 'float4') return numbers(Math.fround(Number(a)), Math.fround(Number(b)))
  if (name === 'bool') return booleans(a, b)
  if (name === 'date') return day.test(a) && day.test(b) ? texts(a, b) : 'unknown'
  if (name === 'timestamp') return moments(a, b, '')
  if (name === 'timestamptz') return moments(a, b, '(Z|[+-]\\d\\d:\\d\\d)')
  if (name === 'uuid') return uuid.test(a) && uuid.test(b) ? texts(a.toLowerCase(), b.toLowerCase()) : 'unknown'
  return textual.has(name) && plainly(a) !== '' && plainly(b) !== '' && plainly(a) !== plainly(b)
    ? 'distinct'
    : 'unknown'
}

const integers = new Set(['int2', 'int4', 'int8', 'smallint', 'int', 'bigint', 'INT64'])
const textual = new Set(['text', 'varchar', 'bpchar', 'char', 'nvarchar', 'nchar', 'citext', 'STRING'])
const day = /^\d{4}-\d\d-\d\d$/
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const decimal = /^(-?)0*(\d+)(?:\.(\d*))?$/

const texts = (a: string, b: string): Order => (a === b ? 'same' : a < b ? 'less' : 'greater')

const numbers = (a: number, b: number): Order =>
  Number.isNaN(a) || Number.isNaN(b) ? 'unknown' : a === b ? 'same' : a < b ? 'less' : 'greater'

/** All digits count: a number of JavaScript has 15 of them. */
function decimals(a: string, b: string): Order {
  const [one, other] = [decimal.exec(a), decimal.exec(b)]
  if (!one || !other) return 'unknown'
  const places = Math.max((one[3] ?? '').length, (other[3] ?? '').length)
  const scaled = ([, sign = '', whole = '', fraction = '']: RegExpExecArray) =>
    BigInt(`${sign}${whole}${fraction.padEnd(places, '0')}`)
  const [left, right] = [scaled(one), scaled(other)]
  return left === right ? 'same' : left < right ? 'less' : 'greater'
}

function booleans(a: string, b: string): Order {
  const [one, other] = [a, b].map((text) => (/^t(rue)?$/i.test(text) ? 't' : /^f(alse)?$/i.test(text) ? 'f' : null))
  return one && other ? texts(one, other) : 'unknown'
}

/** In one spelling and with one offset, the text's order is that of time. */
function moments(a: string, b: string, offset: string): Order {
  const form = new RegExp(`^\\d{4}-\\d\\d-\\d\\d[T ]\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?${offset}$`)
  const isAlike = a.length === b.length && a[10] === b[10] && offsetOf(a) === offsetOf(b)
  return isAlike && form.test(a) && form.test(b) ? texts(a, b) : 'unknown'
}

const offsetOf = (text: string): string => /(Z|[+-]\d\d:\d\d)$/.exec(text.slice(19))?.[0] ?? ''

/** What every collation distinguishes: ASCII letters and digits, numbers without leading zeros. */
function plainly(text: string): string {
  const folded = text.normalize('NFKD').toLowerCase()
  return /^[\x20-\x7e]*$/.test(folded) ? folded.replace(/[^a-z0-9]/g, '').replace(/0+(?=\d)/g, '') : ''
}

/** The members of a list's text form, PostgreSQL's or JSON; null where one is null or it has another form. */
export function listMembers(text: string): readonly string[] | null {
  return text.startsWith('[') ? jsonMembers(text) : arrayMembers(text)
}

function jsonMembers(text: string): readonly string[] | null {
  const list: unknown = JSON.parse(text)
  if (!Array.isArray(list)) return null
  const members = list.map((one: unknown) =>
    typeof one === 'string' ? one : typeof one === 'number' || typeof one === 'boolean' ? String(one) : null,
  )
  return members.every((one) => one !== null) ? members : null
}

function arrayMembers(text: string): readonly string[] | null {
  if (text === '{}') return []
  const member = /\s*(?:"((?:[^"\\]|\\.)*)"|([^",{}\\]+))\s*(,|\}$)/y
  const members: string[] = []
  member.lastIndex = text.startsWith('{') ? 1 : text.length
  for (let found = member.exec(text); found; found = member.exec(text)) {
    const [, quoted, plain = '', end] = found
    if (quoted === undefined && /^null$/i.test(plain.trim())) return null
    members.push(quoted === undefined ? plain.trim() : quoted.replace(/\\(.)/g, '$1'))
    if (end === '}') return members
  }
  return null
}
