/** What Apollo federation adds to the schema of a subgraph (reference/http#limits-and-federation). */
import type { RoleTable } from './role-table.ts'
import { scalarRef, stringRef } from './scalar-types.ts'
import { noArguments, nonNull, type ObjectType, objectType, type UnionType } from './type.ts'

/**
 * The fields of its key, by which gateways request a row; null where the role cannot, or metadata does not allow it.
 */
export function entityKey({ table, columns }: RoleTable): readonly string[] | null {
  if (table.kind !== 'table' || !table.isEntity) return null
  const key = (table.primaryKey ?? []).map(({ name }) => columns.find((column) => column.name === name)?.field)
  const known = key.filter((field) => field !== undefined)
  return known.length === key.length ? known : null
}

/** A key and the name of its type: any object. */
export const anyRef = scalarRef('_Any')

/** The types with a key. */
export const entityUnion: UnionType = {
  kind: 'UNION',
  name: '_Entity',
  description: 'The types whose objects other subgraphs refer to',
}

export type ServiceMeaning = 'sdl'

export const serviceType: ObjectType<ServiceMeaning> = objectType<ServiceMeaning>('_Service', null, [
  { name: 'sdl', description: 'This schema', args: noArguments, type: nonNull(stringRef), meaning: 'sdl' },
])
