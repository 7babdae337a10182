import { textsIn } from '@svc/schema'
import { identifying } from './attributes-of.ts'
import { defineResource } from './define-resource.ts'
import { op } from './operation.ts'

/** A role that may do what any of its roles may (reference/metadata-operations#roles-limits-telemetry). */
export const inheritedRole = defineResource({
  kind: 'InheritedRole',
  type: 'inherited_role',
  description: 'A role that may do what any of its roles may.',
  inputs: {
    role_name: identifying('Its name.'),
    role_set: { description: 'The roles it is made of: of permissions, or inherited ones.', set: true },
  },
  identity: ['role_name'],
  example: ['editor'],
  createBeforeDelete: true,
  dependsOn: (_, { role_set }) =>
    textsIn(role_set).map((role) => ({ to: 'role', source: null, role, attribute: ['role_set'] })),
  create: (now) => [op('add_inherited_role', now)],
  update: (_, now) => [op('add_inherited_role', now)],
  delete: ({ role_name = null }) => [op('drop_inherited_role', { role: role_name })],
})
