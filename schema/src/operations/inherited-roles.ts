import { lenient, name, nonEmpty, text } from '../shape.ts'

/** add_inherited_role (reference/metadata-operations#roles-limits-telemetry). */
export const addInheritedRoleArgs = lenient({ role_name: name, role_set: nonEmpty(text) })

/** drop_inherited_role: `role`, or `role_name`. */
export const dropInheritedRoleArgs = lenient({ role: name }, { aliases: { role_name: 'role' } })
