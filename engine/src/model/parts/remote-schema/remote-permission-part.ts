import { objectValue } from '@svc/schema'
import { ApiError } from '../../../errors.ts'
import { type PermittedTypes, readPermission } from '../../../remote-schemas/index.ts'
import { ResolutionError } from '../../resolve/resolution-error.ts'
import { objectId } from '../../table-id.ts'
import type { Part } from '../part.ts'
import { remoteSchemaPart } from './remote-schema-part.ts'

/** What a role may use of a remote schema (reference/remote-schemas#permissions-of-roles). */
export const remotePermissionPart: Part<PermittedTypes> = {
  key: 'remote_schema_permission',
  type: 'remote_schema_permission',
  dependentText: ({ above, own }) => `remote schema permission ${above}."${own}"`,
  resolve({ at, object }, reading) {
    const remote = at.parent && reading.value(remoteSchemaPart, objectId(at.parent))
    if (!remote) throw new Error('a permission is resolved below a remote schema only')
    const { definition } = objectValue(object, 'remote_schema_permission')
    try {
      return readPermission(definition.schema, remote.types, reading.tables.headerPrefix)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      throw new ResolutionError(error.message, { cause: 'definition', at: ['definition', 'schema'], refusal: error })
    }
  },
  same: (a, b) => a === b,
}
