import { ApiError, Path } from '../../errors.ts'
import { contextOf, writtenTypes } from '../selection/context.ts'
import { type Guard, holds, type VariableValues } from '../selection/guard.ts'
import type { VariableCheck } from '../selection/variable-check.ts'
import type { GraphqlSettings } from '../settings.ts'
import type { RoleSchema } from '../types/role-schema.ts'
import { checkVariables } from './check-variables.ts'
import type { PlannedUpdates, WriteGroup } from './operation-plan.ts'
import { planUpdateEntry } from './plan-update.ts'

/** An update of a list as it is planned, for all that have its shape. `G`: what is cached of its writes. */
export interface UpdateShape<G> {
  readonly guards: readonly Guard[]
  readonly checks: readonly VariableCheck[]
  readonly group: G
}

/** No variable of a document is called so: the values of an update are inside it. */
const entryName = ':update'

/** Returns the values of one update of a list, as the variables that its plan reads. */
export const updateValues = (entry: unknown): VariableValues => ({ [entryName]: entry })

/** Whether a shape is that of an update. Throws what is wrong with its values. */
export function hasShape({ guards, checks }: UpdateShape<unknown>, values: VariableValues): boolean {
  if (!holds(guards, values)) return false
  checkVariables(checks, values)
  return true
}

/**
 * Plans an update of `update_T_many` (reference/mutations#update). Its values are found by `updateValues`, and its paths
 * begin at it. Throws what validation says, at such a path too.
 */
export function planUpdateShape(
  { table, answer }: PlannedUpdates,
  values: VariableValues,
  schema: RoleSchema,
  settings: GraphqlSettings,
): UpdateShape<WriteGroup> {
  const types = writtenTypes(schema, table)
  const guards: Guard[] = []
  const context = contextOf(schema, settings, new Map(), { declared: new Map(), values, guards })
  const entry = { kind: 'json', value: values[entryName], variable: entryName, keys: [] } as const
  const group = planUpdateEntry(context, types, entry, answer, Path.root)
  const { checks } = context
  checkVariables(checks, values)
  return { guards, checks, group }
}

/**
 * Runs a step of one update; its errors get the update's path in the list. A single object has the path of the list.
 */
export function atUpdate<Result>(path: Path, step: () => Result): Result {
  try {
    return step()
  } catch (error) {
    throw error instanceof ApiError ? error.under(path) : error
  }
}
