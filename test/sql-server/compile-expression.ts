/** Expressions and predicates as functions of a row. */
import { compileAggregate, isAggregate } from './aggregates.ts'
import { compileArithmetic } from './arithmetic.ts'
import { castCell } from './cast.ts'
import { compareScalars, isLike } from './compare.ts'
import { compileQuery } from './compile-query.ts'
import { compileFunction } from './functions.ts'
import { type Compiled, columnCollation, type Env, resolveColumn, type Scope } from './scope.ts'
import { ServerError } from './server-error.ts'
import type { Expression, Predicate } from './syntax.ts'
import { temporalText } from './temporal.ts'
import {
  bigint,
  type Cell,
  commonType,
  DATABASE_COLLATION,
  familyOf,
  float,
  int,
  isExactCase,
  isLob,
  type Moment,
  nvarchar,
  type SqlType,
  varchar,
  withCollation,
} from './types.ts'

export function compileExpression(expression: Expression, scope: Scope): Compiled {
  switch (expression.kind) {
    case 'literal':
      return compileLiteral(expression)
    case 'variable':
      return scope.session.variable(expression.name)
    case 'column':
      return resolveColumn(scope, expression.path)
    case 'unary': {
      const of = compileExpression(expression.of, scope)
      if (expression.operator === '+') return of
      // a decimal keeps its digits
      if (expression.operator === '-' && familyOf(of.type) === 'exact')
        return { type: of.type, run: (env) => negated(of.run(env)) }
      const zero: Compiled = { type: int, run: () => (expression.operator === '-' ? 0n : -1n) }
      return compileArithmetic('-', zero, of)
    }
    case 'binary':
      return compileArithmetic(
        expression.operator,
        compileExpression(expression.left, scope),
        compileExpression(expression.right, scope),
      )
    case 'call': {
      if (expression.over) return compileWindow(expression, scope)
      if (isAggregate(expression.path)) return compileAggregate(expression, scope)
      return compileFunction(expression.path, expression.args, scope)
    }
    case 'method':
      return compileMethod(expression, scope)
    case 'cast':
      return compileCast(expression, scope)
    case 'case': {
      const whens = expression.whens.map(({ when, result }) => ({
        when: compilePredicate(when, scope),
        result: compileExpression(result, scope),
      }))
      const otherwise = expression.otherwise ? compileExpression(expression.otherwise, scope) : null
      const type = commonOf([...whens.map(({ result }) => result), ...(otherwise ? [otherwise] : [])])
      return {
        type,
        run: (env) => {
          const found = whens.find(({ when }) => when(env) === true)?.result ?? otherwise
          return found ? castCell(found.run(env), found.type, type) : null
        },
      }
    }
    case 'query': {
      const query = compileQuery(expression.query, scope)
      const [column] = query.columns
      if (query.columns.length !== 1 || !column)
        throw new ServerError(
          116,
          'Only one expression can be specified in the select list when the subquery is not introduced with EXISTS.',
        )
      return {
        type: column.type,
        isJson: expression.query.json !== null && !expression.query.json.isBare,
        run: (env) => {
          const rows = query.run(env)
          if (rows.length > 1)
            throw new ServerError(
              512,
              'Subquery returned more than 1 value. This is not permitted when the subquery follows =, !=, <, <= , >, >= or when the subquery is used as an expression.',
            )
          return rows[0]?.[0] ?? null
        },
      }
    }
    case 'collate': {
      const of = compileExpression(expression.of, scope)
      const type = withCollation(of.type, expression.collation)
      return { ...of, type, isExactCase: isExactCase(type), collated: 'explicit' }
    }
    case 'star':
    case 'default':
      throw new ServerError(102, `Incorrect syntax near '${expression.kind === 'star' ? '*' : 'DEFAULT'}'.`, 15)
  }
}

const negated = (cell: Cell): Cell => (typeof cell === 'bigint' ? -cell : cell)

const NULL_TYPE: SqlType = { name: 'int', precision: 0 }
const isNullType = (type: SqlType): boolean => type.name === 'int' && type.precision === 0

/** The type of what may be any of the values; a bare NULL has none of its own. */
export function commonOf(values: readonly Compiled[]): SqlType {
  const types = values.map(({ type }) => type).filter((type) => !isNullType(type))
  return types.length === 0 ? int : types.reduce(commonType)
}

