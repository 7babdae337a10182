import type { ResolvedSelectPermission } from '../../resolved-permission.ts'
import { objectId } from '../../table-id.ts'
import type { Part } from '../part.ts'
import { samePermission } from '../permission/same-permission.ts'
import { logicalModelPart } from './logical-model-part.ts'
import { permissionOf } from './row-permissions.ts'

/** What a role may select of a logical model's rows. */
export const logicalPermissionPart: Part<ResolvedSelectPermission, 'logical_model_select_permission'> = {
  key: 'logical_model_select_permission',
  type: 'logical_model_select_permission',
  definition: ({ value }, above) => ({
    source: above?.parent?.key.name ?? null,
    logical_model: above?.key.name ?? null,
    ...value,
  }),
  resolve({ at, value }, reading) {
    const model = at.parent && reading.value(logicalModelPart, objectId(at.parent))
    if (!model) throw new Error('a permission is resolved below a logical model only')
    return permissionOf(value, model, reading.tables.headerPrefix)
  },
  same: samePermission,
}
