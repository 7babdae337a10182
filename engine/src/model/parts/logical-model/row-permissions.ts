import type { LogicalModelSelectPermission, SelectPermission } from '@svc/schema'
import { foundIn } from '../../resolve/resolution-error.ts'
import { PlainResolveContext } from '../../resolve/resolve-context.ts'
import type { ResolvedSelectPermission } from '../../resolved-permission.ts'
import { resolveSelect } from '../permission/resolve-permission.ts'
import type { LogicalNode } from './logical-shape.ts'

/**
 * Like that of a table, without what a logical model does not have
 * (reference/metadata-operations#native-queries-and-logical-models).
 */
export function permissionOf(
  permission: LogicalModelSelectPermission,
  { shape, name }: LogicalNode,
  headerPrefix: string | undefined,
): ResolvedSelectPermission {
  const around = new PlainResolveContext({ ...nothing, ...(headerPrefix !== undefined && { headerPrefix }) })
  return foundIn(`in logical model "${name}": in permission for role "${permission.role}": `, () =>
    resolveSelect(permission as unknown as SelectPermission, shape, around),
  )
}

/** A filter of a logical model speaks of its own fields. */
const nothing = {
  shape: () => null,
  relationship: () => null,
  computedField: () => null,
  functions: () => [],
}
