import { type Action, address, findObject, type MetadataDocument, type ObjectAddress, ownKey } from '@svc/schema'
import { ApiError, type Path } from '../errors.ts'

export const actionAddress = (name: string): ObjectAddress => address('action', ownKey('action', { name }))

export const actionPermissionAddress = (action: string, role: string): ObjectAddress =>
  address('action_permission', ownKey('action_permission', { role }), actionAddress(action))

export const customTypesAddress: ObjectAddress = address('custom_types', ownKey('custom_types', {}))

/** Throws not-exists at `path`. */
export function findAction(document: MetadataDocument, name: string, path: Path, at: Path = path): Action {
  const object = findObject(document, actionAddress(name))
  if (!object) throw new ApiError('not-exists', path, `action with name "${name}" does not exist`, { at })
  return object.value as unknown as Action
}
