/** Types of updates of a table (reference/graphql-schema#generated-types, reference/mutations#update). */
import type { AssignmentOperator, DatabaseType } from '../../ir/index.ts'
import type { ResolvedColumn } from '../../model/index.ts'
import { columnTypeRef } from './column-type.ts'
import { innerName } from './named-types.ts'
import { databaseTypeRef, intRef, stringRef } from './scalar-types.ts'
import { shownName } from './select-arguments.ts'
import { tableTypeName } from './table-names.ts'
import { tablePartRef } from './table-part-ref.ts'
import {
  argument,
  type EnumType,
  enumOf,
  type InputField,
  type InputType,
  inputType,
  listOf,
  namedInput,
  nonNull,
  refTo,
  type TypeRef,
} from './type.ts'
import type { WriteTable } from './write-table.ts'
import type { OperatorInput, OperatorMeaning, UpdatesMeaning, WriteTypes } from './write-types.ts'

/** A value of `T_update_column` where there is none (reference/graphql-schema#generated-types). */
export const PLACEHOLDER = '_PLACEHOLDER'

export function updateColumnEnum(table: WriteTable): EnumType {
  const columns = table.update?.columns ?? []
  return enumOf(
    tableTypeName(table.select, 'update_column'),
    columns.length > 0
      ? `update columns of table "${shownName(table.select)}"`
      : `placeholder for update columns of table "${shownName(table.select)}" (current role has no relevant permissions)`,
    columns.length > 0
      ? columns.map(({ field: name }) => ({ name, description: 'column name' }))
      : [{ name: PLACEHOLDER, description: '(placeholder)' }],
    { kind: 'update', table: table.table.id },
  )
}

export function operatorInputs(table: WriteTable): readonly OperatorInput[] {
  const { types } = table
  const { text } = types.common
  const columns = table.update?.columns ?? []
  const isJsonb = ({ type }: ResolvedColumn) => types.isJson(type) && type.name === 'jsonb'
  const own = ({ type }: ResolvedColumn) => type
  const make = (
    operator: AssignmentOperator,
    on: readonly ResolvedColumn[],
    typeOf: (column: ResolvedColumn) => DatabaseType,
    refOf: (column: ResolvedColumn) => TypeRef,
    description: string,
  ): readonly OperatorInput[] =>
    on.length === 0 || !types.features.mutations?.assignments.includes(operator)
      ? []
      : [
          {
            operator,
            name: innerName(types, `_${operator}`),
            description,
            type: inputType(
              tableTypeName(table.select, `${operator}_input`),
              operator === 'set' ? `input type for updating data in table "${shownName(table.select)}"` : description,
              on.map((column) =>
                namedInput<OperatorMeaning>(
                  column.field,
                  refOf(column),
                  { column, type: typeOf(column) },
                  column.description,
                ),
              ),
            ),
          },
        ]
  const json = columns.filter(isJsonb)
  const ownRef = (column: ResolvedColumn) => columnTypeRef(types, column)
  const integer = types.typeOfScalar('Int') ?? text
  return [
    ...make('set', columns, own, ownRef, 'sets the columns of the filtered rows to the given values'),
    ...make(
      'inc',
      columns.filter(({ type }) => types.isNumeric(type)),
      own,
      ownRef,
      'increments the numeric columns with given value of the filtered values',
    ),
    ...make('append', json, own, ownRef, 'append existing jsonb value of filtered columns with new jsonb value'),
    ...make('prepend', json, own, ownRef, 'prepend existing jsonb value of filtered columns with new jsonb value'),
    ...make(
      'delete_key',
      json,
      () => text,
      () => stringRef,
      'delete key/value pair or string element. key/value pairs are matched based on their key value',
    ),
    ...make(
      'delete_elem',
      json,
      () => integer,
      () => intRef,
      'delete the array element with specified index (negative integers count from the end). throws an error if top level container is not an array',
    ),
    ...make(
      'delete_at_path',
      json,
      () => ({ ...text, array: true }),
      () => listOf(nonNull(databaseTypeRef(types, text))),
      'delete the field or element with specified path (for JSON arrays, negative integers count from the end)',
    ),
  ]
}

/** The arguments of an update for its operators. */
export const operatorArguments = ({ operators }: WriteTypes): readonly InputField<unknown>[] =>
  operators().map(({ name, operator, description, type }) => ({
    ...argument(name, description, refTo(type)),
    key: `_${operator}`,
  }))

export function keyInput(table: WriteTable): InputType<ResolvedColumn> {
  return inputType(
    tableTypeName(table.select, 'pk_columns_input'),
    `primary key columns input for table: ${shownName(table.select)}`,
    (table.table.primaryKey ?? []).map((column) =>
      namedInput(column.field, nonNull(columnTypeRef(table.types, column)), column, column.description),
    ),
  )
}

export function updatesInput(types: WriteTypes): InputType<UpdatesMeaning> {
  return inputType(tableTypeName(types.table.select, 'updates'), null, [
    ...types
      .operators()
      .map((of) => namedInput<UpdatesMeaning>(of.name, refTo(of.type), { kind: 'operator', of }, of.description)),
    namedInput<UpdatesMeaning>(
      'where',
      nonNull(tablePartRef(types.table.select, 'boolean')),
      { kind: 'where' },
      'filter the rows which have to be updated',
    ),
  ])
}
