import { once } from '../../kept-for.ts'
import { constraintEnum, insertInput, matchColumnEnum, nestedInput, onConflict } from './insert-types.ts'
import { innerName } from './named-types.ts'
import { intRef } from './scalar-types.ts'
import { shownName } from './select-arguments.ts'
import { tableTypeName } from './table-names.ts'
import { tablePartRef } from './table-part-ref.ts'
import type { TableTypes } from './table-types.ts'
import { byName, listOf, namedField, nonNull, type ObjectType } from './type.ts'
import { keyInput, operatorInputs, updateColumnEnum, updatesInput } from './update-types.ts'
import type { WriteTable } from './write-table.ts'
import type { ResponseMeaning, WriteTypes } from './write-types.ts'

export function makeWriteTypes(
  table: WriteTable,
  selected: TableTypes,
  targets: ReadonlyMap<string, WriteTable>,
): WriteTypes {
  const types: WriteTypes = {
    table,
    selected,
    targets,
    insertInput: once(() => insertInput(types)),
    objectInsert: once(() => nestedInput(types, 'object')),
    arrayInsert: once(() => nestedInput(types, 'array')),
    onConflict: once(() => onConflict(types)),
    matchColumn: once(() => matchColumnEnum(table)),
    constraint: once(() => constraintEnum(table)),
    updateColumn: once(() => updateColumnEnum(table)),
    operators: once(() => operatorInputs(table)),
    keyInput: once(() => keyInput(table)),
    updates: once(() => updatesInput(types)),
    response: once(() => responseType(types)),
  }
  return types
}

function responseType({ table }: WriteTypes): ObjectType<ResponseMeaning> {
  const affected = namedField<ResponseMeaning>(
    innerName(table.types, 'affected_rows'),
    'number of rows affected by the mutation',
    nonNull(intRef),
    'affected-rows',
  )
  const returning = namedField<ResponseMeaning>(
    'returning',
    'data from the rows affected by the mutation',
    nonNull(listOf(nonNull(tablePartRef(table.select, 'row')))),
    'returning',
  )
  return {
    kind: 'OBJECT',
    name: tableTypeName(table.select, 'mutation_response'),
    description: `response of any mutation on the table "${shownName(table.select)}"`,
    fields: byName([affected, ...(table.selects ? [returning] : [])]),
  }
}
