/**
 * Other GraphQL servers whose schemas become part of ours (reference/metadata-operations#operations-on-remote-schemas,
 * reference/remote-schemas#definition).
 */
import {
  addRemoteSchemaArgs,
  addRemoteSchemaPermissionsArgs,
  address,
  dropRemoteSchemaPermissionsArgs,
  findObject,
  type MetadataDocument,
  namedRemoteSchemaArgs,
  type ObjectAddress,
  ownKey,
} from '@svc/schema'
import { ApiError, type Path } from '../../errors.ts'
import { withoutObject, withValue } from '../change-object.ts'
import { DependencyError, isWithin } from '../drop-dependents.ts'
import { requireObject, withoutAbsent } from '../find-table.ts'
import { defineOperation, type Operation } from '../operation.ts'

const adminRole = 'admin'

const addressOf = (name: string): ObjectAddress => address('remote_schema', ownKey('remote_schema', { name }))

const permissionAddress = (remote: string, role: string): ObjectAddress =>
  address('remote_schema_permission', ownKey('remote_schema_permission', { role }), addressOf(remote))

/**
 * add_remote_schema: its server is introspected before anything is stored. Throws already-exists, and what is wrong
 * with its schema.
 */
const addRemoteSchema = defineOperation({
  type: 'add_remote_schema',
  args: addRemoteSchemaArgs,
  check: 'object',
  apply(document, remote, path) {
    const at = addressOf(remote.name)
    if (findObject(document, at))
      throw new ApiError('already-exists', path, `remote schema with name "${remote.name}" already exists`)
    return withValue(document, at, withoutAbsent({ ...remote } as never))
  },
})

/** update_remote_schema: permissions and relationships remain. Throws not-exists. */
const updateRemoteSchema = defineOperation({
  type: 'update_remote_schema',
  args: addRemoteSchemaArgs,
  check: 'object',
  apply(document, remote, path) {
    const at = addressOf(remote.name)
    if (!findObject(document, at))
      throw new ApiError('not-exists', path, `remote schema with name "${remote.name}" doesn't exist`)
    return withValue(document, at, withoutAbsent({ ...remote } as never))
  },
})

/** remove_remote_schema: with its permissions. not-exists; dependency-error while relationships lead to it. */
const removeRemoteSchema = defineOperation({
  type: 'remove_remote_schema',
  args: namedRemoteSchemaArgs,
  check: 'no-new',
  drops: ({ name }) => [addressOf(name)],
  apply(document, { name }, path, context) {
    const at = addressOf(name)
    if (!findObject(document, at)) throw new ApiError('not-exists', path, 'no such remote schema')
    const dependents = context
      .dependentsOf(document, [at])
      .filter((dependent) => dependent.address.type !== 'remote_schema_permission' && !isWithin(dependent.address, at))
    if (dependents.length > 0 && !context.checksEndState) throw new DependencyError(path, path.at('name'), dependents)
    return withoutObject(document, at)
  },
})

/** add_remote_schema_permissions. constraint-violation for the admin; not-exists, already-exists. */
const addPermissions = defineOperation({
  type: 'add_remote_schema_permissions',
  args: addRemoteSchemaPermissionsArgs,
  check: 'object',
  apply(document, { remote_schema, role, definition, comment }, path, context) {
    if (!context.remoteSchemaPermissionsEnabled)
      throw new ApiError(
        'constraint-violation',
        path,
        'remote schema permissions can only be added when remote schema permissions are enabled in the graphql-engine',
      )
    requireRemote(document, remote_schema, path)
    if (role === adminRole) throw new ApiError('constraint-violation', path, 'cannot define permission for admin role')
    const at = permissionAddress(remote_schema, role)
    if (findObject(document, at))
      throw new ApiError(
        'already-exists',
        path,
        `permissions for role: "${role}" for remote schema:"${remote_schema}" already exists`,
      )
    return withValue(document, at, withoutAbsent({ role, definition, comment } as never))
  },
})

/** drop_remote_schema_permissions. not-exists. */
const dropPermissions = defineOperation({
  type: 'drop_remote_schema_permissions',
  args: dropRemoteSchemaPermissionsArgs,
  check: 'no-new',
  drops: ({ remote_schema, role }) => [permissionAddress(remote_schema, role)],
  apply(document, { remote_schema, role }, path) {
    requireRemote(document, remote_schema, path)
    const at = permissionAddress(remote_schema, role)
    if (!findObject(document, at))
      throw new ApiError(
        'not-exists',
        path,
        `permissions for role: "${role}" for remote schema:"${remote_schema}" doesn't exist`,
      )
    return withoutObject(document, at)
  },
})

function requireRemote(document: MetadataDocument, name: string, path: Path): void {
  requireObject(document, addressOf(name), path, path.at('remote_schema'), `remote schema "${name}" doesn't exist`)
}

export const remoteSchemaOperations: readonly Operation[] = [
  addRemoteSchema,
  updateRemoteSchema,
  removeRemoteSchema,
  addPermissions,
  dropPermissions,
]
