import type { ResolvedColumn, ResolvedRelationship } from '../../model/index.ts'
import { columnComparison, columnComparisonName } from './comparison-type.ts'
import { shownName } from './select-arguments.ts'
import { type TableTypes, tablePartRef } from './table-types.ts'
import { byName, type InputField, type InputType, listOf, nonNull, type TypeRef } from './type.ts'

export type BooleanMeaning =
  | { readonly kind: 'and' }
  | { readonly kind: 'or' }
  | { readonly kind: 'not' }
  | { readonly kind: 'column'; readonly column: ResolvedColumn }
  | { readonly kind: 'relationship'; readonly relationship: ResolvedRelationship }

/** `T_bool_exp` (spec 02 §2.1). */
export function booleanType({ table, targets }: TableTypes): InputType<BooleanMeaning> {
  const own = tablePartRef(table, 'boolean')
  return {
    kind: 'INPUT_OBJECT',
    name: own.name,
    description: `Boolean expression to filter rows from the table "${shownName(table)}". All fields are combined with a logical 'AND'.`,
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
        return relationship
          ? [field(name, tablePartRef(target, 'boolean'), { kind: 'relationship', relationship })]
          : []
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
