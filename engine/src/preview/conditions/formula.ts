import type { BooleanExpression, DatabaseType, Operand, Value } from '../../ir/index.ts'
import { listMembers } from './constants.ts'

/**
 * A condition with its negations at the leaves. `true` means what SQL's WHERE means: that it is true, and neither false
 * nor null.
 */
export type Formula =
  | { readonly kind: 'all'; readonly of: readonly Formula[] }
  | { readonly kind: 'any'; readonly of: readonly Formula[] }
  | Literal

/** `of`: the operand, as text. All but `null` and `other` are true only for operands that are not null. */
export type Literal =
  | { readonly kind: 'in' | 'not-in'; readonly of: string; readonly type: DatabaseType; readonly values: Known[] }
  | {
      readonly kind: 'bound'
      readonly of: string
      readonly type: DatabaseType
      readonly operator: Bound
      readonly value: Known
    }
  | { readonly kind: 'null'; readonly of: string; readonly negated: boolean }
  /** Two operands of the row, in the order of their texts. */
  | { readonly kind: 'columns'; readonly left: string; readonly right: string; readonly operator: ColumnOperator }
  /** Some row of `rows` satisfies `where`, or none does. */
  | { readonly kind: 'exists'; readonly rows: string; readonly where: BooleanExpression; readonly negated: boolean }
  /** Anything else, which only itself implies. `strict`: an operand that is not null where it is true. */
  | { readonly kind: 'other'; readonly key: string; readonly strict: string | null; readonly negated: boolean }

export type Bound = 'gt' | 'gte' | 'lt' | 'lte'
export type ColumnOperator = Bound | 'eq' | 'neq'

/** What an operand is compared with: a constant, or something that has one value in all of a request. */
export interface Known {
  readonly key: string
  /** Null: not known before the request. */
  readonly constant: string | null
  /** A list of unknown length. */
  readonly isList: boolean
}

/**
 * Which way a condition may be rounded where backends differ about null: what is assumed may be true for more rows, what
 * is to be shown for fewer.
 */
export type Side = 'assumed' | 'wanted'

interface Reading {
  readonly negated: boolean
  readonly side: Side
  /** The current row is the one that the expression started from. */
  readonly isRoot: boolean
}

/** `isRoot`: it is of the row that the whole condition started from, not of a row of another table. */
export const formulaOf = (e: BooleanExpression, side: Side, isRoot: boolean): Formula =>
  read(e, { negated: false, side, isRoot })

function read(e: BooleanExpression, reading: Reading): Formula {
  const { negated } = reading
  switch (e.kind) {
    case 'and':
    case 'or':
      return { kind: (e.kind === 'and') !== negated ? 'all' : 'any', of: e.of.map((part) => read(part, reading)) }
    case 'not':
      return read(e.of, { ...reading, negated: !negated })
    case 'rooted':
      // permissions do not begin again inside of a condition on other rows
      return reading.isRoot ? read(e.of, reading) : { kind: 'other', key: JSON.stringify(e), strict: null, negated }
    case 'compare':
      return compared(e, reading)
    case 'compare-columns':
      return columns(e, reading)
    case 'is-null':
      return { kind: 'null', of: textOf(e.of, reading), negated: e.negated !== negated }
    case 'exists-related':
      return { kind: 'exists', rows: JSON.stringify(['related', e.join]), where: e.where, negated }
    case 'exists-computed':
      return { kind: 'exists', rows: JSON.stringify(['computed', e.call]), where: e.where, negated }
    case 'exists':
      return { kind: 'exists', rows: JSON.stringify(['table', e.table]), where: e.where, negated }
  }
}

const textOf = (operand: Operand, { isRoot }: Reading): string =>
  JSON.stringify(isRoot && operand.kind === 'column' ? { ...operand, of: 'row' } : operand)

type Compare = Extract<BooleanExpression, { readonly kind: 'compare' }>

const opposites: Readonly<Record<ColumnOperator, ColumnOperator>> = {
  eq: 'neq',
  neq: 'eq',
  gt: 'lte',
  lte: 'gt',
  lt: 'gte',
  gte: 'lt',
}
const flipped: Readonly<Record<ColumnOperator, ColumnOperator>> = {
  eq: 'eq',
  neq: 'neq',
  gt: 'lt',
  lt: 'gt',
  gte: 'lte',
  lte: 'gte',
}
const isOrdering = (operator: string): operator is ColumnOperator => Object.hasOwn(opposites, operator)

function compared(e: Compare, reading: Reading): Formula {
  const { negated, side } = reading
  const of = textOf(e.left, reading)
  const other = otherOf(e, of, negated)
  const [value] = e.right
  const values = value && e.right.length === 1 ? knownOf(value) : null
  if (!values) return other
  const { type } = value ?? { type: null }
  // NaN is neither less nor greater than anything in BigQuery
  if (!type || (type.type.name === 'FLOAT64' && negated)) return other
  const operator = negated && isOrdering(e.operator) ? opposites[e.operator] : e.operator
  switch (operator) {
    case 'eq':
      return { kind: 'in', of, type: type.type, values }
    case 'neq': {
      const differs: Formula = { kind: 'not-in', of, type: type.type, values }
      if (!e.nullSafe) return differs
      // whether it is true of null is for the backend to say
      const isNull: Formula = { kind: 'null', of, negated: false }
      return side === 'assumed'
        ? { kind: 'all', of: [other, { kind: 'any', of: [isNull, differs] }] }
        : { kind: 'any', of: [other, differs] }
    }
    case 'in':
    case 'nin': {
      const isIn = (operator === 'in') !== negated
      // of an empty list even null is no member
      if (values.length === 0) return { kind: isIn ? 'any' : 'all', of: [] }
      return { kind: isIn ? 'in' : 'not-in', of, type: type.type, values }
    }
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte': {
      const [only] = values
      return only ? { kind: 'bound', of, type: type.type, operator, value: only } : other
    }
  }
  return other
}

/** `_nlike` is what `_not: {_like}` is. */
const pattern = /^(n?)(like|ilike|similar|regex|iregex)$/

function otherOf({ left, operator, right, nullSafe }: Compare, of: string, negated: boolean): Literal {
  const [, no, positive] = pattern.exec(operator) ?? []
  const key = JSON.stringify([of, positive ?? operator, right.map(plain), nullSafe, left.kind])
  return { kind: 'other', key, strict: positive ? of : null, negated: negated !== (no === 'n') }
}

/** Whether a constant stands in a document makes no difference. */
const plain = (value: Value) => (value.kind === 'constant' ? [value.text, value.type] : value)

/** Null where it is no value that can be reasoned about. */
function knownOf(value: Value): Known[] | null {
  if (value.kind !== 'constant') return [{ key: JSON.stringify(value), constant: null, isList: value.type.list }]
  if (value.text === null) return null
  const texts = value.type.list ? listMembers(value.text) : [value.text]
  return texts === null ? null : texts.map((text) => ({ key: JSON.stringify(text), constant: text, isList: false }))
}

function columns(e: Extract<BooleanExpression, { kind: 'compare-columns' }>, reading: Reading): Formula {
  const [left, right] = [textOf(e.left, reading), textOf(e.right, reading)]
  const { negated } = reading
  if (!isOrdering(e.operator))
    return { kind: 'other', key: JSON.stringify([left, e.operator, right]), strict: null, negated }
  const operator = negated ? opposites[e.operator] : e.operator
  return left <= right
    ? { kind: 'columns', left, right, operator }
    : { kind: 'columns', left: right, right: left, operator: flipped[operator] }
}
