import type { NamedType } from '../types/type.ts'
import type { WriteTypes } from '../types/write-types.ts'

/**
 * Every type of writing to one table (reference/graphql-schema#generated-types). Those that nothing mentions are not
 * shown.
 */
export function typesOfWriting(types: WriteTypes): readonly NamedType[] {
  const { table } = types
  const conflict = types.onConflict()
  const nested = table.types.features.mutations?.nestedInserts ? [types.objectInsert(), types.arrayInsert()] : []
  const inserts = table.insert ? [types.insertInput(), ...nested] : []
  const conflicts =
    table.insert && conflict ? [conflict, types.constraint(), types.matchColumn(), types.updateColumn()] : []
  const updates = table.update
    ? [
        ...types.operators().map(({ type }) => type),
        types.updates(),
        ...(table.table.primaryKey ? [types.keyInput()] : []),
      ]
    : []
  // where nothing may be selected, conditions and answers are all that is left of the table
  const selected = table.selects ? [] : [types.selected.boolean()]
  return [...selected, types.response(), ...inserts, ...conflicts, ...updates]
}
