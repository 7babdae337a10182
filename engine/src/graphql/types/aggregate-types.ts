import type { AggregateOperator, DatabaseType } from '../../ir/index.ts'
import { computedArgs } from './function-arguments.ts'
import { innerName } from './named-types.ts'
import type { RoleColumn, RoleComputedField, RoleTable } from './role-table.ts'
import { booleanRef, databaseTypeRef, floatRef, intRef } from './scalar-types.ts'
import { columnEnum, shownName } from './select-arguments.ts'
import { tableTypeName } from './table-names.ts'
import { tablePartRef } from './table-part-ref.ts'
import type { TableTypes } from './table-types.ts'
import {
  argument,
  byName,
  type EnumType,
  type Field,
  type InputField,
  lazyRef,
  listOf,
  namedField,
  nonNull,
  type ObjectType,
  objectType,
  refTo,
  type TypeRef,
} from './type.ts'

/** The operators that the table's database has, in the order of names, as introspection lists them. */
export const aggregateOperators = ({ types }: RoleTable): readonly AggregateOperator[] =>
  types.features.aggregates?.operators ?? []

/** Returns the columns that an operator takes (reference/graphql-schema#generated-types). */
export function operatorColumns(table: RoleTable, operator: AggregateOperator): readonly RoleColumn[] {
  const takes =
    operator === 'max' || operator === 'min'
      ? (column: RoleColumn) => column.enumType === null && table.types.isComparable(column.type)
      : (column: RoleColumn) => table.types.isNumeric(column.type)
  return table.columns.filter(takes)
}

/** What an operator is applied to. */
export type AggregatedMeaning =
  | { readonly kind: 'column'; readonly column: RoleColumn }
  | { readonly kind: 'computed'; readonly field: RoleComputedField; readonly type: DatabaseType }

/** Returns the scalar computed fields that an operator takes. */
function operatorFields(table: RoleTable, operator: AggregateOperator) {
  const takes = operator === 'max' || operator === 'min' ? table.types.isComparable : table.types.isNumeric
  return table.computedFields.flatMap((field) =>
    field.returns.kind === 'scalar' && takes(field.returns.type) ? [{ field, type: field.returns.type }] : [],
  )
}

export type AggregateMeaning = { readonly kind: 'aggregate' } | { readonly kind: 'nodes' }

/** `T_aggregate` */
export function aggregateType(types: TableTypes): ObjectType<AggregateMeaning> {
  const { table } = types
  const fields: readonly Field<AggregateMeaning>[] = [
    namedField(
      'aggregate',
      null,
      lazyRef(tableTypeName(table, 'aggregate_fields'), 'OBJECT', () => types.aggregateFields()),
      { kind: 'aggregate' },
    ),
    namedField('nodes', null, nonNull(listOf(nonNull(tablePartRef(table, 'row')))), { kind: 'nodes' }),
  ]
  return objectType(tableTypeName(table, 'aggregate'), `aggregated selection of "${shownName(table)}"`, fields)
}

export type AggregateFieldsMeaning =
  | { readonly kind: 'count' }
  | { readonly kind: 'operator'; readonly operator: AggregateOperator; readonly type: ObjectType<AggregatedMeaning> }

/** `T_aggregate_fields` */
export function aggregateFieldsType({ table }: TableTypes): ObjectType<AggregateFieldsMeaning> {
  const columns = columnEnum(table)
  const fields: Field<AggregateFieldsMeaning>[] = [
    {
      name: 'count',
      description: null,
      args: byName([...(columns ? [countArgument(table, columns)] : []), argument('distinct', null, booleanRef)]),
      type: nonNull(intRef),
      meaning: { kind: 'count' },
    },
  ]
  for (const operator of aggregateOperators(table)) {
    const type = operatorFieldsType(table, operator)
    if (!type) continue
    fields.push(namedField(innerName(table.types, operator), null, refTo(type), { kind: 'operator', operator, type }))
  }
  return objectType(tableTypeName(table, 'aggregate_fields'), `aggregate fields of "${shownName(table)}"`, fields)
}

function countArgument({ types }: RoleTable, columns: EnumType): InputField<unknown> {
  switch (types.features.aggregates?.countOf) {
    case 'column':
      return argument('column', null, refTo(columns))
    case 'columns':
    case undefined:
      return argument('columns', null, listOf(nonNull(refTo(columns))))
  }
}

function operatorFieldsType(table: RoleTable, operator: AggregateOperator): ObjectType<AggregatedMeaning> | null {
  const columns = operatorColumns(table, operator)
  const computed = operatorFields(table, operator)
  if (columns.length + computed.length === 0) return null
  return objectType(tableTypeName(table, operator, 'fields'), `aggregate ${operator} on columns`, [
    ...columns.map(
      (column): Field<AggregatedMeaning> =>
        namedField(column.field, column.description, operatorResult(table, operator, column.type), {
          kind: 'column',
          column,
        }),
    ),
    ...computed.map(
      ({ field, type }): Field<AggregatedMeaning> =>
        namedField(
          field.name,
          field.description,
          operatorResult(table, operator, type),
          { kind: 'computed', field, type },
          byName(computedArgs(table, field)),
        ),
    ),
  ])
}

function operatorResult(table: RoleTable, operator: AggregateOperator, type: DatabaseType): TypeRef {
  return operator === 'max' || operator === 'min' || operator === 'sum' ? databaseTypeRef(table.types, type) : floatRef
}
