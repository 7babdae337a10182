import type { BooleanExpression } from '../../ir/index.ts'
import { compareConstants, type Order } from './constants.ts'
import { type Bound, type ColumnOperator, type Formula, formulaOf, type Known, type Literal } from './formula.ts'

/** Steps of one question; beyond them nothing is claimed. */
const most = 20_000

interface Search {
  left: number
}

/**
 * Whether every row for which one condition is true is one for which the other is, in SQL's logic with null, for the same
 * session. False: not known.
 */
export function implies(assumed: BooleanExpression, wanted: BooleanExpression): boolean {
  return shows(facts([formulaOf(assumed, 'assumed', true)]), formulaOf(wanted, 'wanted', true), { left: most })
}

/** The same of conditions on rows of other tables. */
const follows = (assumed: BooleanExpression, wanted: BooleanExpression, search: Search): boolean =>
  shows(facts([formulaOf(assumed, 'assumed', false)]), formulaOf(wanted, 'wanted', false), search)

/** What is true: literals, and choices of which one at least is. */
interface Facts {
  readonly literals: readonly Literal[]
  readonly choices: readonly (readonly Formula[])[]
}

function facts(formulas: readonly Formula[], known: Facts = { literals: [], choices: [] }): Facts {
  const literals = [...known.literals]
  const choices = [...known.choices]
  const add = (formula: Formula): void => {
    switch (formula.kind) {
      case 'all':
        for (const part of formula.of) add(part)
        return
      case 'any':
        choices.push(formula.of)
        return
      case 'in':
      case 'not-in':
      case 'bound':
      case 'null':
      case 'columns':
      case 'exists':
      case 'other':
        literals.push(formula)
    }
  }
  for (const formula of formulas) add(formula)
  return { literals, choices }
}

function shows(known: Facts, wanted: Formula, search: Search): boolean {
  if (--search.left < 0) return false
  if (wanted.kind === 'all') return wanted.of.every((part) => shows(known, part, search))
  if (isContradiction(known.literals, search)) return true
  const { literals, choices } = known
  if (wanted.kind === 'any') {
    const plain = { literals, choices: [] }
    if (wanted.of.some((part) => shows(plain, part, search))) return true
  } else if (isShown(literals, wanted, search)) return true
  const [first, ...rest] = choices
  return first?.every((one) => shows(facts([one], { literals, choices: rest }), wanted, search)) ?? false
}

function isShown(literals: readonly Literal[], wanted: Literal, search: Search): boolean {
  if (literals.some((literal) => entails(literal, wanted, search))) return true
  if (wanted.kind !== 'in' && wanted.kind !== 'not-in' && wanted.kind !== 'bound') return false
  return literals.some((literal) => {
    if (literal.kind !== 'in' || literal.of !== wanted.of) return false
    const values = literal.values.filter((value) => !literals.some((other) => excludes(other, literal, value)))
    return values.length < literal.values.length && entails({ ...literal, values }, wanted, search)
  })
}

const isContradiction = (literals: readonly Literal[], search: Search): boolean =>
  literals.some((literal) =>
    literal.kind === 'in'
      ? literal.values.every((value) => literals.some((other) => excludes(other, literal, value)))
      : literals.some((other) => contradicts(literal, other, search)),
  )

function contradicts(literal: Literal, other: Literal, search: Search): boolean {
  switch (literal.kind) {
    case 'null':
      return !literal.negated && isNotNull(other, literal.of)
    case 'other':
      return other.kind === 'other' && other.key === literal.key && other.negated !== literal.negated
    case 'exists': {
      if (literal.negated || other.kind !== 'exists' || !other.negated || other.rows !== literal.rows) return false
      return follows(literal.where, other.where, search)
    }
    case 'in':
    case 'not-in':
    case 'bound':
    case 'columns':
      return false
  }
}

type In = Extract<Literal, { readonly kind: 'in' | 'not-in' }>

/** Whether an operand that has this value cannot satisfy the literal. */
function excludes(literal: Literal, { of, type }: In, value: Known): boolean {
  switch (literal.kind) {
    case 'in':
      return literal.of === of && literal.values.every((other) => isDistinct(orderOf(type, other, value)))
    case 'not-in':
      return (
        literal.of === of && literal.values.some((other) => orderOf(type, other, value) === 'same' && !other.isList)
      )
    case 'bound':
      return literal.of === of && satisfies(orderOf(type, value, literal.value), literal.operator) === false
    case 'null':
      return literal.of === of && !literal.negated
    case 'columns':
    case 'exists':
    case 'other':
      return false
  }
}

