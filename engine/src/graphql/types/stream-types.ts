/**
 * What a streaming subscription takes (reference/graphql-schema#root-fields, reference/graphql-schema#generated-types).
 */
import type { NamingConvention } from '../../model/index.ts'
import { columnTypeRef } from './column-type.ts'
import type { RoleTable } from './role-table.ts'
import { intRef } from './scalar-types.ts'
import { respelledArgument, selectArguments } from './select-arguments.ts'
import { tableTypeName } from './table-names.ts'
import { tablePartRef } from './table-part-ref.ts'
import {
  argument,
  byName,
  type EnumType,
  enumOf,
  type Field,
  type InputType,
  inputType,
  listOf,
  namedField,
  nonNull,
  refTo,
} from './type.ts'

const ordering = (name: string): EnumType =>
  enumOf(name, 'ordering argument of a cursor', [
    { name: 'ASC', description: 'ascending ordering of the cursor' },
    { name: 'DESC', description: 'descending ordering of the cursor' },
  ])

export const cursorOrderings: Record<NamingConvention, EnumType> = {
  'svc-default': ordering('cursor_ordering'),
  'graphql-default': ordering('CursorOrdering'),
}

/** `T_stream_cursor_input` and `T_stream_cursor_value_input`. */
export function streamInputs(table: RoleTable): readonly [InputType<null>, InputType<null>] {
  const values: InputType<null> = inputType(
    tableTypeName(table, 'stream_cursor_value_input'),
    'Initial value of the column from where the streaming should start',
    table.columns.map((column) => argument(column.field, column.description, columnTypeRef(table.types, column))),
  )
  const cursor: InputType<null> = inputType(
    tableTypeName(table, 'stream_cursor_input'),
    `Streaming cursor of the table "${table.name}"`,
    [
      respelledArgument(table.types, 'initial_value', 'Stream column input with initial value', nonNull(refTo(values))),
      argument('ordering', 'cursor ordering', refTo(cursorOrderings[table.types.convention])),
    ],
  )
  return [cursor, values]
}

/** `T_stream`; null where the role sees no column to stream by, or the table has no name for it. */
export function streamField(table: RoleTable): Field<null> | null {
  const own = table.table.kind === 'table' ? table.table.streamField : null
  if (own === null || table.columns.length === 0) return null
  const [cursor] = streamInputs(table)
  const where = selectArguments(table).get('where')
  const args = byName([
    respelledArgument(table.types, 'batch_size', 'maximum number of rows returned in a single batch', nonNull(intRef)),
    argument('cursor', 'cursor to stream the results returned by the query', nonNull(listOf(refTo(cursor)))),
    ...(where ? [where] : []),
  ])
  return namedField(own.name, own.description, nonNull(listOf(nonNull(tablePartRef(table, 'row')))), null, args)
}
