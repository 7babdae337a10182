import type { PreparedWrite } from '../backends/index.ts'
import { hasShape, type RoleSchema, type UpdateShape, type VariableValues } from '../graphql/index.ts'

/** A write, or its answer where there is nothing to do. */
export type PreparedGroup = PreparedWrite | { readonly text: string }

/** Shapes of updates that one root field remembers: more than these are not worth searching. */
const MOST = 64

/** Updates of a list by their shapes, for as long as the schema that they were planned for. */
export class UpdateShapes {
  readonly #known = new WeakMap<RoleSchema, UpdateShape<PreparedGroup>[]>()

  /** Throws what is wrong with the values. */
  find(values: VariableValues, schema: RoleSchema, plan: () => UpdateShape<PreparedGroup>): PreparedGroup {
    const known = this.#known.get(schema) ?? []
    const at = known.findIndex((shape) => hasShape(shape, values))
    const shape = known[at] ?? plan()
    if (at !== 0) {
      // a list is mostly of one shape
      if (at > 0) known.splice(at, 1)
      known.unshift(shape)
      known.length = Math.min(known.length, MOST)
      this.#known.set(schema, known)
    }
    return shape.group
  }
}
