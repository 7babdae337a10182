import type { FunctionCall } from '../../ir/index.ts'
import { type ResolvedRelationship, rowCall, type TableId } from '../../model/index.ts'
import { columnComparison, columnComparisonName, comparisonType, comparisonTypeName } from './comparison-type.ts'
import { type ComputedMeaning, comparableFields } from './computed-meaning.ts'
import type { RoleColumn } from './role-table.ts'
import { shownName } from './select-arguments.ts'
import { besideField } from './table-names.ts'
import { aggregateBooleanRef, tablePartRef } from './table-part-ref.ts'
import type { TableTypes } from './table-types.ts'
import { byName, type InputField, type InputType, listOf, nonNull, type TypeRef } from './type.ts'

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
  return {
    kind: 'INPUT_OBJECT',
    name: own.name,
    description: `Boolean expression to filter rows from the table "${shownName(table)}". All fields are combined with a logical 'AND'.`,
    permission: { kind: 'select', table: table.table.id },
    fields: byName([
      field('_and', listOf(nonNull(own)), { kind: 'and' }),
      field('_or', listOf(nonNull(own)), { kind: 'or' }),
      field('_not', own, { kind: 'not' }),
      ...table.columns.map((column) =>
        field(
          column.field,
          {
            kind: 'named',
            name: columnComparisonName(table.types, column),
            typeKind: 'INPUT_OBJECT',
            find: () => columnComparison(table.types, column),
          },
          { kind: 'column', column },
        ),
      ),
      ...[...targets].flatMap(([name, target]) => {
        const relationship = table.table.relationships.get(name)
        return relationship && !relationship.query
          ? [field(name, tablePartRef(target, 'boolean'), { kind: 'relationship', relationship })]
          : []
      }),
      ...[...targets].flatMap(([name, target]) => {
        const relationship = table.table.relationships.get(name)
        if (!predicates || relationship?.kind !== 'array' || !target.allowAggregations) return []
        const at = besideField(table, name, 'aggregate')
        return [field(at, aggregateBooleanRef(target), { kind: 'aggregate', relationship })]
      }),
      ...comparableFields(table).map((meaning) =>
        field(
          meaning.field.name,
          {
            kind: 'named',
            name: comparisonTypeName(table.types, meaning.type),
            typeKind: 'INPUT_OBJECT',
            find: () => comparisonType(table.types, meaning.type),
          },
          meaning,
        ),
      ),
      ...[...targets].flatMap(([name, target]) => {
        const computed = table.table.computedFields.get(name)
        const call = computed && rowCall(computed)
        if (!call) return []
        return [field(name, tablePartRef(target, 'boolean'), { kind: 'computed-rows', call, table: target.table.id })]
      }),
    ]),
  }
}

const field = (name: string, type: TypeRef, meaning: BooleanMeaning): InputField<BooleanMeaning> => ({
  name,
  description: null,
  type,
  defaultValue: null,
  meaning,
})
