import { tableTypeName } from './table-names.ts'
import type { NamedRef, TypeSource } from './type.ts'
import type { WriteTable } from './write-table.ts'
import type { WriteTypes } from './write-types.ts'

const parts = {
  insertInput: { name: 'insert_input', kind: 'INPUT_OBJECT', of: (types: WriteTypes) => types.insertInput() },
  objectInsert: { name: 'obj_rel_insert_input', kind: 'INPUT_OBJECT', of: (types: WriteTypes) => types.objectInsert() },
  arrayInsert: { name: 'arr_rel_insert_input', kind: 'INPUT_OBJECT', of: (types: WriteTypes) => types.arrayInsert() },
  response: { name: 'mutation_response', kind: 'OBJECT', of: (types: WriteTypes) => types.response() },
} as const

/** A reference to a type of writing to a table, found through the schema. */
export function writePartRef({ select }: WriteTable, part: keyof typeof parts): NamedRef {
  const { name, kind, of } = parts[part]
  const { id } = select.table
  return {
    kind: 'named',
    name: tableTypeName(select, name),
    typeKind: kind,
    table: id,
    find: (source: TypeSource) => {
      const found = source.writeTypes(id)
      if (!found) throw new Error(`the types of writing to ${id} left the schema that refers to them`)
      return of(found)
    },
  }
}
