import { name, nonEmpty, record, text, type Value } from '../shape.ts'

/** A role that may what several others may (reference/metadata-operations#roles-limits-telemetry). */
export const inheritedRole = record({ role_name: name, role_set: nonEmpty(text) })
export type InheritedRole = Value<typeof inheritedRole>
