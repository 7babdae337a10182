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

export interface Surroundings {
  readonly functions: ReadonlyMap<string, TemplateFunction>
  readonly fuel: Fuel
}

/** The value of an expression. Throws TemplateFailure. */
export function evaluate(expression: Expression, scope: Scope, around: Surroundings): TemplateValue {
  const { fuel } = around
  fuel.span = expression.span
  fuel.step()
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
    case 'string':
      return expression.parts.map((part) => (typeof part === 'string' ? part : formatValue(value(part), fuel))).join('')
    case 'array':
      return expression.items.map(value)
    case 'object':
      return Object.fromEntries(expression.entries.map(([key, part]) => [key, value(part)]))
    case 'access':
      return accessed(value(expression.of), expression.access, expression.span, value)
    case 'optional':
      return optional(expression, value)
    case 'operation':
      return operation(expression, value, fuel)
    case 'not':
      return !truth(value(expression.of), expression.of.span)
    case 'call':
      return call(expression.name, value(expression.argument), expression, around)
    case 'range':
      return range(expression, scope, around)
    case 'if': {
      const branch = expression.branches.find(({ condition }) => truth(value(condition), condition.span))
      return value(branch?.result ?? expression.otherwise)
    }
  }
}

type Evaluate = (part: Expression) => TemplateValue
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

function accessed(of: TemplateValue, access: Access, span: SourceSpan, value: Evaluate): TemplateValue {
  const key = access.kind === 'key' ? access.key : value(access.index)
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
function optional({ of, accesses, span }: Part<'optional'>, value: Evaluate): TemplateValue {
  let found = lenient(() => value(of))
  for (const access of accesses) {
    if (found === null) return null
    if (!isList(found) && !isObject(found)) throw mismatch('Object', found, span)
    const container = found
    found = lenient(() => accessed(container, access, span, value))
  }
  return found
}

function lenient(act: () => TemplateValue): TemplateValue {
  try {
    return act()
  } catch (error) {
    if (error instanceof TemplateFailure && error.code !== 'Limit Error') return null
    throw error
  }
}

function operation({ operator, left, right }: Part<'operation'>, value: Evaluate, fuel: Fuel): TemplateValue {
  const first = value(left)
  if (operator === '??') return first === null ? value(right) : first
  const second = value(right)
  if (operator === '&&' || operator === '||') {
    const [a, b] = [truth(first, left.span), truth(second, right.span)]
    return operator === '&&' ? a && b : a || b
  }
  if (operator === 'in') return contains(first, second, left.span, right.span, fuel)
  return compared(operator, first, second, fuel)
}

function compared(
  operator: Exclude<Operator, '??' | '&&' | '||' | 'in'>,
  left: TemplateValue,
  right: TemplateValue,
  fuel: Fuel,
): boolean {
  switch (operator) {
    case '==':
      return equalValues(left, right, fuel)
    case '!=':
      return !equalValues(left, right, fuel)
    case '<':
      return compareValues(left, right, fuel) < 0
    case '>':
      return compareValues(left, right, fuel) > 0
    case '<=':
      return compareValues(left, right, fuel) <= 0
    case '>=':
      return compareValues(left, right, fuel) >= 0
  }
}

function contains(
  item: TemplateValue,
  container: TemplateValue,
  itemSpan: SourceSpan,
  span: SourceSpan,
  fuel: Fuel,
): boolean {
  if (isList(container)) return container.some((candidate) => equalValues(item, candidate, fuel))
  if (!isObject(container)) throw mismatch('Array', container, span)
  if (typeof item !== 'string') throw mismatch('String', item, itemSpan)
  return Object.hasOwn(container, item)
}

function call(
  name: string,
  argument: TemplateValue,
  { span, argument: given }: Part<'call'>,
  around: Surroundings,
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

function range({ index, item, over, body }: Part<'range'>, scope: Scope, around: Surroundings): TemplateValue {
  const list = evaluate(over, scope, around)
  if (!isList(list)) throw failure('Index Error', 'Can only range over an array', over.span)
  return list.map((entry, at) =>
    evaluate(body, { find: (name) => (name === item ? entry : name === index ? at : scope.find(name)) }, around),
  )
}
