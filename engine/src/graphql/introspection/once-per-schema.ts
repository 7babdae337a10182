import type { RoleSchema } from '../types/role-schema.ts'

/** A schema never changes, so this is made once: a document may ask for it a thousand times. Goes with the schema. */
export function oncePerSchema<T>(make: (schema: RoleSchema) => T): (schema: RoleSchema) => T {
  const made = new WeakMap<RoleSchema, { readonly value: T }>()
  return (schema) => {
    const known = made.get(schema) ?? { value: make(schema) }
    made.set(schema, known)
    return known.value
  }
}
