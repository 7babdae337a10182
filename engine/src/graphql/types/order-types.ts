import type { AggregateOperator, FunctionCall } from '../../ir/index.ts'
import { type ResolvedRelationship, rowCall, type TableId } from '../../model/index.ts'
import { aggregateOperators, operatorColumns } from './aggregate-types.ts'
import { type ComputedMeaning, comparableFields } from './computed-meaning.ts'
import { innerName } from './named-types.ts'
import type { RoleColumn, RoleTable } from './role-table.ts'
import { orderByRef } from './scalar-types.ts'
import { shownName } from './select-arguments.ts'
import { besideField, tableTypeName } from './table-names.ts'
import { tablePartRef } from './table-part-ref.ts'
import type { TableTypes } from './table-types.ts'
import { byName, type InputField, type InputType, inputType, namedInput, refTo } from './type.ts'

export type OrderMeaning =
  | { readonly kind: 'column'; readonly column: RoleColumn }
  | ComputedMeaning
  /** Over the rows that a computed field returns. */
  | { readonly kind: 'computed-aggregate'; readonly call: FunctionCall; readonly table: TableId }
  | { readonly kind: 'object'; readonly relationship: ResolvedRelationship }
  | { readonly kind: 'aggregate'; readonly relationship: ResolvedRelationship }
  | { readonly kind: 'placeholder' }

/** `T_order_by` (reference/graphql-schema#generated-types). */
export function orderType({ table, targets }: TableTypes): InputType<OrderMeaning> {
  const direction = orderByRef(table.types)
  const fields = byName([
    ...table.columns.map((column) => namedInput<OrderMeaning>(column.field, direction, { kind: 'column', column })),
    ...[...targets].flatMap(([name, target]) => {
      const relationship = table.table.relationships.get(name)
      return relationship && !relationship.query ? relationshipField(table, relationship, target) : []
    }),
    ...comparableFields(table).map((meaning) => namedInput<OrderMeaning>(meaning.field.name, direction, meaning)),
    ...[...targets].flatMap(([name, target]) => {
      const computed = table.table.computedFields.get(name)
      const call = computed && rowCall(computed)
      if (!call) return []
      return aggregateField(table, name, target, { kind: 'computed-aggregate', call, table: target.table.id })
    }),
  ])
  return {
    kind: 'INPUT_OBJECT',
    name: tableTypeName(table, 'order_by'),
    description: `Ordering options when selecting data from "${shownName(table)}".`,
    // GraphQL knows no input without fields; a permission without columns makes one
    fields:
      fields.size > 0
        ? fields
        : byName([namedInput<OrderMeaning>('no_fields_available', direction, { kind: 'placeholder' })]),
  }
}

function relationshipField(
  table: RoleTable,
  relationship: ResolvedRelationship,
  target: RoleTable,
): readonly InputField<OrderMeaning>[] {
  switch (relationship.kind) {
    case 'object':
      return [namedInput(relationship.name, tablePartRef(target, 'order'), { kind: 'object', relationship })]
    case 'array':
      return aggregateField(table, relationship.name, target, { kind: 'aggregate', relationship })
  }
}

const aggregateField = (
  table: RoleTable,
  name: string,
  target: RoleTable,
  meaning: OrderMeaning,
): readonly InputField<OrderMeaning>[] =>
  target.types.features.aggregates
    ? [namedInput(besideField(table, name, 'aggregate'), tablePartRef(target, 'aggregateOrder'), meaning)]
    : []

export type AggregateOrderMeaning =
  | { readonly kind: 'count' }
  | { readonly kind: 'operator'; readonly operator: AggregateOperator; readonly type: InputType<RoleColumn> }

/** `R_aggregate_order_by` (reference/graphql-schema#generated-types). */
export function aggregateOrderType({ table }: TableTypes): InputType<AggregateOrderMeaning> {
  const fields: InputField<AggregateOrderMeaning>[] = [namedInput('count', orderByRef(table.types), { kind: 'count' })]
  for (const operator of aggregateOperators(table)) {
    const type = operatorOrderType(table, operator)
    if (type.fields.size > 0)
      fields.push(namedInput(innerName(table.types, operator), refTo(type), { kind: 'operator', operator, type }))
  }
  return inputType(
    tableTypeName(table, 'aggregate_order_by'),
    `order by aggregate values of table "${shownName(table)}"`,
    fields,
  )
}

function operatorOrderType(table: RoleTable, operator: AggregateOperator): InputType<RoleColumn> {
  return inputType(
    tableTypeName(table, operator, 'order_by'),
    `order by ${operator}() on columns of table "${shownName(table)}"`,
    operatorColumns(table, operator).map((column) => namedInput(column.field, orderByRef(table.types), column)),
  )
}
