import type { RoleSchema } from '../types/role-schema.ts'
import type { Pause } from './pause.ts'

/** A schema never changes, so this is made once: a document may request it a thousand times. Goes with the schema. */
export function oncePerSchema<T>(make: (schema: RoleSchema) => T): (schema: RoleSchema) => T {
  const made = new WeakMap<RoleSchema, { readonly value: T }>()
  return (schema) => {
    const known = made.get(schema) ?? { value: make(schema) }
    made.set(schema, known)
    return known.value
  }
}

export interface InSteps<T> {
  (schema: RoleSchema): T
  /** Makes it while other requests go on: at 1,000 tables each such thing takes 20 ms and more. */
  prepare(schema: RoleSchema, pause: Pause): Promise<void>
}

/** The same of what is made in steps. */
export function oncePerSchemaInSteps<T>(steps: (schema: RoleSchema) => Generator<undefined, T>): InSteps<T> {
  const made = new WeakMap<RoleSchema, { readonly value: T }>()
  const whole = (schema: RoleSchema): T => {
    const known = made.get(schema) ?? { value: lastOf(steps(schema)) }
    made.set(schema, known)
    return known.value
  }
  const prepare = async (schema: RoleSchema, pause: Pause) => {
    if (made.has(schema)) return
    const going = steps(schema)
    let step = going.next()
    for (; !step.done; step = going.next()) await pause()
    made.set(schema, { value: step.value })
  }
  return Object.assign(whole, { prepare })
}

function lastOf<T>(steps: Generator<undefined, T>): T {
  let step = steps.next()
  while (!step.done) step = steps.next()
  return step.value
}
