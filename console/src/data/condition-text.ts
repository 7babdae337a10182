import { isObject, type Json } from '../engine/client.ts'

const signs: Readonly<Record<string, string>> = {
  _eq: '=',
  $eq: '=',
  _ne: '≠',
  _neq: '≠',
  _gt: '>',
  _gte: '≥',
  _lt: '<',
  _lte: '≤',
  _in: 'in',
  _nin: 'not in',
  _like: 'like',
  _nlike: 'not like',
  _ilike: 'ilike',
  _nilike: 'not ilike',
}

/** A filter or check in readable form: `customer_id = X-Svc-Customer-Id and total > 5`. Empty: every row. */
export function conditionText(condition: Json | undefined): string {
  return condition === undefined || condition === null ? '' : read(condition, '')
}

function read(condition: Json, path: string): string {
  if (!isObject(condition)) return `${path} = ${shown(condition)}`
  return Object.entries(condition)
    .map(([key, value]) => part(key, value, path))
    .filter(Boolean)
    .join(' and ')
}

function part(key: string, value: Json, path: string): string {
  if (key === '_and' || key === '$and') return joined(value, path, 'and')
  if (key === '_or' || key === '$or') return joined(value, path, 'or')
  if (key === '_not' || key === '$not') return `not (${read(value, path)})`
  if (key === '_exists' && isObject(value)) {
    const where = read(value._where ?? {}, '')
    return `some ${tableText(value._table)}${where && ` with ${where}`}`
  }
  if (key === '_is_null' || key === '$is_null') return `${path} is ${value === false ? 'not ' : ''}null`
  const sign = signs[key]
  if (sign !== undefined) return `${path} ${sign} ${shown(value)}`
  if (key.startsWith('_') || key.startsWith('$')) return `${path} ${key.slice(1)} ${shown(value)}`
  return read(value, path ? `${path}.${key}` : key)
}

function joined(value: Json, path: string, word: 'and' | 'or'): string {
  const parts = (Array.isArray(value) ? (value as readonly Json[]) : [value])
    .map((one) => read(one, path))
    .filter(Boolean)
  if (parts.length === 0) return word === 'or' ? 'no row' : ''
  if (parts.length === 1) return parts[0] ?? ''
  return parts.map((one) => (/ (and|or) /.test(one) ? `(${one})` : one)).join(` ${word} `)
}

const tableText = (table: Json | undefined) =>
  isObject(table) ? String(table.name ?? JSON.stringify(table)) : String(table ?? 'row')

const shown = (value: Json) =>
  typeof value === 'string' ? (/^x-/i.test(value) ? value : `"${value}"`) : JSON.stringify(value)
