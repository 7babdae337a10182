import { equalJson, isRecord, type Json } from '@svc/schema'
import type { DatabaseColumn } from '../../backends/index.ts'
import { always, type BooleanExpression, type Operand, type PredicateFunction } from '../../ir/index.ts'
import type { ResolvedRelationship } from '../resolved-rows.ts'
import { databaseError, definitionError } from './resolution-error.ts'
import { resolveComparisons } from './resolve-comparison.ts'
import type { ResolveContext } from './resolve-context.ts'
import { type At, type Rows, resolveExpression } from './resolve-expression.ts'
import { untrackedTable } from './untracked-table.ts'

/** The argument and result types of each function, by the scalar; `count` accepts any column. */
const functions: Readonly<Record<PredicateFunction, 'float8' | 'Boolean' | null>> = {
  avg: 'float8',
  bool_and: 'Boolean',
  bool_or: 'Boolean',
  corr: 'float8',
  count: null,
  covar_samp: 'float8',
  max: 'float8',
  min: 'float8',
  stddev_samp: 'float8',
  sum: 'float8',
  var_samp: 'float8',
}

const isFunction = (name: string): name is PredicateFunction => Object.hasOwn(functions, name)

/** The relationship that `<rel>_aggregate` speaks of (reference/filters#aggregates-of-relationships). */
export const aggregatedName = (key: string): string | null =>
  key.endsWith('_aggregate') ? key.slice(0, -'_aggregate'.length) : null

/**
 * `<rel>_aggregate: {<function>: {arguments, distinct, filter, predicate}}` in a permission: over all rows that the
 * relationship leads to (reference/filters#relationships-and-computed-fields,
 * reference/filters#aggregates-of-relationships). Throws a ResolutionError.
 */
export function resolveAggregatePredicate(
  relationship: ResolvedRelationship,
  json: Json,
  rows: Rows,
  around: ResolveContext,
  at: At,
): BooleanExpression {
  const row = around.table(relationship.target)
  if (!row) throw untrackedTable(relationship.join.table, relationship.target, at)
  const [entry, ...others] = isRecord(json) ? Object.entries(json) : []
  if (!entry || others.length > 0) throw definitionError('exactly one predicate should be specified', at)
  const [name, given] = entry
  const inside = [...at, name]
  if (!isFunction(name) || !isRecord(given))
    throw definitionError(`"${name}" is no function of an aggregation predicate`, inside)
  const scalar = functions[name]
  const type = row.types.typeOfScalar(scalar ?? 'Int')
  if (!type || !isRecord(given.predicate)) throw definitionError('an aggregation predicate needs a "predicate"', inside)
  const columnAt = (column: Json | undefined, where: At): Operand => {
    const found = typeof column === 'string' ? around.column(row, column) : null
    if (!found) throw databaseError(`column "${String(column)}" does not exist`, where)
    if (scalar !== null && !equalJson(found.type, type))
      throw definitionError(`${name} takes no column of type ${found.type.name}`, where)
    return operandOf(found)
  }
  const there = { row, root: rows.root }
  const left: Operand = {
    kind: 'aggregate',
    join: relationship.join,
    where: given.filter === undefined ? always : resolveExpression(given.filter, there, around, [...inside, 'filter']),
    function: name,
    of: argumentsOf(name, given.arguments, columnAt, [...inside, 'arguments']),
    distinct: given.distinct === true,
    type,
  }
  const compared = { left, type, nullable: false, enumType: null }
  return resolveComparisons(given.predicate, compared, there, around, [...inside, 'predicate'])
}

const operandOf = ({ name, type }: DatabaseColumn): Operand => ({ kind: 'column', of: 'row', name, type })

function argumentsOf(
  name: PredicateFunction,
  given: Json | undefined,
  columnAt: (column: Json | undefined, at: At) => Operand,
  at: At,
): readonly Operand[] {
  switch (name) {
    case 'count': {
      const columns: readonly Json[] = given === undefined ? [] : Array.isArray(given) ? given : [given]
      return columns.map((column, i) => columnAt(column, [...at, i]))
    }
    case 'corr':
    case 'covar_samp':
      // `corr(Y, X)` in SQL
      return ['Y', 'X'].map((axis) => columnAt(isRecord(given) ? given[axis] : undefined, [...at, axis]))
    case 'avg':
    case 'bool_and':
    case 'bool_or':
    case 'max':
    case 'min':
    case 'stddev_samp':
    case 'sum':
    case 'var_samp':
      return [columnAt(given, at)]
  }
}
