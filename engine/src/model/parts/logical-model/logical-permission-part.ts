import type { LogicalModelSelectPermission } from '@svc/schema'
import type { ResolvedSelectPermission } from '../../model.ts'
import { samePermission } from '../../resolve/same-permission.ts'
import { objectId } from '../../table-id.ts'
import type { Part } from '../part.ts'
import { logicalModelPart } from './logical-model-part.ts'
import { permissionOf } from './row-permissions.ts'

/** What a role may select of a logical model's rows. */
export const logicalPermissionPart: Part<ResolvedSelectPermission> = {
  key: 'logical_model_select_permission',
  type: 'logical_model_select_permission',
  resolve({ at, object }, reading) {
    const model = at.parent && reading.value(logicalModelPart, objectId(at.parent))
    if (!model) throw new Error('a permission is resolved below a logical model only')
    return permissionOf(object.value as unknown as LogicalModelSelectPermission, model)
  },
  same: samePermission,
}
