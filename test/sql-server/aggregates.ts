/** COUNT, SUM, AVG, MIN, MAX, STDEV, VAR … with the types that a server gives them. */
import { castCell, numberOf, rescale } from './cast.ts'
import { compareScalars, keyOf } from './compare.ts'
import { compileExpression } from './compile-expression.ts'
import { isSameName } from './database.ts'
import type { Compiled, Env, Scope } from './scope.ts'
import { ServerError } from './server-error.ts'
import type { Expression, Path, Predicate } from './syntax.ts'
import {
  bigint,
  type Cell,
  digitsOf,
  familyOf,
  float,
  int,
  isLob,
  nvarchar,
  type Scalar,
  type SqlType,
} from './types.ts'

const NAMES = [
  'COUNT',
  'COUNT_BIG',
  'SUM',
  'AVG',
  'MIN',
  'MAX',
  'STDEV',
  'STDEVP',
  'VAR',
  'VARP',
  'STRING_AGG',
] as const
type Name = (typeof NAMES)[number]

export const isAggregate = (path: Path): boolean =>
  path.length === 1 && NAMES.some((name) => name === path[0]?.toUpperCase())

export function compileAggregate(call: Extract<Expression, { kind: 'call' }>, scope: Scope): Compiled {
  // an aggregate over columns of a query around belongs to that query
  const depth = ownerDepth(call, scope)
  let home: Scope = scope
  for (let at = 0; at < depth && home.outer; at++) home = home.outer
  if (home.grouped === null)
    throw new ServerError(
      147,
      'An aggregate may not appear in the WHERE clause unless it is in a subquery contained in a HAVING clause or a select list, and the column being aggregated is an outer reference.',
    )
  const name = NAMES.find((one) => one === call.path[0]?.toUpperCase())
  const [first] = call.args
  if (!name || !first) throw new ServerError(174, `The ${call.path[0]} function requires 1 argument(s).`, 15)
  const groupOf = (env: Env): Env => {
    let here = env
    for (let at = 0; at < depth && here.outer; at++) here = here.outer
    return here
  }
  const rowsOf = (env: Env) => (env.rows ?? []).map((cells) => ({ cells, outer: env.outer }))
  if (first.kind === 'star')
    return { type: name === 'COUNT' ? int : bigint, run: (env) => BigInt(groupOf(env).rows?.length ?? 0) }
  const of = compileExpression(first, { ...home, grouped: null })
  const separator = call.args[1] ? compileExpression(call.args[1], { ...scope, grouped: null }) : null
  const type = typeOfAggregate(name, of.type)
  return {
    type,
    run: (env) => {
      const cells = rowsOf(groupOf(env)).flatMap((row): readonly Scalar[] => {
        const cell = of.run(row)
        return cell === null ? [] : [cell]
      })
      const values = call.isDistinct ? [...new Map(cells.map((cell) => [keyOf(cell, of.type), cell])).values()] : cells
      if (name === 'STRING_AGG')
        return values.length === 0 ? null : values.map(String).join(String(separator?.run(env) ?? ''))
      return aggregate(name, values, of.type, type)
    },
  }
}

function typeOfAggregate(name: Name, of: SqlType): SqlType {
  const family = familyOf(of)
  const invalid = () =>
    new ServerError(8117, `Operand data type ${of.name} is invalid for ${name.toLowerCase()} operator.`)
  switch (name) {
    case 'COUNT':
      if (isLob(of)) throw invalid()
      return int
    case 'COUNT_BIG':
      return bigint
    case 'STRING_AGG':
      return nvarchar(Infinity)
    case 'MIN':
    case 'MAX':
      if (isLob(of) || family === 'bit' || family === 'opaque') throw invalid()
      return of
    case 'SUM':
    case 'AVG': {
      if (family === 'integer') return of.name === 'bigint' ? bigint : int
      if (family === 'approximate') return float
      if (family !== 'exact') throw invalid()
      if (of.name.includes('money')) return { name: 'money' }
      const { scale } = digitsOf(of)
      return { name: of.name, precision: 38, scale: name === 'AVG' ? Math.max(6, scale) : scale }
    }
    default:
      if (family !== 'integer' && family !== 'exact' && family !== 'approximate') throw invalid()
      return float
  }
}

