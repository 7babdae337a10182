import type { AggregateOperator } from '../../ir/index.ts'
import type { ResolvedColumn } from '../../model/index.ts'
import type { RoleTable } from './role-table.ts'
import { booleanRef, databaseTypeRef, floatRef, intRef } from './scalar-types.ts'
import { argument, columnEnum, shownName } from './select-arguments.ts'
import { type TableTypes, tablePartRef } from './table-types.ts'
import { byName, type Field, listOf, noArguments, nonNull, type ObjectType, refTo, type TypeRef } from './type.ts'

/** In the order of names, as introspection lists them. */
export const aggregateOperators: readonly AggregateOperator[] = [
  'avg',
  'max',
  'min',
  'stddev',
  'stddev_pop',
  'stddev_samp',
  'sum',
  'var_pop',
  'var_samp',
  'variance',
]

/** Columns that an operator takes (spec 02 §1.5). */
export function operatorColumns(table: RoleTable, operator: AggregateOperator): readonly ResolvedColumn[] {
  const takes =
    operator === 'max' || operator === 'min'
      ? (column: ResolvedColumn) => column.enumType === null && table.types.isComparable(column.type)
      : (column: ResolvedColumn) => table.types.isNumeric(column.type)
  return table.columns.filter(takes)
}

export type AggregateMeaning = { readonly kind: 'aggregate' } | { readonly kind: 'nodes' }

/** `T_aggregate` */
export function aggregateType(types: TableTypes): ObjectType<AggregateMeaning> {
  const { table } = types
  const fields: readonly Field<AggregateMeaning>[] = [
    {
      name: 'aggregate',
      description: null,
      args: noArguments,
      type: {
        kind: 'named',
        name: `${table.name}_aggregate_fields`,
        typeKind: 'OBJECT',
        find: () => types.aggregateFields(),
      },
      meaning: { kind: 'aggregate' },
    },
    {
      name: 'nodes',
      description: null,
      args: noArguments,
      type: nonNull(listOf(nonNull(tablePartRef(table, 'row')))),
      meaning: { kind: 'nodes' },
    },
  ]
  return {
    kind: 'OBJECT',
    name: `${table.name}_aggregate`,
    description: `aggregated selection of "${shownName(table)}"`,
    fields: byName(fields),
  }
}

export type AggregateFieldsMeaning =
  | { readonly kind: 'count' }
  | { readonly kind: 'operator'; readonly operator: AggregateOperator; readonly type: ObjectType<ResolvedColumn> }

/** `T_aggregate_fields` */
export function aggregateFieldsType({ table }: TableTypes): ObjectType<AggregateFieldsMeaning> {
  const columns = columnEnum(table)
  const fields: Field<AggregateFieldsMeaning>[] = [
    {
      name: 'count',
      description: null,
      args: byName([
        ...(columns ? [argument('columns', null, listOf(nonNull(refTo(columns))))] : []),
        argument('distinct', null, booleanRef),
      ]),
      type: nonNull(intRef),
      meaning: { kind: 'count' },
    },
  ]
  for (const operator of aggregateOperators) {
    const columns = operatorColumns(table, operator)
    if (columns.length === 0) continue
    const type = operatorFieldsType(table, operator, columns)
    fields.push({
      name: operator,
      description: null,
      args: noArguments,
      type: refTo(type),
      meaning: { kind: 'operator', operator, type },
    })
  }
  return {
    kind: 'OBJECT',
    name: `${table.name}_aggregate_fields`,
    description: `aggregate fields of "${shownName(table)}"`,
    fields: byName(fields),
  }
}

function operatorFieldsType(
  table: RoleTable,
  operator: AggregateOperator,
  columns: readonly ResolvedColumn[],
): ObjectType<ResolvedColumn> {
  return {
    kind: 'OBJECT',
    name: `${table.name}_${operator}_fields`,
    description: `aggregate ${operator} on columns`,
    fields: byName(
      columns.map((column) => ({
        name: column.field,
        description: column.description,
        args: noArguments,
        type: operatorResult(table, operator, column),
        meaning: column,
      })),
    ),
  }
}

function operatorResult(table: RoleTable, operator: AggregateOperator, column: ResolvedColumn): TypeRef {
  return operator === 'max' || operator === 'min' || operator === 'sum'
    ? databaseTypeRef(table.types, column.type)
    : floatRef
}
