import type { RoleSchema } from '../types/role-schema.ts'
import type { Pause } from './pause.ts'

export interface InSteps<T> {
  (schema: RoleSchema): T
  /** Makes it while other requests go on: at 1,000 tables each such thing takes 20 ms and more. */
  prepare(schema: RoleSchema, pause: Pause): Promise<void>
}

/**
 * Makes something in steps and once for each schema, which never changes: a document may request it a thousand times. It is
 * kept for as long as the schema is.
 */
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
