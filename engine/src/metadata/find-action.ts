import { type Action, address, type MetadataDocument, type ObjectAddress, objectValue, ownKey } from '@svc/schema'
import type { Path } from '../errors.ts'
import { requireObject } from './find-table.ts'

export const actionAddress = (name: string): ObjectAddress => address('action', ownKey('action', { name }))

export const actionPermissionAddress = (action: string, role: string): ObjectAddress =>
  address('action_permission', ownKey('action_permission', { role }), actionAddress(action))

/** Throws not-exists at `path`. */
export function findAction(document: MetadataDocument, name: string, path: Path, at: Path = path): Action {
  const text = `action with name "${name}" does not exist`
  return objectValue(requireObject(document, actionAddress(name), path, at, text), 'action')
}
