import { constraintEnum, insertInput, matchColumnEnum, nestedInput, onConflict } from './insert-types.ts'
import { innerName } from './named-types.ts'
import { intRef } from './scalar-types.ts'
import { shownName } from './select-arguments.ts'
import { tableTypeName } from './table-names.ts'
import { tablePartRef } from './table-part-ref.ts'
import type { TableTypes } from './table-types.ts'
import { byName, listOf, noArguments, nonNull, type ObjectType } from './type.ts'
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

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

function responseType({ table }: WriteTypes): ObjectType<ResponseMeaning> {
  const affected = {
    name: innerName(table.types, 'affected_rows'),
    description: 'number of rows affected by the mutation',
    args: noArguments,
    type: nonNull(intRef),
    meaning: 'affected-rows',
  } as const
  const returning = {
    name: 'returning',
    description: 'data from the rows affected by the mutation',
    args: noArguments,
    type: nonNull(listOf(nonNull(tablePartRef(table.select, 'row')))),
    meaning: 'returning',
  } as const
  return {
    kind: 'OBJECT',
    name: tableTypeName(table.select, 'mutation_response'),
    description: `response of any mutation on the table "${shownName(table.select)}"`,
    fields: byName<(typeof affected | typeof returning) & { readonly name: string }>([
      affected,
      ...(table.selects ? [returning] : []),
    ]),
  }
}
