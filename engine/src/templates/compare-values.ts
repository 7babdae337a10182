import { type RawNumber, withoutTrailingZeros } from '../exact-json/index.ts'
import type { LongWork } from '../long-work.ts'
import type { Fuel } from './fuel.ts'
import { isList, isNumeric, isObject, kindOf, type TemplateValue, type ValueKind } from './value.ts'

/** Deep equality; 1 equals 1.0. */
export function* equalValues(left: TemplateValue, right: TemplateValue, fuel: Fuel): LongWork<boolean> {
  return left === right || (kindOf(left) === kindOf(right) && (yield* compareValues(left, right, fuel)) === 0)
}

const order: readonly ValueKind[] = ['Object', 'Array', 'String', 'Number', 'Boolean', 'Null']

/** The total order over all values (reference/transforms#the-template-language): negative, 0 or positive. */
export function* compareValues(left: TemplateValue, right: TemplateValue, fuel: Fuel, depth = 0): LongWork<number> {
  fuel.step()
  if (fuel.isPieceDone) yield fuel.pieceDone()
  fuel.depth(depth)
  if (typeof left === 'string' && typeof right === 'string') {
    fuel.step(Math.min(left.length, right.length) >> 4)
    return compareTexts(left, right)
  }
  if (isNumeric(left) && isNumeric(right)) return compareNumbers(left, right)
  if (typeof left === 'boolean' && typeof right === 'boolean') return Number(left) - Number(right)
  if (isList(left) && isList(right)) return yield* compareLists(left, right, fuel, depth)
  if (isObject(left) && isObject(right)) {
    const pairs = (of: object) => Object.entries(of).sort(([a], [b]) => compareTexts(a, b))
    const [a, b] = [pairs(left), pairs(right)]
    fuel.step(a.length + b.length)
    return yield* compareLists(a.flat(), b.flat(), fuel, depth)
  }
  return order.indexOf(kindOf(left)) - order.indexOf(kindOf(right))
}

function* compareLists(
  left: readonly TemplateValue[],
  right: readonly TemplateValue[],
  fuel: Fuel,
  depth: number,
): LongWork<number> {
  for (const [index, item] of left.entries()) {
    const other = right[index]
    if (other === undefined) return 1
    const compared = yield* compareValues(item, other, fuel, depth + 1)
    if (compared !== 0) return compared
  }
  return left.length - right.length
}

/** By code point, not by UTF-16 unit. */
function compareTexts(left: string, right: string): number {
  if (left === right) return 0
  const length = Math.min(left.length, right.length)
  let at = 0
  while (at < length && left.charCodeAt(at) === right.charCodeAt(at)) at++
  if (at === length) return left.length - right.length
  const [a, b] = [left.charCodeAt(at), right.charCodeAt(at)]
  const surrogate = (unit: number) => unit >= 0xd800 && unit <= 0xdfff
  return surrogate(a) === surrogate(b) ? a - b : surrogate(a) ? 1 : -1
}

type Numeric = number | RawNumber

function compareNumbers(left: Numeric, right: Numeric): number {
  if (typeof left === 'number' && typeof right === 'number') return left - right
  const [a, b] = [decimal(left), decimal(right)]
  if (a.sign !== b.sign) return a.sign - b.sign
  const magnitude = a.exponent === b.exponent ? compareTexts(a.digits, b.digits) : a.exponent - b.exponent
  return magnitude * a.sign
}

/** 0.digits × 10^exponent; digits without zeros at either end. */
function decimal(value: Numeric) {
  const text = typeof value === 'number' ? String(value) : value.rawJSON
  const [, minus, whole = '', fraction = '', power = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? []
  const all = whole + fraction
  const significant = all.replace(/^0+/, '')
  const digits = withoutTrailingZeros(significant)
  if (digits === '') return { sign: 0, digits, exponent: 0 }
  return { sign: minus ? -1 : 1, digits, exponent: Number(power) + whole.length - (all.length - significant.length) }
}
