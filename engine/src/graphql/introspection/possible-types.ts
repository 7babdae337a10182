import { isNode } from '../types/relay-types.ts'
import type { RoleSchema } from '../types/role-schema.ts'
import { tablePartRef } from '../types/table-types.ts'
import type { InterfaceType, TypeRef } from '../types/type.ts'
import { visibleTables } from './visible-tables.ts'

/** The types that have an interface. There is one, `Node`, and rows with a key are nodes. */
export const possibleTypes = (_type: InterfaceType, schema: RoleSchema): readonly TypeRef[] =>
  visibleTables(schema)
    .filter(isNode)
    .map((table) => tablePartRef(table, 'row'))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
