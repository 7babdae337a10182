import { parentName } from './attributes-of.ts'
import { defineResource } from './define-resource.ts'
import { comment, forRole } from './in-table.ts'
import { op } from './operation.ts'

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
  create: (now, place) => [op('create_action_permission', { ...place, ...now })],
  update: ({ role = null }, now, place) => [
    op('drop_action_permission', { ...place, role }),
    op('create_action_permission', { ...place, ...now }),
  ],
  delete: ({ role = null }, place) => [op('drop_action_permission', { ...place, role })],
})
