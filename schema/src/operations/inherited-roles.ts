import { name, nonEmpty, record, text, type Value } from '../shape.ts'

const ignore = { unknown: 'ignore' } as const

/** add_inherited_role (reference/metadata-operations#roles-limits-telemetry). */
export const addInheritedRoleArgs = record({ role_name: name, role_set: nonEmpty(text) }, ignore)
export type AddInheritedRoleArgs = Value<typeof addInheritedRoleArgs>

/** drop_inherited_role: `role`, or `role_name`. */
export const dropInheritedRoleArgs = record({ role: name }, { ...ignore, aliases: { role_name: 'role' } })
export type DropInheritedRoleArgs = Value<typeof dropInheritedRoleArgs>
