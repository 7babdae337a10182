/** Actions, who may use them, and their types (reference/actions#custom-types, reference/actions). */
import {
  type ActionArgs,
  actionArgs,
  createActionPermissionArgs,
  customTypesAddress,
  dropActionArgs,
  dropActionPermissionArgs,
  findObject,
  type JsonObject,
  type MetadataDocument,
  setCustomTypesArgs,
} from '@svc/schema'
import type { Path } from '../../errors.ts'
import { withoutObject, withSetting, withValue } from '../change-object.ts'
import { checkTransforms } from '../check-transforms.ts'
import { actionAddress, actionPermissionAddress, findAction } from '../find-action.ts'
import { withoutAbsent } from '../find-table.ts'
import { type Applied, defineOperation, type Operation } from '../operation.ts'
import { spellForeignNames } from '../spell-foreign-names.ts'

const put = (document: MetadataDocument, action: ActionArgs): Applied =>
  withValue(document, actionAddress(action.name), withoutAbsent({ ...action }))

/** create_action. already-exists; validation-failed for a template that does not parse; types that do not exist. */
const createAction = defineOperation({
  type: 'create_action',
  args: actionArgs,
  check: 'object',
  apply(document, action, path) {
    checkTransforms(action.definition, path, path.at('definition'))
    if (findObject(document, actionAddress(action.name)))
      throw path.error('already-exists', `action with name "${action.name}" already exists`, 'name')
    return put(document, action)
  },
})

/** update_action: definition and comment are replaced, permissions remain. Throws not-exists. */
const updateAction = defineOperation({
  type: 'update_action',
  args: actionArgs,
  check: 'object',
  apply(document, action, path) {
    checkTransforms(action.definition, path, path.at('definition'))
    findAction(document, action.name, path, path.at('name'))
    return put(document, action)
  },
})

/** drop_action with its permissions. not-exists. */
const dropAction = defineOperation({
  type: 'drop_action',
  args: dropActionArgs,
  check: 'no-new',
  drops: ({ name }) => [actionAddress(name)],
  apply(document, { name, clear_data: clearData }, path) {
    findAction(document, name, path, path.at('name'))
    return { ...withoutObject(document, actionAddress(name)), ...(clearData && { clearsActionLog: name }) }
  },
})

/** create_action_permission. already-exists; not-exists for the action. */
const createActionPermission = defineOperation({
  type: 'create_action_permission',
  args: createActionPermissionArgs,
  check: 'object',
  apply(document, { action, role, comment }, path) {
    findAction(document, action, path, path.at('action'))
    const at = actionPermissionAddress(action, role)
    if (findObject(document, at))
      throw path.error('already-exists', `permission for role "${role}" is already defined on "${action}"`, 'role')
    return withValue(document, at, withoutAbsent({ role, comment }))
  },
})

/** drop_action_permission. not-exists. */
const dropActionPermission = defineOperation({
  type: 'drop_action_permission',
  args: dropActionPermissionArgs,
  check: 'no-new',
  drops: ({ action, role }) => [actionPermissionAddress(action, role)],
  apply(document, { action, role }, path) {
    const at = actionPermissionAddress(action, role)
    if (!findObject(document, at)) throw notDefined(action, role, path)
    return withoutObject(document, at)
  },
})

const notDefined = (action: string, role: string, path: Path) =>
  path.error('not-exists', `permission for role: "${role}" is not defined on "${action}"`, 'role')

/** set_custom_types: replaces all types. invalid-configuration where they do not fit together. */
const setCustomTypes = defineOperation({
  type: 'set_custom_types',
  args: setCustomTypesArgs,
  check: 'object',
  apply(document, types) {
    const value = spellForeignNames(document, customTypesAddress.type, withoutAbsent({ ...types }) as JsonObject)
    return withSetting(document, customTypesAddress, value)
  },
})

export const actionOperations: readonly Operation[] = [
  createAction,
  updateAction,
  dropAction,
  createActionPermission,
  dropActionPermission,
  setCustomTypes,
]
