import type { LongWork } from '../long-work.ts'
import { compareValues, equalValues } from './compare-values.ts'
import { formatValue } from './format-value.ts'
import type { Fuel } from './fuel.ts'
import { functions, type TemplateFunction } from './functions.ts'
import type { Access, Expression, Operator } from './syntax-tree.ts'
import { FunctionFailure, type SourceSpan, TemplateFailure } from './template-error.ts'
import { isList, isObject, kindOf, type TemplateValue, type ValueKind } from './value.ts'

/** Names of a range hide those further out. */
export interface Scope {
  readonly find: (name: string) => TemplateValue | undefined
}

export interface EvaluationContext {
  readonly functions: ReadonlyMap<string, TemplateFunction>
  readonly fuel: Fuel
}

/** The value of an expression. Throws TemplateFailure. */
export function* evaluate(expression: Expression, scope: Scope, around: EvaluationContext): LongWork<TemplateValue> {
  const { fuel } = around
  fuel.span = expression.span
  fuel.step()
  if (fuel.isPieceDone) yield fuel.pieceDone()
  const value = (part: Expression) => evaluate(part, scope, around)
  switch (expression.kind) {
    case 'literal':
      return expression.value
    case 'variable': {
      const found = scope.find(expression.name)
      if (found === undefined)
        throw failure('Name Error', `Variable '${expression.name}' not in scope`, expression.span)
      return found
    }
    case 'string': {
      const texts: string[] = []
      for (const part of expression.parts)
        texts.push(typeof part === 'string' ? part : yield* formatValue(yield* value(part), fuel))
      return texts.join('')
    }
    case 'array': {
      const items: TemplateValue[] = []
      for (const item of expression.items) items.push(yield* value(item))
      return items
    }
    case 'object': {
      const entries: [string, TemplateValue][] = []
      for (const [key, part] of expression.entries) entries.push([key, yield* value(part)])
      return Object.fromEntries(entries)
    }
    case 'access':
      return yield* accessed(yield* value(expression.of), expression.access, expression.span, value)
    case 'optional':
      return yield* optional(expression, value)
    case 'operation':
      return yield* operation(expression, value, fuel)
    case 'not':
      return !truth(yield* value(expression.of), expression.of.span)
    case 'call':
      return call(expression.name, yield* value(expression.argument), expression, around)
    case 'range':
      return yield* range(expression, scope, around)
    case 'if': {
      for (const { condition, result } of expression.branches)
        if (truth(yield* value(condition), condition.span)) return yield* value(result)
      return yield* value(expression.otherwise)
    }
  }
}

type Evaluate = (part: Expression) => LongWork<TemplateValue>
type Part<K extends Expression['kind']> = Extract<Expression, { readonly kind: K }>

const failure = (
  code: 'Name Error' | 'Attribute Error' | 'Index Error' | 'Type Error',
  message: string,
  span: SourceSpan,
) => new TemplateFailure(code, message, span)

const mismatch = (expected: ValueKind | 'Integer', value: TemplateValue, span: SourceSpan) =>
  failure('Type Error', `Couldn't match expected type '${expected}' with actual type '${kindOf(value)}'`, span)

function truth(value: TemplateValue, span: SourceSpan): boolean {
  if (typeof value !== 'boolean') throw mismatch('Boolean', value, span)
  return value
}

function* accessed(of: TemplateValue, access: Access, span: SourceSpan, value: Evaluate): LongWork<TemplateValue> {
  const key = access.kind === 'key' ? access.key : yield* value(access.index)
  if (isList(of) && access.kind === 'index') {
    if (typeof key !== 'number' || !Number.isInteger(key)) throw mismatch('Integer', key, access.index.span)
    const item = of[key]
    if (item === undefined) throw failure('Index Error', 'Can only range over an array', span)
    return item
  }
  if (!isObject(of)) throw mismatch('Object', of, span)
  if (typeof key !== 'string') throw mismatch('String', key, span)
  const item = Object.hasOwn(of, key) ? of[key] : undefined
  if (item === undefined) throw failure('Attribute Error', `'Object' has no attribute '${key}'.`, span)
  return item
}

/** Whatever fails on the left is null, and so is whatever is missing on the way. */
function* optional({ of, accesses, span }: Part<'optional'>, value: Evaluate): LongWork<TemplateValue> {
  let found = yield* lenient(value(of))
  for (const access of accesses) {
    if (found === null) return null
    if (!isList(found) && !isObject(found)) throw mismatch('Object', found, span)
    found = yield* lenient(accessed(found, access, span, value))
  }
  return found
}

function* lenient(work: LongWork<TemplateValue>): LongWork<TemplateValue> {
  try {
    return yield* work
  } catch (error) {
    if (error instanceof TemplateFailure && error.code !== 'Limit Error') return null
    throw error
  }
}

function* operation(
  { operator, left, right }: Part<'operation'>,
  value: Evaluate,
  fuel: Fuel,
): LongWork<TemplateValue> {
  const first = yield* value(left)
  if (operator === '??') return first === null ? yield* value(right) : first
  const second = yield* value(right)
  if (operator === '&&' || operator === '||') {
    const [a, b] = [truth(first, left.span), truth(second, right.span)]
    return operator === '&&' ? a && b : a || b
  }
  if (operator === 'in') return yield* contains(first, second, left.span, right.span, fuel)
  return yield* compared(operator, first, second, fuel)
}

function* compared(
  operator: Exclude<Operator, '??' | '&&' | '||' | 'in'>,
  left: TemplateValue,
  right: TemplateValue,
  fuel: Fuel,
): LongWork<boolean> {
  switch (operator) {
    case '==':
      return yield* equalValues(left, right, fuel)
    case '!=':
      return !(yield* equalValues(left, right, fuel))
    case '<':
      return (yield* compareValues(left, right, fuel)) < 0
    case '>':
      return (yield* compareValues(left, right, fuel)) > 0
    case '<=':
      return (yield* compareValues(left, right, fuel)) <= 0
    case '>=':
      return (yield* compareValues(left, right, fuel)) >= 0
  }
}

function* contains(
  item: TemplateValue,
  container: TemplateValue,
  itemSpan: SourceSpan,
  span: SourceSpan,
  fuel: Fuel,
): LongWork<boolean> {
  if (isList(container)) {
    for (const candidate of container) if (yield* equalValues(item, candidate, fuel)) return true
    return false
  }
  if (!isObject(container)) throw mismatch('Array', container, span)
  if (typeof item !== 'string') throw mismatch('String', item, itemSpan)
  return Object.hasOwn(container, item)
}

function call(
  name: string,
  argument: TemplateValue,
  { span, argument: given }: Part<'call'>,
  around: EvaluationContext,
): TemplateValue {
  const act = around.functions.get(name) ?? functions.get(name)
  if (!act) throw failure('Name Error', `Variable '${name}' not in scope`, span)
  try {
    return act(argument, around.fuel)
  } catch (error) {
    if (error instanceof FunctionFailure) throw new TemplateFailure('Function Error', error.message, given.span)
    throw error
  }
}

function* range(
  { index, item, over, body }: Part<'range'>,
  scope: Scope,
  around: EvaluationContext,
): LongWork<TemplateValue> {
  const list = yield* evaluate(over, scope, around)
  if (!isList(list)) throw failure('Index Error', 'Can only range over an array', over.span)
  const made: TemplateValue[] = []
  for (const [at, entry] of list.entries()) {
    const inner = { find: (name: string) => (name === item ? entry : name === index ? at : scope.find(name)) }
    made.push(yield* evaluate(body, inner, around))
  }
  return made
}