function compileLiteral({ value, type }: Extract<Expression, { kind: 'literal' }>): Compiled {
  const constant = (of: SqlType, cell: Cell): Compiled => ({ type: of, run: () => cell })
  switch (type) {
    case 'null':
      return constant(NULL_TYPE, null)
    case 'string':
      return constant(varchar(Math.max(1, value.length)), value)
    case 'national':
      return constant(nvarchar(Math.max(1, value.length)), value)
    case 'binary':
      return constant(
        { name: 'varbinary', length: Math.max(1, value.length / 2) },
        Buffer.from(value.length % 2 ? `0${value}` : value, 'hex'),
      )
    case 'money':
      return constant({ name: 'money' }, castCell(value, varchar(100), { name: 'money' }))
    case 'number': {
      if (/e/i.test(value)) return constant(float, Number(/e$/i.test(value) ? value.slice(0, -1) : value))
      const [whole = '', fraction = ''] = value.split('.')
      if (fraction === '' && BigInt(whole || 0) <= 2147483647n) return constant(int, BigInt(whole || 0))
      const digits = `${whole.replace(/^0+/, '')}${fraction}`
      const numeric: SqlType = { name: 'numeric', precision: Math.max(1, digits.length), scale: fraction.length }
      return constant(numeric, BigInt(digits || 0))
    }
  }
}

function compileCast(expression: Extract<Expression, { kind: 'cast' }>, scope: Scope): Compiled {
  const { type, isTry } = expression
  const of = compileExpression(expression.of, scope)
  const style = expression.style ? compileExpression(expression.style, scope) : null
  const from = of.type
  const convert = (env: Env): Cell => {
    const cell = of.run(env)
    const number = Number(style?.run(env) ?? 0)
    if (cell !== null && number !== 0 && familyOf(type) === 'text' && familyOf(from) === 'temporal') {
      const isIso = number === 126 || number === 127
      return castCell(temporalText(cell as bigint | Moment, from, isIso), nvarchar(100), type)
    }
    if (cell !== null && number > 0 && familyOf(type) === 'text' && familyOf(from) === 'binary')
      return `${number === 1 ? '0x' : ''}${(cell as Buffer).toString('hex').toUpperCase()}`
    if (cell !== null && number > 0 && familyOf(type) === 'binary' && familyOf(from) === 'text')
      return castCell(
        Buffer.from(String(cell).replace(/^0x/i, ''), 'hex'),
        { name: 'varbinary', length: Infinity },
        type,
      )
    return castCell(cell, from, type)
  }
  if (!isTry) return { type, run: convert }
  return {
    type,
    run: (env) => {
      try {
        return convert(env)
      } catch (problem) {
        if (problem instanceof ServerError) return null
        throw problem
      }
    },
  }
}

function compileMethod({ of, name, args }: Extract<Expression, { kind: 'method' }>, scope: Scope): Compiled {
  const target = of ? compileExpression(of, scope) : null
  const values = args.map((arg) => compileExpression(arg, scope))
  const static_ = /^(geometry|geography)::(parse|stgeomfromtext|st\w+fromtext)$/i.exec(name)
  if (static_)
    return {
      type: { name: static_[1] === 'geometry' ? 'geometry' : 'geography' },
      run: (env) => values[0]?.run(env) ?? null,
    }
  if (target && /^(MakeValid|STAsText|ToString|Lat|Long)$/.test(name))
    return {
      type: /^(STAsText|ToString)$/.test(name) ? nvarchar(Infinity) : target.type,
      run: (env) => target.run(env),
    }
  throw new ServerError(50001, `the double has no spatial functions: ${name}`)
}

function compileWindow({ path, over }: Extract<Expression, { kind: 'call' }>, scope: Scope): Compiled {
  const name = (path.at(-1) ?? '').toUpperCase()
  if (name !== 'ROW_NUMBER' || !over) throw new ServerError(50001, `the double has no window function ${name}`)
  const index = scope.windows.length
  scope.windows.push({
    name,
    partition: over.partition.map((part) => compileExpression(part, scope)),
    order: over.order.map(({ by, isDescending }) => ({ ...compileExpression(by, scope), isDescending })),
  })
  return { type: bigint, run: (env) => env.windows?.[index] ?? null }
}

export type CompiledPredicate = (env: Env) => boolean | null

const OPERATOR_NAMES = {
  '=': 'equal to',
  '<>': 'not equal to',
  '<': 'less than',
  '>': 'greater than',
  '<=': 'less than or equal to',
  '>=': 'greater than or equal to',
} as const

