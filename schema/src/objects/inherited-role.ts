import { name, nonEmpty, record, text, type Value } from '../shape.ts'

/** A role that may what several others may (seed, Inherited role; spec 01 §2.14). */
export const inheritedRole = record({ role_name: name, role_set: nonEmpty(text) })
export type InheritedRole = Value<typeof inheritedRole>
