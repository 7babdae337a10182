import { parentName } from './attributes-of.ts'
import { defineResource } from './define-resource.ts'
import { comment, forRole } from './in-table.ts'
import { operations } from './operation.ts'

/** Lets a role use an action (reference/metadata-operations#operations-on-actions). */
export const actionPermission = defineResource({
  kind: 'ActionPermission',
  type: 'action_permission',
  description: 'Lets a role use an action.',
  inputs: {
    action: parentName('Name of the action, best as an output of it.'),
    ...forRole,
    comment,
  },
  identity: ['action', 'role'],
  example: ['place_order', 'buyer'],
  ...operations('create_action_permission', null, 'drop_action_permission', 'role'),
})
