import type { FunctionCall } from '../../ir/index.ts'
import { type ResolvedRelationship, rowCall, type TableId } from '../../model/index.ts'
import { columnComparisonRef, comparisonRef } from './comparison-type.ts'
import { type ComputedMeaning, comparableFields } from './computed-meaning.ts'
import type { RoleColumn } from './role-table.ts'
import { shownName } from './select-arguments.ts'
import { besideField } from './table-names.ts'
import { aggregateBooleanRef, tablePartRef } from './table-part-ref.ts'
import type { TableTypes } from './table-types.ts'
import { type InputType, inputType, listOf, namedInput, nonNull } from './type.ts'

export type BooleanMeaning =
  | { readonly kind: 'and' }
  | { readonly kind: 'or' }
  | { readonly kind: 'not' }
  | { readonly kind: 'column'; readonly column: RoleColumn }
  | { readonly kind: 'relationship'; readonly relationship: ResolvedRelationship }
  /** What aggregates of the rows that it leads to are (reference/filters#aggregates-of-relationships). */
  | { readonly kind: 'aggregate'; readonly relationship: ResolvedRelationship }
  | ComputedMeaning
  /** The rows that a computed field returns. */
  | { readonly kind: 'computed-rows'; readonly call: FunctionCall; readonly table: TableId }

/** `T_bool_exp` (reference/filters#boolean-expressions-in-graphql). */
export function booleanType({ table, targets, predicates }: TableTypes): InputType<BooleanMeaning> {
  const own = tablePartRef(table, 'boolean')
  return inputType(
    own.name,
    `Boolean expression to filter rows from the table "${shownName(table)}". All fields are combined with a logical 'AND'.`,
    [
      namedInput<BooleanMeaning>('_and', listOf(nonNull(own)), { kind: 'and' }),
      namedInput<BooleanMeaning>('_or', listOf(nonNull(own)), { kind: 'or' }),
      namedInput<BooleanMeaning>('_not', own, { kind: 'not' }),
      ...table.columns.map((column) =>
        namedInput<BooleanMeaning>(column.field, columnComparisonRef(table.types, column), { kind: 'column', column }),
      ),
      ...[...targets].flatMap(([name, target]) => {
        const relationship = table.table.relationships.get(name)
        return relationship && !relationship.query
          ? [namedInput<BooleanMeaning>(name, tablePartRef(target, 'boolean'), { kind: 'relationship', relationship })]
          : []
      }),
      ...[...targets].flatMap(([name, target]) => {
        const relationship = table.table.relationships.get(name)
        if (!predicates || relationship?.kind !== 'array' || !target.allowAggregations) return []
        const at = besideField(table, name, 'aggregate')
        return [namedInput<BooleanMeaning>(at, aggregateBooleanRef(target), { kind: 'aggregate', relationship })]
      }),
      ...comparableFields(table).map((meaning) =>
        namedInput<BooleanMeaning>(meaning.field.name, comparisonRef(table.types, meaning.type), meaning),
      ),
      ...[...targets].flatMap(([name, target]) => {
        const computed = table.table.computedFields.get(name)
        const call = computed && rowCall(computed)
        if (!call) return []
        return [
          namedInput<BooleanMeaning>(name, tablePartRef(target, 'boolean'), {
            kind: 'computed-rows',
            call,
            table: target.table.id,
          }),
        ]
      }),
    ],
    { kind: 'select', table: table.table.id },
  )
}
