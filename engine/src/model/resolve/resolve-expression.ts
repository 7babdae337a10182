/** Recursion: a condition may aggregate the rows of a relationship for which another condition is true. */

import { address, isRecord, type Json, ownKey } from '@svc/schema'
import type { DatabaseColumn } from '../../backends/index.ts'
import { allOf, always, type BooleanExpression, type DatabaseType, type Operand } from '../../ir/index.ts'
import type { ResolvedComputedField } from '../resolved-rows.ts'
import { rowCall } from '../row-call.ts'
import { addressOfTable, qualifiedNameOf, siblingTableId } from '../table-id.ts'
import { databaseError, definitionError, metadataError, type ResolutionError } from './resolution-error.ts'
import { aggregatedName, resolveAggregatePredicate } from './resolve-aggregate-predicate.ts'
import { resolveComparisons, resolveShorthand } from './resolve-comparison.ts'
import type { ResolveContext } from './resolve-context.ts'
import type { TableShape } from './table-shape.ts'
import { untrackedTable } from './untracked-table.ts'

export type At = readonly (string | number)[]

/** Where in an expression we are: the table whose row is read, and the one the whole expression began with. */
export interface Rows {
  readonly row: TableShape
  readonly root: TableShape
}

/**
 * A permission's filter or check (reference/filters#expressions-of-permissions), canonical spelling. Throws a
 * ResolutionError whose `at` begins with `at`.
 */
export function resolveExpression(
  json: Json | undefined,
  rows: Rows,
  around: ResolveContext,
  at: At,
): BooleanExpression {
  if (!isRecord(json)) throw definitionError('expected an object', at)
  const parts = Object.entries(json)
  return parts.length === 0 ? always : allOf(parts.map(([key, part]) => resolvePart(key, part, rows, around, at)))
}

function resolvePart(key: string, part: Json, rows: Rows, around: ResolveContext, parent: At): BooleanExpression {
  const at = [...parent, key]
  switch (key) {
    case '_and':
      return allOf(resolveList(part, rows, around, at))
    case '_or':
      return { kind: 'or', of: resolveList(part, rows, around, at) }
    case '_not':
      return { kind: 'not', of: resolveExpression(part, rows, around, at) }
    case '_exists':
      return resolveExists(part, rows, around, at)
    default:
      return resolveField(key, part, rows, around, at)
  }
}

function resolveList(part: Json, rows: Rows, around: ResolveContext, at: At): readonly BooleanExpression[] {
  if (!Array.isArray(part)) throw definitionError('expected a list', at)
  return part.map((item: Json, i) => resolveExpression(item, rows, around, [...at, i]))
}

function resolveExists(part: Json, rows: Rows, around: ResolveContext, at: At): BooleanExpression {
  if (!isRecord(part) || !isRecord(part._table)) throw definitionError('expected an object', at)
  const table = qualifiedNameOf(part._table)
  const id = siblingTableId(rows.row.id, table)
  const row = around.table(id)
  if (!row) throw untrackedTable(table, id, [...at, '_table'])
  const where = resolveExpression(part._where ?? {}, { row, root: rows.root }, around, [...at, '_where'])
  return { kind: 'exists', table, where }
}

function resolveField(key: string, part: Json, rows: Rows, around: ResolveContext, at: At): BooleanExpression {
  const column = around.column(rows.row, key)
  if (column) return resolveColumn(column, part, rows, around, at)
  const relationship = around.relationship(rows.row, key)
  if (!relationship) {
    const aggregated = aggregatedName(key)
    const over = aggregated === null ? null : around.relationship(rows.row, aggregated)
    if (over?.kind === 'array') return resolveAggregatePredicate(over, part, rows, around, at)
    const field = around.computedField(rows.row, key)
    if (!field) throw missingField(key, part, rows.row, at)
    return resolveComputed(field, part, rows, around, at)
  }
  const target = around.table(relationship.target)
  if (!target) throw untrackedTable(relationship.join.table, relationship.target, at)
  const where = resolveExpression(part, { row: target, root: rows.root }, around, at)
  return { kind: 'exists-related', join: relationship.join, where }
}

function resolveColumn(
  column: DatabaseColumn,
  part: Json,
  rows: Rows,
  around: ResolveContext,
  at: At,
): BooleanExpression {
  if (column.type.name === 'json' && !column.type.array)
    throw definitionError('JSON column can not be part of boolean expression', at)
  const left = { kind: 'column', of: 'row', name: column.name, type: column.type } as const
  const enumType = rows.row.enums.get(column.name) ?? null
  return isRecord(part)
    ? resolveComparisons(part, { left, type: column.type, nullable: column.nullable, enumType }, rows, around, at)
    : resolveShorthand(part, left, rows.row.types, enumType, around, at)
}

/** A field that is computed only from the row, or with the session (reference/filters#expressions-of-permissions). */
function resolveComputed(
  field: ResolvedComputedField,
  part: Json,
  rows: Rows,
  around: ResolveContext,
  at: At,
): BooleanExpression {
  const call = rowCall(field)
  if (!call)
    throw definitionError(
      `computed field "${field.name}" takes arguments and cannot be part of a boolean expression`,
      at,
    )
  if (field.returns.kind === 'table') {
    const { table: id, of } = field.returns
    const target = id === rows.row.id ? rows.row : around.table(id)
    if (!target) throw untrackedTable(of, id, at)
    const where = resolveExpression(part, { row: target, root: rows.root }, around, at)
    return { kind: 'exists-computed', call, where }
  }
  if (field.returns.kind === 'columns')
    throw definitionError(
      `computed field "${field.name}" has rows of no table and cannot be part of a boolean expression`,
      at,
    )
  const { type } = field.returns
  const left: Operand & { readonly type: DatabaseType } = { kind: 'computed', call, type }
  return isRecord(part)
    ? resolveComparisons(part, { left, type, nullable: false, enumType: null }, rows, around, at)
    : resolveShorthand(part, left, rows.row.types, null, around, at)
}

/** A key that only operators stand under was meant as a column; anything else could be a relationship to come. */
function missingField(key: string, part: Json, table: TableShape, at: At): ResolutionError {
  const text = `column "${key}" does not exist`
  const isColumn = !isRecord(part) || (Object.keys(part).length > 0 && Object.keys(part).every(isOperator))
  if (isColumn) return databaseError(text, at)
  const aggregated = aggregatedName(key)
  const own = addressOfTable(table.id)
  return metadataError(
    text,
    [
      aggregated !== null && isPredicate(part)
        ? address('array_relation', ownKey('array_relation', { name: aggregated }), own)
        : address('object_relation', relationshipOwn(key), own),
    ],
    at,
  )
}

const isOperator = (key: string) => /^[_$]/.test(key) && !['_and', '_or', '_not', '_exists'].includes(key)

/** Whether it has the form of an aggregation predicate, and not of a condition on a relationship. */
const isPredicate = (part: Json): boolean =>
  isRecord(part) && Object.values(part).some((one) => isRecord(one) && isRecord(one.predicate))

const relationshipOwn = (name: string) => ownKey('object_relation', { name })
