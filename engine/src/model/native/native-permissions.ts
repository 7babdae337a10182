import type { Json, JsonObject, LogicalModelSelectPermission, SelectPermission } from '@svc/schema'
import type { ResolvedSelectPermission } from '../model.ts'
import { Flaw } from '../resolve/flaw.ts'
import { resolveSelect } from '../resolve/resolve-permission.ts'
import { listenedTo } from '../resolve/surroundings.ts'
import type { LogicalNode } from './logical-shape.ts'
import type { NativeNode } from './resolve-native-query.ts'

/** Those of a logical model that a native query writes in place. Throws a Flaw. */
export function inlinePermissions(
  { select_permissions: given }: JsonObject,
  { rows }: NativeNode,
): ReadonlyMap<string, ResolvedSelectPermission> {
  const list = Array.isArray(given) ? (given as readonly Json[]) : []
  return new Map(
    list.map((one, i) => {
      const permission = one as unknown as LogicalModelSelectPermission
      try {
        return [permission.role, permissionOf(permission, rows)] as const
      } catch (error) {
        if (!(error instanceof Flaw)) throw error
        throw new Flaw(error.message, {
          ...error.detail,
          at: ['returns', 'select_permissions', i, ...(error.detail.at ?? [])],
        })
      }
    }),
  )
}

/** Like that of a table, without what a logical model does not have (spec 01 §2.15). */
export function permissionOf(
  permission: LogicalModelSelectPermission,
  { shape, name }: LogicalNode,
): ResolvedSelectPermission {
  const around = listenedTo(nothing, () => {})
  try {
    return resolveSelect(permission as unknown as SelectPermission, shape, around)
  } catch (error) {
    if (!(error instanceof Flaw)) throw error
    throw new Flaw(`in logical model "${name}": in permission for role "${permission.role}": ${error.message}`, {
      ...error.detail,
    })
  }
}

/** A filter of a logical model speaks of its own fields. */
const nothing = {
  shape: () => null,
  relationship: () => null,
  computedField: () => null,
  functions: () => [],
}
