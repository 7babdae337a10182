import { entityKey } from '../types/federation-types.ts'
import { isNode } from '../types/relay-types.ts'
import type { RoleSchema } from '../types/role-schema.ts'
import { tablePartRef } from '../types/table-part-ref.ts'
import type { AbstractType, TypeRef } from '../types/type.ts'
import { visibleTables } from './visible-tables.ts'

/** The types of an abstract one: of `Node` rows with a key, of `_Entity` those whose key other subgraphs may use. */
export const possibleTypes = ({ kind, possible }: AbstractType, schema: RoleSchema): readonly TypeRef[] =>
  possible ??
  visibleTables(schema)
    .filter((table) => (kind === 'INTERFACE' ? isNode(table) : entityKey(table) !== null))
    .map((table) => tablePartRef(table, 'row'))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
