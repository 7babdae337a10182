import type { ResolvedColumn, ResolvedRelationship } from '../../model/index.ts'
import { columnTypeRef } from './column-type.ts'
import type { RoleTable } from './role-table.ts'
import { stringRef } from './scalar-types.ts'
import { selectArguments } from './select-arguments.ts'
import { type TableTypes, tablePartRef } from './table-types.ts'
import {
  byName,
  type Field,
  type InputField,
  listOf,
  noArguments,
  nonNull,
  type ObjectType,
  type TypeRef,
} from './type.ts'

export type RowMeaning =
  | { readonly kind: 'column'; readonly column: ResolvedColumn }
  | {
      readonly kind: 'relationship'
      readonly as: 'object' | 'array' | 'aggregate'
      readonly relationship: ResolvedRelationship
    }

/** `T` (spec 02 §1.4). */
export function rowType(types: TableTypes): ObjectType<RowMeaning> {
  const { table, targets } = types
  return {
    kind: 'OBJECT',
    name: table.name,
    description: table.table.description,
    fields: byName([
      ...table.columns.map((column) => columnField(table, column)),
      ...[...targets].flatMap(([name, target]) => {
        const relationship = table.table.relationships.get(name)
        return relationship ? relationshipFields(relationship, target) : []
      }),
    ]),
  }
}

const jsonPath: InputField<unknown> = {
  name: 'path',
  description: 'JSON select path',
  type: stringRef,
  defaultValue: null,
  meaning: null,
}
const jsonArguments = byName([jsonPath])

function columnField(table: RoleTable, column: ResolvedColumn): Field<RowMeaning> {
  return {
    name: column.field,
    description: column.description,
    args: table.types.isJson(column.type) && !column.type.array ? jsonArguments : noArguments,
    type: columnRef(table, column),
    meaning: { kind: 'column', column },
  }
}

function columnRef(table: RoleTable, column: ResolvedColumn): TypeRef {
  const ref = columnTypeRef(table.types, column)
  return column.nullable ? ref : nonNull(ref)
}

function relationshipFields(relationship: ResolvedRelationship, target: RoleTable): readonly Field<RowMeaning>[] {
  const row = tablePartRef(target, 'row')
  if (relationship.kind === 'object')
    return [
      {
        name: relationship.name,
        description: relationship.description,
        args: noArguments,
        type: relationship.nullable ? row : nonNull(row),
        meaning: { kind: 'relationship', as: 'object', relationship },
      },
    ]
  const args = selectArguments(target)
  const list: Field<RowMeaning> = {
    name: relationship.name,
    description: relationship.description,
    args,
    type: nonNull(listOf(nonNull(row))),
    meaning: { kind: 'relationship', as: 'array', relationship },
  }
  if (!target.allowAggregations) return [list]
  return [
    list,
    {
      name: `${relationship.name}_aggregate`,
      description: 'An aggregate relationship',
      args,
      type: nonNull(tablePartRef(target, 'aggregate')),
      meaning: { kind: 'relationship', as: 'aggregate', relationship },
    },
  ]
}
