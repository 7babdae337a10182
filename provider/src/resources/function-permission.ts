import type { Json } from '@svc/schema'
import { defineInSource } from './define-resource.ts'
import { forRole, functionName, inSource } from './in-table.ts'

/** That a role may call a tracked function (reference/metadata-operations#functions). */
export const functionPermission = defineInSource(['public'], (family) => ({
  kind: 'FunctionPermission',
  type: 'function_permission',
  description:
    'That a role may call a tracked function: needed for mutations, and for queries where the engine does not infer it. The role must have a select permission on the returned table.',
  inputs: {
    ...inSource,
    function: { ...functionName('The tracked function, best as an output of it.', family), replace: true, at: null },
    ...forRole,
  },
  identity: ['source', 'function.schema', 'function.name', 'role'],
  example: ['default', 'public', 'search_albums', 'user'],
  dependsOn: ({ source }, { role }) => [
    { to: 'select-permission', source: source as Json, role: role ?? null, attribute: ['role'] },
  ],
  ...family.operations('create_function_permission', null, 'drop_function_permission', 'role'),
  // nothing of it can change: all of it is its identity
  update: () => null,
}))
