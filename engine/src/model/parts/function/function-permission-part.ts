import { address, ownKey } from '@svc/schema'
import { ResolutionError } from '../../resolve/resolution-error.ts'
import { addressOfTable, objectId, quotedTable } from '../../table-id.ts'
import type { Part } from '../part.ts'
import { functionPart } from './function-part.ts'

/**
 * A role that may call a function: one that cannot select from the returned table cannot use it
 * (reference/metadata-operations#functions).
 */
export const functionPermissionPart: Part<string, 'function_permission'> = {
  key: 'function_permission',
  type: 'function_permission',
  isCascaded: true,
  definition: ({ value }, above) => ({
    source: above?.parent?.key.name ?? null,
    function: above?.key.function ?? null,
    ...value,
  }),
  resolve({ at, value: { role } }, reading) {
    const called = at.parent && reading.value(functionPart, objectId(at.parent))
    if (!called) throw new Error('a permission is resolved below a function only')
    if (reading.maySelect(called.table, role)) return role
    throw new ResolutionError(
      `function permission cannot be created because role "${role}" does not have a select permission on the returned table ${quotedTable(called.of)}`,
      {
        cause: 'metadata',
        needs: [address('select_permission', ownKey('select_permission', { role }), addressOfTable(called.table))],
        at: ['role'],
        code: 'not-supported',
      },
    )
  },
}
