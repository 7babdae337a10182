/**
 * What a streaming subscription takes (reference/graphql-schema#root-fields, reference/graphql-schema#generated-types).
 */
import type { NamingConvention } from '../../model/index.ts'
import { columnTypeRef } from './column-type.ts'
import type { RoleTable } from './role-table.ts'
import { intRef } from './scalar-types.ts'
import { argument, respelledArgument, selectArguments } from './select-arguments.ts'
import { tableTypeName } from './table-names.ts'
import { tablePartRef } from './table-part-ref.ts'
import { byName, type EnumType, type Field, type InputType, listOf, nonNull, refTo } from './type.ts'

const ordering = (name: string): EnumType => ({
  kind: 'ENUM',
  name,
  description: 'ordering argument of a cursor',
  values: [
    { name: 'ASC', description: 'ascending ordering of the cursor' },
    { name: 'DESC', description: 'descending ordering of the cursor' },
  ],
})

export const cursorOrderings: Record<NamingConvention, EnumType> = {
  'svc-default': ordering('cursor_ordering'),
  'graphql-default': ordering('CursorOrdering'),
}

/** `T_stream_cursor_input` and `T_stream_cursor_value_input`. */
export function streamInputs(table: RoleTable): readonly [InputType<null>, InputType<null>] {
  const values: InputType<null> = {
    kind: 'INPUT_OBJECT',
    name: tableTypeName(table, 'stream_cursor_value_input'),
    description: 'Initial value of the column from where the streaming should start',
    fields: byName(
      table.columns.map((column) => ({
        ...argument(column.field, column.description, columnTypeRef(table.types, column)),
        meaning: null,
      })),
    ),
  }
  const cursor: InputType<null> = {
    kind: 'INPUT_OBJECT',
    name: tableTypeName(table, 'stream_cursor_input'),
    description: `Streaming cursor of the table "${table.name}"`,
    fields: byName([
      {
        ...respelledArgument(
          table.types,
          'initial_value',
          'Stream column input with initial value',
          nonNull(refTo(values)),
        ),
        meaning: null,
      },
      { ...argument('ordering', 'cursor ordering', refTo(cursorOrderings[table.types.convention])), meaning: null },
    ]),
  }
  return [cursor, values]
}

/** `T_stream`; null where the role sees no column to stream by, or the table has no name for it. */
export function streamField(table: RoleTable): Field<null> | null {
  const own = table.table.kind === 'table' ? table.table.streamField : null
  if (own === null || table.columns.length === 0) return null
  const [cursor] = streamInputs(table)
  const where = selectArguments(table).get('where')
  return {
    name: own.name,
    description: own.description,
    args: byName([
      respelledArgument(
        table.types,
        'batch_size',
        'maximum number of rows returned in a single batch',
        nonNull(intRef),
      ),
      argument('cursor', 'cursor to stream the results returned by the query', nonNull(listOf(refTo(cursor)))),
      ...(where ? [where] : []),
    ]),
    type: nonNull(listOf(nonNull(tablePartRef(table, 'row')))),
    meaning: null,
  }
}
