/**
 * Row types of native queries, and who may read them (reference/metadata-operations#native-queries-and-logical-models).
 */
import {
  address,
  type CreateLogicalModelPermissionArgs,
  createLogicalModelPermissionArgs,
  type DropLogicalModelPermissionArgs,
  dropLogicalModelPermissionArgs,
  findObject,
  isRecord,
  type Json,
  type JsonObject,
  type MetadataDocument,
  type ObjectAddress,
  ownKey,
  sourceAddress,
  trackLogicalModelArgs,
  untrackLogicalModelArgs,
} from '@svc/schema'
import type { ApiError, Path } from '../../errors.ts'
import { adminRole } from '../../session.ts'
import { withNew, withoutObject, withValue } from '../change-object.ts'
import { requireObject, requireReady, requireSource, withoutAbsent } from '../find-table.ts'
import { type Applied, defineSourceOperation, type SourceOperation } from '../operation.ts'
import { requireNativeQuery } from './native-query.ts'

const modelAddress = (source: string, name: string): ObjectAddress =>
  address('logical_model', ownKey('logical_model', { name }), sourceAddress(source))

function requireModel(document: MetadataDocument, source: string, name: string, path: Path) {
  requireSource(document, source, path, path.at('source'))
  const at = modelAddress(source, name)
  const text = `logical model "${name}" does not exist in source: ${source}`
  return { at, object: requireObject(document, at, path, path.at('name'), text, 'not-found') }
}

/** track_logical_model. already-tracked; fields of unknown types make it inconsistent. */
const trackLogicalModel = defineSourceOperation({
  name: 'track_logical_model',
  args: () => trackLogicalModelArgs,
  check: 'object',
  apply(document, { source, ...model }, path, context) {
    requireSource(document, source, path, path.at('source'))
    requireReady(source, path, context)
    const at = modelAddress(source, model.name)
    if (findObject(document, at))
      throw path.error('already-tracked', `logical model already tracked: "${model.name}"`, 'name')
    return withNew(document, at, model)
  },
})

/**
 * update_logical_model: other fields under the same name; its permissions remain. Throws not-found. An addition of
 * ours.
 */
const updateLogicalModel = defineSourceOperation({
  name: 'update_logical_model',
  args: () => trackLogicalModelArgs,
  check: 'object',
  apply(document, { source, ...model }, path, context) {
    const { at } = requireModel(document, source, model.name, path)
    requireReady(source, path, context)
    return withValue(document, at, model)
  },
})

/**
 * untrack_logical_model. not-found; one that a native query returns cannot go
 * (reference/metadata-operations#native-queries-and-logical-models).
 */
const untrackLogicalModel = defineSourceOperation({
  name: 'untrack_logical_model',
  args: () => untrackLogicalModelArgs,
  check: 'no-new',
  drops: ({ source, name }) => [modelAddress(source, name)],
  apply(document, { source, name }, path) {
    const { at } = requireModel(document, source, name, path)
    return withoutObject(document, at)
  },
})

const permissionAddress = (source: string, name: string, role: string): ObjectAddress =>
  address(
    'logical_model_select_permission',
    ownKey('logical_model_select_permission', { role }),
    modelAddress(source, name),
  )

const exists = (name: string, role: string, path: Path): ApiError =>
  path.error(
    'already-exists',
    `select permission already defined on logical model "${name}" with role "${role}"`,
    'role',
  )

const missing = (name: string, role: string, path: Path): ApiError =>
  path.error('not-found', `select permission on logical model "${name}" for role "${role}" does not exist`, 'role')

/** create_logical_model_select_permission. already-exists for a second one and for the admin; not-found. */
const createPermission = defineSourceOperation({
  name: 'create_logical_model_select_permission',
  args: ({ names }) => createLogicalModelPermissionArgs(names.style),
  check: 'object',
  apply(document, args, path, context) {
    const { source, name, role } = args
    if (args.type === 'native_query') return createInline(document, args, path)
    requireModel(document, source, name, path)
    requireReady(source, path, context)
    const at = permissionAddress(source, name, role)
    if (role === adminRole || findObject(document, at)) throw exists(name, role, path)
    return withNew(document, at, permissionValue(args))
  },
})

const permissionValue = ({ role, permission, comment }: CreateLogicalModelPermissionArgs): JsonObject =>
  withoutAbsent({ role, permission: permission, comment })

/** drop_logical_model_select_permission. not-found. */
const dropPermission = defineSourceOperation({
  name: 'drop_logical_model_select_permission',
  args: () => dropLogicalModelPermissionArgs,
  check: 'no-new',
  drops: ({ type, source, name, role }) => (type === 'logical_model' ? [permissionAddress(source, name, role)] : []),
  apply(document, args, path) {
    const { source, name, role } = args
    if (args.type === 'native_query') return dropInline(document, args, path)
    requireModel(document, source, name, path)
    const at = permissionAddress(source, name, role)
    if (!findObject(document, at)) throw missing(name, role, path)
    return withoutObject(document, at)
  },
})

/** The permissions of the logical model that a native query declares inline, and the query with new ones. */
function inlinePermissions(document: MetadataDocument, source: string, name: string, path: Path) {
  const { at, object } = requireNativeQuery(document, source, name, path, path.at('name'))
  const { returns } = object.value
  if (!isRecord(returns))
    throw path.error('not-found', `native query "${name}" has no logical model of its own`, 'name')
  const permissions = Array.isArray(returns.select_permissions)
    ? (returns.select_permissions as readonly Json[]).filter(isRecord)
    : []
  const withPermissions = (now: readonly JsonObject[]): Applied => {
    const others = { fields: returns.fields ?? [], ...(now.length > 0 && { select_permissions: now }) }
    return withValue(document, at, { ...object.value, returns: others })
  }
  return { permissions, withPermissions }
}

function createInline(document: MetadataDocument, args: CreateLogicalModelPermissionArgs, path: Path): Applied {
  const { permissions, withPermissions } = inlinePermissions(document, args.source, args.name, path)
  if (args.role === adminRole || permissions.some(({ role }) => role === args.role))
    throw exists(args.name, args.role, path)
  return withPermissions([...permissions, permissionValue(args)])
}

function dropInline(document: MetadataDocument, args: DropLogicalModelPermissionArgs, path: Path): Applied {
  const { permissions, withPermissions } = inlinePermissions(document, args.source, args.name, path)
  const left = permissions.filter(({ role }) => role !== args.role)
  if (left.length === permissions.length) throw missing(args.name, args.role, path)
  return withPermissions(left)
}

export const logicalModelOperations: readonly SourceOperation[] = [
  trackLogicalModel,
  updateLogicalModel,
  untrackLogicalModel,
  createPermission,
  dropPermission,
]
