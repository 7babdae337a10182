import { name, nonEmpty, record, text, type Value } from '../shape.ts'

/** A role with the permissions of several others (reference/metadata-operations#roles-limits-telemetry). */
export const inheritedRole = record({ role_name: name, role_set: nonEmpty(text) })
export type InheritedRole = Value<typeof inheritedRole>