function aggregate(name: Name, values: readonly Scalar[], of: SqlType, type: SqlType): Cell {
  if (name === 'COUNT' || name === 'COUNT_BIG') return BigInt(values.length)
  if (values.length === 0) return null
  switch (name) {
    case 'MIN':
    case 'MAX':
      return values.reduce((best, value) => (compareScalars(value, best, of) < 0 === (name === 'MIN') ? value : best))
    case 'SUM':
    case 'AVG': {
      if (familyOf(type) === 'approximate') {
        const total = values.reduce((sum: number, value) => sum + numberOf(value, of), 0)
        return name === 'SUM' ? total : total / values.length
      }
      const total = values.reduce((sum: bigint, value) => sum + (value as bigint), 0n)
      const [from, to] = [digitsOf(of).scale, digitsOf(type).scale]
      const sum = familyOf(type) === 'exact' ? rescale(total, from, to) : total
      const checked = castCell(sum, familyOf(type) === 'exact' ? type : bigint, type) as bigint
      return name === 'SUM' ? checked : checked / BigInt(values.length)
    }
    default:
      return spread(
        name,
        values.map((value) => numberOf(value, of)),
      )
  }
}

function spread(name: Name, values: readonly number[]): number | null {
  const isPopulation = name.endsWith('P')
  const count = isPopulation ? values.length : values.length - 1
  if (count === 0) return null
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / count
  return name.startsWith('STDEV') ? Math.sqrt(variance) : variance
}

/** How many queries out from `scope` the columns of an aggregate are; 0 where it names none. */
export function ownerDepth(call: Extract<Expression, { kind: 'call' }>, scope: Scope): number {
  const depths = call.args.flatMap(columnPaths).map((path) => {
    let depth = 0
    for (let here: Scope | null = scope; here; here = here.outer, depth++) if (hasColumn(here, path)) return depth
    return 0
  })
  return depths.length === 0 ? 0 : Math.min(...depths)
}

const hasColumn = ({ columns }: Scope, path: Path): boolean =>
  columns.some(
    ({ name, table }) =>
      isSameName(name, path.at(-1) ?? '') && (path.length === 1 || isSameName(table ?? '', path.at(-2) ?? '')),
  )

function columnPaths(expression: Expression): readonly Path[] {
  switch (expression.kind) {
    case 'column':
      return [expression.path]
    case 'unary':
    case 'cast':
    case 'collate':
      return columnPaths(expression.of)
    case 'binary':
      return [expression.left, expression.right].flatMap(columnPaths)
    case 'call':
      return expression.args.flatMap(columnPaths)
    case 'case':
      return [
        ...expression.whens.flatMap(({ when, result }) => [...predicatePaths(when), ...columnPaths(result)]),
        ...(expression.otherwise ? columnPaths(expression.otherwise) : []),
      ]
    case 'method':
    case 'literal':
    case 'variable':
    case 'star':
    case 'query':
    case 'default':
      return []
  }
}

function predicatePaths(predicate: Predicate): readonly Path[] {
  switch (predicate.kind) {
    case 'and':
    case 'or':
      return predicate.of.flatMap(predicatePaths)
    case 'not':
      return predicatePaths(predicate.of)
    case 'null':
    case 'in':
      return columnPaths(predicate.of)
    case 'compare':
      return [predicate.left, predicate.right].flatMap(columnPaths)
    case 'like':
      return [predicate.of, predicate.pattern].flatMap(columnPaths)
    case 'between':
      return [predicate.of, predicate.low, predicate.high].flatMap(columnPaths)
    case 'exists':
      return []
  }
}
