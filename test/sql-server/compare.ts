/** Order and equality of values of one type, under the default collation: case does not count, nor spaces at the end. */
import { numberOf } from './cast.ts'
import { familyOf, type Moment, type Scalar, type SqlType } from './types.ts'

export function compareScalars(one: Scalar, other: Scalar, type: SqlType, isExactCase = false): number {
  switch (familyOf(type)) {
    case 'text':
    case 'opaque': {
      const [left, right] = isExactCase
        ? [String(one), String(other)]
        : [foldCase(String(one)), foldCase(String(other))]
      return left < right ? -1 : left > right ? 1 : 0
    }
    case 'binary':
      return Buffer.compare(one as Buffer, other as Buffer)
    case 'guid':
      return compareGuids(String(one), String(other))
    case 'approximate':
      return numberOf(one, type) - numberOf(other, type)
    case 'temporal': {
      const [left, right] = [ticksOf(one), ticksOf(other)]
      return left < right ? -1 : left > right ? 1 : 0
    }
    case 'integer':
    case 'bit':
    case 'exact': {
      const [left, right] = [one as bigint, other as bigint]
      return left < right ? -1 : left > right ? 1 : 0
    }
  }
}

export const foldCase = (text: string): string => text.replace(/ +$/, '').toUpperCase()

const ticksOf = (value: Scalar): bigint => (typeof value === 'bigint' ? value : (value as Moment).ticks)

/** The last group of a uniqueidentifier counts first. */
function compareGuids(one: string, other: string): number {
  const order = (text: string) => text.split('-').reverse().join('-').toUpperCase()
  return order(one) < order(other) ? -1 : order(one) > order(other) ? 1 : 0
}

/** A key under which equal values fall together, for GROUP BY, DISTINCT and unique keys. */
export function keyOf(cell: Scalar | null, type: SqlType): string {
  if (cell === null) return 'null'
  if (Buffer.isBuffer(cell)) return `b${cell.toString('hex')}`
  if (familyOf(type) === 'text') return `t${foldCase(String(cell))}`
  return familyOf(type) === 'temporal' ? `d${ticksOf(cell)}` : `v${String(cell)}`
}

/** LIKE with %, _, [a-z], [^a]. */
export function isLike(text: string, pattern: string, escaped: string | null): boolean {
  let source = ''
  for (let at = 0; at < pattern.length; at++) {
    const char = pattern[at] ?? ''
    if (char === escaped) source += quote(pattern[++at] ?? '')
    else if (char === '%') source += '.*'
    else if (char === '_') source += '.'
    else if (char === '[' && pattern.indexOf(']', at + 1) > at) {
      const end = pattern.indexOf(']', at + 1)
      source += `[${pattern.slice(at + 1, end).replaceAll(/[\\\]]/g, '\\$&')}]`
      at = end
    } else source += quote(char)
  }
  return new RegExp(`^${source} *$`, 'is').test(text)
}

const quote = (char: string): string => char.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')
