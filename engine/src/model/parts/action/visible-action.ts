import { ownKey } from '@svc/schema'
import { adminRole } from '../../../session.ts'
import { hasRole } from '../../inherit/inherited-role.ts'
import type { Model } from '../../model.ts'
import { partValue } from '../values.ts'
import { actionPart, actionPermissionPart } from './action-part.ts'
import type { ResolvedAction } from './resolved-action.ts'

/** A consistent action that the role has a permission for, or inherits one (reference/actions#schema-of-a-role). */
export function visibleAction(model: Model, role: string, name: string): ResolvedAction | undefined {
  const id = ownKey('action', { name })
  const action = partValue(model, actionPart, id)
  if (!action || role === adminRole) return action
  const permitted = {
    has: (one: string) =>
      partValue(model, actionPermissionPart, `${id}/${ownKey('action_permission', { role: one })}`) !== undefined,
  }
  return hasRole(permitted, role, model.inheritedRoles.get(role)) ? action : undefined
}