export function compilePredicate(predicate: Predicate, scope: Scope): CompiledPredicate {
  switch (predicate.kind) {
    case 'and': {
      const parts = predicate.of.map((part) => compilePredicate(part, scope))
      return (env) => {
        let result: boolean | null = true
        for (const part of parts) {
          const value = part(env)
          if (value === false) return false
          if (value === null) result = null
        }
        return result
      }
    }
    case 'or': {
      const parts = predicate.of.map((part) => compilePredicate(part, scope))
      return (env) => {
        let result: boolean | null = false
        for (const part of parts) {
          const value = part(env)
          if (value === true) return true
          if (value === null) result = null
        }
        return result
      }
    }
    case 'not': {
      const of = compilePredicate(predicate.of, scope)
      return (env) => {
        const value = of(env)
        return value === null ? null : !value
      }
    }
    case 'null': {
      const of = compileExpression(predicate.of, scope)
      return (env) => of.run(env) === null
    }
    case 'compare': {
      const compare = compileOrder(
        compileExpression(predicate.left, scope),
        compileExpression(predicate.right, scope),
        OPERATOR_NAMES[predicate.operator],
      )
      const { operator } = predicate
      return (env) => {
        const order = compare(env)
        return order === null ? null : decide(order, operator)
      }
    }
    case 'between':
      return compilePredicate(
        {
          kind: 'and',
          of: [
            { kind: 'compare', operator: '>=', left: predicate.of, right: predicate.low },
            { kind: 'compare', operator: '<=', left: predicate.of, right: predicate.high },
          ],
        },
        scope,
      )
    case 'in':
      return compileIn(predicate, scope)
    case 'like': {
      const [of, pattern] = [compileExpression(predicate.of, scope), compileExpression(predicate.pattern, scope)]
      const escaped = predicate.escape ? compileExpression(predicate.escape, scope) : null
      return (env) => {
        const [value, like] = [
          castCell(of.run(env), of.type, nvarchar(Infinity)),
          castCell(pattern.run(env), pattern.type, nvarchar(Infinity)),
        ]
        return value === null || like === null
          ? null
          : isLike(String(value), String(like), (escaped?.run(env) as string | null) ?? null)
      }
    }
    case 'exists': {
      const query = compileQuery(predicate.query, scope)
      return (env) => query.run(env).length > 0
    }
  }
}

function decide(order: number, operator: '=' | '<>' | '<' | '>' | '<=' | '>='): boolean {
  switch (operator) {
    case '=':
      return order === 0
    case '<>':
      return order !== 0
    case '<':
      return order < 0
    case '>':
      return order > 0
    case '<=':
      return order <= 0
    case '>=':
      return order >= 0
  }
}

function compileIn({ of, list }: Extract<Predicate, { kind: 'in' }>, scope: Scope): CompiledPredicate {
  const value = compileExpression(of, scope)
  if (!('body' in list)) {
    const parts = list.map((item) => compileOrder(value, compileExpression(item, scope), 'equal to'))
    return (env) => {
      const orders = parts.map((part) => part(env))
      return orders.includes(0) ? true : orders.includes(null) ? null : false
    }
  }
  const query = compileQuery(list, scope)
  const [column] = query.columns
  if (!column) return () => false
  return (env) => {
    const rows = query.run(env)
    const orders = rows.map((row) =>
      compileOrder(
        value,
        { type: column.type, run: () => row[0] ?? null, ...columnCollation(column.type) },
        'equal to',
      )(env),
    )
    return orders.includes(0) ? true : orders.includes(null) ? null : false
  }
}

/** The order of two values, null where one of them is null. */
export function compileOrder(left: Compiled, right: Compiled, operator: string): (env: Env) => number | null {
  if (isNullType(left.type) || isNullType(right.type)) return () => null
  const lob = [left, right].find(({ type }) => isLob(type))
  if (lob)
    throw new ServerError(
      402,
      `The data types ${left.type.name} and ${right.type.name} are incompatible in the ${operator} operator.`,
    )
  const type = commonType(left.type, right.type)
  if (['xml', 'geometry', 'geography'].includes(type.name))
    throw new ServerError(
      305,
      `The ${type.name} data type cannot be compared or sorted, except when using the IS NULL operator.`,
    )
  const exact = left.isExactCase === true || right.isExactCase === true
  refuseConflict(left, right, operator)
  // texts are compared whole, whatever the length of the other's type
  const target: SqlType =
    familyOf(type) === 'text'
      ? nvarchar(Infinity)
      : familyOf(type) === 'binary'
        ? { name: 'varbinary', length: Infinity }
        : type
  return (env) => {
    const one = castCell(left.run(env), left.type, target)
    const other = castCell(right.run(env), right.type, target)
    return one === null || other === null ? null : compareScalars(one, other, target, exact)
  }
}

function refuseConflict(left: Compiled, right: Compiled, operator: string): void {
  const [one, other] = [left, right].map(({ type }) => type.collation ?? DATABASE_COLLATION)
  if (left.collated !== 'column' || right.collated !== 'column' || one === other) return
  throw new ServerError(
    468,
    `Cannot resolve the collation conflict between "${one}" and "${other}" in the ${operator} operation.`,
  )
}