function entails(literal: Literal, wanted: Literal, search: Search): boolean {
  switch (wanted.kind) {
    case 'null':
      return wanted.negated
        ? isNotNull(literal, wanted.of)
        : literal.kind === 'null' && !literal.negated && literal.of === wanted.of
    case 'other':
      return literal.kind === 'other' && literal.key === wanted.key && literal.negated === wanted.negated
    case 'columns':
      return (
        literal.kind === 'columns' &&
        literal.left === wanted.left &&
        literal.right === wanted.right &&
        weaker[literal.operator].includes(wanted.operator)
      )
    case 'exists': {
      if (literal.kind !== 'exists' || literal.rows !== wanted.rows || literal.negated !== wanted.negated) return false
      return wanted.negated
        ? follows(wanted.where, literal.where, search)
        : follows(literal.where, wanted.where, search)
    }
    case 'in':
    case 'not-in':
    case 'bound':
      return 'type' in literal && literal.of === wanted.of && entailsValues(literal, wanted)
  }
}

const weaker: Readonly<Record<ColumnOperator, readonly ColumnOperator[]>> = {
  eq: ['eq', 'gte', 'lte'],
  neq: ['neq'],
  gt: ['gt', 'gte', 'neq'],
  lt: ['lt', 'lte', 'neq'],
  gte: ['gte'],
  lte: ['lte'],
}

type OfValues = Extract<Literal, { readonly kind: 'in' | 'not-in' | 'bound' }>

function entailsValues(literal: OfValues, wanted: OfValues): boolean {
  const { type } = wanted
  const order = (a: Known, b: Known) => orderOf(type, a, b)
  switch (literal.kind) {
    case 'in':
      return literal.values.every((value) => isValue(value, wanted))
    case 'not-in':
      return (
        wanted.kind === 'not-in' &&
        wanted.values.every((value) => literal.values.some((other) => order(value, other) === 'same'))
      )
    case 'bound':
      switch (wanted.kind) {
        case 'in':
          return false
        case 'not-in':
          return wanted.values.every((value) => satisfies(order(value, literal.value), literal.operator) === false)
        case 'bound':
          return isTighter(literal.operator, order(literal.value, wanted.value), wanted.operator)
      }
  }
}

/** Whether an operand that has this value satisfies the literal. */
function isValue(value: Known, wanted: OfValues): boolean {
  const order = (other: Known) => orderOf(wanted.type, value, other)
  switch (wanted.kind) {
    case 'in':
      return wanted.values.some((other) => order(other) === 'same')
    case 'not-in':
      return wanted.values.every((other) => isDistinct(order(other)))
    case 'bound':
      return satisfies(order(wanted.value), wanted.operator) === true
  }
}

/** Whether what is beyond one bound is beyond the other. `order`: of the first bound to the second. */
function isTighter(operator: Bound, order: Order, wanted: Bound): boolean {
  const isSameSide = operator[0] === wanted[0]
  if (!isSameSide) return false
  if (order === 'same') return operator === wanted || wanted.endsWith('e')
  return order === (operator.startsWith('g') ? 'greater' : 'less')
}

/** A list of unknown length equals only itself. */
function orderOf(type: Parameters<typeof compareConstants>[0], a: Known, b: Known): Order {
  if (a.constant !== null && b.constant !== null) return compareConstants(type, a.constant, b.constant)
  return a.key === b.key ? 'same' : 'unknown'
}

const isDistinct = (order: Order): boolean => order === 'less' || order === 'greater' || order === 'distinct'

/** Null: not known. */
function satisfies(order: Order, operator: Bound): boolean | null {
  switch (order) {
    case 'unknown':
    case 'distinct':
      return null
    case 'same':
      return operator.endsWith('e')
    case 'less':
      return operator.startsWith('l')
    case 'greater':
      return operator.startsWith('g')
  }
}

/** Whether an operand is not null where the literal is true. */
function isNotNull(literal: Literal, of: string): boolean {
  switch (literal.kind) {
    case 'in':
    case 'bound':
      return literal.of === of
    case 'not-in':
      // null is no member of an empty list
      return literal.of === of && literal.values.some(({ isList }) => !isList)
    case 'null':
      return literal.of === of && literal.negated
    case 'columns':
      return literal.left === of || literal.right === of
    case 'other':
      return literal.strict === of
    case 'exists':
      return false
  }
}
