/** Types of what is inserted into a table (reference/graphql-schema#generated-types, reference/mutations#insert). */
import type { ResolvedColumn, ResolvedUniqueKey } from '../../model/index.ts'
import { columnTypeRef } from './column-type.ts'
import { respelledArgument, shownName } from './select-arguments.ts'
import { tableTypeName } from './table-names.ts'
import { tablePartRef, writePartRef } from './table-part-ref.ts'
import {
  type EnumType,
  enumOf,
  type InputField,
  type InputType,
  inputType,
  listOf,
  namedInput,
  nonNull,
  refTo,
} from './type.ts'
import type { WriteTable } from './write-table.ts'
import type { ConflictMeaning, InsertMeaning, NestedMeaning, WriteTypes } from './write-types.ts'

export function insertInput({ table, targets }: WriteTypes): InputType<InsertMeaning> {
  const description = `input type for inserting data into table "${shownName(table.select)}"`
  const fields = [
    ...(table.insert?.columns ?? []).map((column) =>
      namedInput<InsertMeaning>(
        column.field,
        columnTypeRef(table.types, column),
        { kind: 'column', column },
        column.description,
      ),
    ),
    ...[...targets].flatMap(([name, target]): InputField<InsertMeaning>[] => {
      const relationship = table.table.relationships.get(name)
      if (!relationship) return []
      const ref = writePartRef(target, relationship.kind === 'object' ? 'objectInsert' : 'arrayInsert')
      return [namedInput(name, ref, { kind: 'relationship', relationship })]
    }),
  ]
  const name = tableTypeName(table.select, 'insert_input')
  return inputType<InsertMeaning>(name, description, fields, { kind: 'insert', table: table.table.id })
}

export function nestedInput(types: WriteTypes, kind: 'object' | 'array'): InputType<NestedMeaning> {
  const { select } = types.table
  const row = nonNull(writePartRef(types.table, 'insertInput'))
  const conflict = types.onConflict()
  const name = tableTypeName(select, kind === 'object' ? 'obj_rel_insert_input' : 'arr_rel_insert_input')
  return inputType(name, `input type for inserting ${kind} relation for remote table "${shownName(select)}"`, [
    namedInput<NestedMeaning>('data', nonNull(kind === 'object' ? row : listOf(row)), 'data'),
    ...(conflict
      ? [
          {
            ...respelledArgument(types.table.types, 'on_conflict', 'upsert condition', refTo(conflict)),
            meaning: 'conflict' as const,
          },
        ]
      : []),
  ])
}

export function onConflict(types: WriteTypes): InputType<ConflictMeaning> | null {
  const { table } = types
  const upsert = table.types.features.mutations?.upsert ?? null
  const known = upsert && conflictTarget(types, upsert)
  if (!known) return null
  const shown = upsert === 'on_conflict' ? upsert : 'upsert'
  return inputType(
    tableTypeName(table.select, upsert),
    `${shown} condition type for table "${shownName(table.select)}"`,
    [
      known,
      columnList(types, 'update_columns', types.updateColumn(), 'update-columns'),
      namedInput<ConflictMeaning>('where', tablePartRef(table.select, 'boolean'), 'where'),
    ],
  )
}

/** What says which rows are there; null where nothing could. */
function conflictTarget(types: WriteTypes, upsert: 'on_conflict' | 'if_matched'): InputField<ConflictMeaning> | null {
  const { table } = types
  switch (upsert) {
    case 'on_conflict':
      return table.table.uniqueKeys.length === 0
        ? null
        : namedInput<ConflictMeaning>('constraint', nonNull(refTo(types.constraint())), 'constraint')
    // whether a row is there is seen, and what it is may be changed
    case 'if_matched':
      return table.update === null || matchColumns(table).length === 0
        ? null
        : columnList(types, 'match_columns', types.matchColumn(), 'match-columns')
  }
}

const columnList = (
  { table }: WriteTypes,
  name: string,
  of: EnumType,
  means: ConflictMeaning,
): InputField<ConflictMeaning> => ({
  ...respelledArgument(table.types, name, null, nonNull(listOf(nonNull(refTo(of))))),
  meaning: means,
  defaultValue: '[]',
})

/** Returns the columns that the role selects and that can be compared. */
const matchColumns = ({ select, types }: WriteTable): readonly ResolvedColumn[] =>
  select.columns.flatMap((column) => (types.hasEquality(column.type) ? [column] : []))

export function matchColumnEnum(table: WriteTable): EnumType {
  const values = matchColumns(table).map(({ field: name }) => ({ name, description: 'column name' }))
  const shown = `select match_columns of table "${shownName(table.select)}"`
  return enumOf(tableTypeName(table.select, 'insert_match_column'), shown, values)
}

export function constraintEnum(table: WriteTable): EnumType {
  const values = table.table.uniqueKeys.map((key) => ({ name: key.name, description: describeKey(key) }))
  const shown = `unique or primary key constraints on table "${shownName(table.select)}"`
  return enumOf(tableTypeName(table.select, 'constraint'), shown, values)
}

function describeKey({ isPrimary, columns }: ResolvedUniqueKey): string {
  const kind = isPrimary ? 'primary key' : 'unique'
  return columns.length === 0
    ? `${kind} constraint`
    : `${kind} constraint on columns ${columns.map((name) => `"${name}"`).join(', ')}`
}
