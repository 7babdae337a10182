/** Roles that have the permissions of others (reference/metadata-operations#roles-limits-telemetry). */
import {
  addInheritedRoleArgs,
  address,
  dropInheritedRoleArgs,
  findObject,
  inheritanceOf,
  type MetadataDocument,
  type ObjectAddress,
  ownKey,
  setValue,
} from '@svc/schema'
import { ApiError, type Path } from '../../errors.ts'
import { withoutObject } from '../change-object.ts'
import { defineOperation, type Operation } from '../operation.ts'

const addressOf = (role: string): ObjectAddress =>
  address('inherited_role', ownKey('inherited_role', { role_name: role }))

/**
 * Throws cyclic-dependency where an inherited role inherits itself, directly or through others
 * (reference/metadata-requests#errors).
 */
export function refuseRoleCycles(document: MetadataDocument, path: Path, at: Path = path): void {
  const { cyclic } = inheritanceOf(document)
  if (cyclic.length > 0)
    throw new ApiError('cyclic-dependency', path, `found cycle(s) in roles: ${cyclic.join(', ')}`, { at })
}

/**
 * add_inherited_role: makes the role, or makes it of other ones. invalid-params for itself among its parents;
 * cyclic-dependency; a parent that is no role makes it inconsistent.
 */
const addInheritedRole = defineOperation({
  type: 'add_inherited_role',
  args: addInheritedRoleArgs,
  check: 'object',
  apply(document, { role_name, role_set }, path) {
    if (role_set.includes(role_name))
      throw path.error('invalid-params', 'an inherited role name cannot be in the role combination', 'role_set')
    const at = addressOf(role_name)
    const added = setValue(document, at, { role_name, role_set })
    refuseRoleCycles(added, path, path.at('role_set'))
    return { document: added, touched: [at] }
  },
})

/** drop_inherited_role. not-exists; unexpected where other roles are made of it. */
const dropInheritedRole = defineOperation({
  type: 'drop_inherited_role',
  args: dropInheritedRoleArgs,
  check: 'object',
  drops: ({ role }) => [addressOf(role)],
  apply(document, { role }, path) {
    const at = addressOf(role)
    if (!findObject(document, at)) throw path.error('not-exists', `"${role}" inherited role doesn't exist`, 'role')
    return withoutObject(document, at)
  },
})

export const inheritedRoleOperations: readonly Operation[] = [addInheritedRole, dropInheritedRole]
