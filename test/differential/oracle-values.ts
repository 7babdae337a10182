/** What values are to each other: equal, in order, alike, one inside the other; PostgreSQL's rules said by hand. */
import { opaque } from './random-values.ts'
import type { ColumnType, JsonMember, Operator, Value } from './world.ts'

/** True, false, or null for unknown. */
export type Truth = boolean | null

/** Thrown where the answer hangs on which of several equal rows the database takes: such a query shows nothing. */
export class Ambiguous extends Error {}

export type Present = Exclude<Value, null>

/** One text for equal values. */
export const canonical = (value: Value, type?: ColumnType): string => canonicalJson(normal(value, type))

const canonicalJson = (value: Value): string =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? JSON.stringify(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    : JSON.stringify(value)

/** What is compared: letters of citext by their lower case, values that are known by their text by their place. */
function normal(value: Value, type?: ColumnType): Value {
  if (typeof value !== 'string') return value
  if (type === 'citext') return value.toLowerCase()
  return (type && opaque[type])?.indexOf(value) ?? value
}

/** Numbers by size, texts of ASCII letters of one case, dates and uuids by their characters, false before true. */
export function order(a: Present, b: Present, type?: ColumnType): number {
  if (Array.isArray(a) && Array.isArray(b)) {
    for (const [i, one] of a.entries()) {
      const other = b[i]
      if (other === undefined) return 1
      // NULL comes behind all
      if (one !== other) return other === null || (one !== null && one < other) ? -1 : 1
    }
    return a.length - b.length
  }
  const [left, right] = [normal(a, type) ?? '', normal(b, type) ?? '']
  return left < right ? -1 : left > right ? 1 : 0
}

export const not = (truth: Truth): Truth => (truth === null ? null : !truth)

export const all = (truths: readonly Truth[]): Truth =>
  truths.includes(false) ? false : truths.includes(null) ? null : true

const any = (truths: readonly Truth[]): Truth => not(all(truths.map(not)))

/** Some operators say the opposite of others. */
const negations: Readonly<Partial<Record<Operator, Operator>>> = {
  neq: 'eq',
  nin: 'in',
  nlike: 'like',
  nilike: 'ilike',
  nsimilar: 'similar',
  nregex: 'regex',
  niregex: 'iregex',
}

export function compare(
  left: Value,
  operator: Operator,
  right: Value | readonly Value[],
  type: ColumnType = 'text',
): Truth {
  const opposite = negations[operator]
  if (opposite) return not(compare(left, opposite, right, type))
  const each = (right ?? []) as readonly Value[]
  // nothing is in an empty list, whatever it is
  if (operator === 'in') return any(each.map((one) => compare(left, 'eq', one, type)))
  if (operator === 'ancestor_any') return any(each.map((one) => compare(left, 'ancestor', one, type)))
  if (operator === 'descendant_any') return any(each.map((one) => compare(left, 'descendant', one, type)))
  if (left === null || right === null) return null
  const value = right as Present
  const like = (flags: string) => pattern(String(value), `${type === 'citext' ? 'i' : ''}${flags}`)
  const text = String(left)
  switch (operator) {
    case 'eq':
      return canonical(left, type) === canonical(value, type)
    case 'gt':
      return order(left, value, type) > 0
    case 'lt':
      return order(left, value, type) < 0
    case 'gte':
      return order(left, value, type) >= 0
    case 'lte':
      return order(left, value, type) <= 0
    case 'like':
    case 'similar':
      return like('').test(text)
    case 'ilike':
      return pattern(String(value), 'i').test(text)
    case 'regex':
      return new RegExp(String(value), type === 'citext' ? 'i' : '').test(text)
    case 'iregex':
      return new RegExp(String(value), 'i').test(text)
    case 'contains':
      return contains(left, value)
    case 'contained_in':
      return contains(value, left)
    case 'has_key':
      return hasKey(left, value)
    case 'has_keys_any':
      return each.some((key) => hasKey(left, key))
    case 'has_keys_all':
      return each.every((key) => hasKey(left, key))
    case 'ancestor':
      return isAncestor(text, String(value))
    case 'descendant':
      return isAncestor(String(value), text)
    case 'matches':
      return new RegExp(
        `^${String(value).replace(/^\*\.|\.\*$/g, (end) => (end === '.*' ? '(\\..*)?' : '(.*\\.)?'))}$`,
      ).test(text)
    default:
      throw new Error(`${operator} has an opposite`)
  }
}

/** `(a|b)%` of SIMILAR TO reads the same. */
const pattern = (like: string, flags: string): RegExp =>
  new RegExp(`^(?:${like.replaceAll('%', '.*').replaceAll('_', '.')})$`, `s${flags.slice(0, 1)}`)

const hasKey = (value: Value, key: Value): boolean =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, String(key))

function contains(outer: Value, inner: Value): boolean {
  if (Array.isArray(outer) && Array.isArray(inner)) return inner.every((one) => one !== null && outer.includes(one))
  return Object.entries(inner ?? {}).every(([key, member]) =>
    Object.entries(outer ?? {}).some(([k, m]) => k === key && containsMember(m, member)),
  )
}

const containsMember = (outer: JsonMember, inner: JsonMember): boolean =>
  isList(outer) && isList(inner) ? inner.every((one) => outer.includes(one)) : outer === inner

const isList = (member: JsonMember): member is readonly number[] => Array.isArray(member)

const isAncestor = (a: string, b: string): boolean => a === b || b.startsWith(`${a}.`)

/** A jsonb value as PostgreSQL writes it: shorter keys first. */
export const jsonbText = (value: Value): string | null =>
  value === null
    ? null
    : `{${Object.entries(value)
        .toSorted(([a], [b]) => a.length - b.length || (a < b ? -1 : 1))
        .map(([key, member]) => `"${key}": ${isList(member) ? `[${member.join(', ')}]` : JSON.stringify(member)}`)
        .join(', ')}}`
