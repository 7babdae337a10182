/** Tracked functions and who may call them (reference/metadata-operations#functions). */
import {
  address,
  childrenOf,
  findObject,
  functionPermissionArgs,
  type JsonObject,
  type MetadataDocument,
  type MetadataObject,
  type ObjectAddress,
  ownKey,
  setFunctionCustomizationArgs,
  sourceAddress,
  type TrackFunctionArgs,
  tableText,
  trackFunctionArgs,
  trackFunctionVersion1Args,
  untrackFunctionArgs,
} from '@svc/schema'
import type { Path } from '../../errors.ts'
import { adminRole } from '../../session.ts'
import { withNew, withoutObject, withValue } from '../change-object.ts'
import { requireObject, requireReady, requireSource, withoutAbsent } from '../find-table.ts'
import { type Applied, defineOperation, defineSourceOperation, type SourceOperation } from '../operation.ts'
import type { OperationContext } from '../operation-context.ts'

interface FunctionArgs {
  readonly source: string
  readonly function: JsonObject
}

const functionAddress = ({ source, function: called }: FunctionArgs): ObjectAddress =>
  address('function', ownKey('function', { function: called }), sourceAddress(source))

/**
 * The tracked function an operation speaks of. Throws not-exists for the source or the function
 * (reference/metadata-requests#consistency).
 */
function requireFunction(
  document: MetadataDocument,
  args: FunctionArgs,
  path: Path,
): { readonly at: ObjectAddress; readonly object: MetadataObject } {
  requireSource(document, args.source, path, path.at('source'))
  const at = functionAddress(args)
  const text = `function "${tableText(args.function)}" does not exist in source: ${args.source}`
  return { at, object: requireObject(document, at, path, path.at('function'), text) }
}

/** Throws already-tracked, not-supported when a table has the name; what else is wrong makes it inconsistent. */
function track(document: MetadataDocument, args: TrackFunctionArgs, path: Path, context: OperationContext): Applied {
  const source = requireSource(document, args.source, path, path.at('source'))
  requireReady(args.source, path, context)
  const at = functionAddress(args)
  const text = tableText(args.function)
  if (findObject(document, at)) throw path.error('already-tracked', `function already tracked: "${text}"`, 'function')
  if (childrenOf(source, 'table').has(ownKey('table', { table: args.function })))
    throw path.error('not-supported', `table with name "${text}" already exists`, 'function')
  const { source: _, ...value } = args
  return withNew(document, at, value)
}

const trackFunction = defineSourceOperation({
  name: 'track_function',
  args: ({ names }) => trackFunctionArgs(names.style),
  check: 'object',
  apply: track,
})

/** track_function of /v1/query, version 1: the function itself. */
export const trackFunctionVersion1 = defineOperation({
  type: 'track_function',
  args: trackFunctionVersion1Args,
  check: 'object',
  apply: track,
})

/** untrack_function. not-exists; its permissions go with it. */
const untrackFunction = defineSourceOperation({
  name: 'untrack_function',
  args: ({ names }) => untrackFunctionArgs(names.style),
  check: 'no-new',
  drops: (args) => [functionAddress(args)],
  apply(document, args, path) {
    const { at } = requireFunction(document, args, path)
    return withoutObject(document, at)
  },
})

/**
 * set_function_customization: replaces the whole configuration, and the comment where there is one. Throws not-exists.
 */
const setFunctionCustomization = defineSourceOperation({
  name: 'set_function_customization',
  args: ({ names }) => setFunctionCustomizationArgs(names.style),
  check: 'object',
  apply(document, args, path, context) {
    const { at, object } = requireFunction(document, args, path)
    requireReady(args.source, path, context)
    const given = args.configuration
    const value = withoutAbsent({
      ...object.value,
      configuration: Object.keys(given).length === 0 ? undefined : given,
      ...(args.comment !== undefined && { comment: args.comment ?? undefined }),
    })
    return withValue(document, at, value)
  },
})

const permissionAddress = (above: ObjectAddress, role: string): ObjectAddress =>
  address('function_permission', ownKey('function_permission', { role }), above)

/** create_function_permission. already-exists for a second one and for the admin; not-supported, of the model, for a role that may not select. */
const createFunctionPermission = defineSourceOperation({
  name: 'create_function_permission',
  args: ({ names }) => functionPermissionArgs(names.style),
  check: 'object',
  apply(document, args, path, context) {
    const { at: above } = requireFunction(document, args, path)
    requireReady(args.source, path, context)
    const at = permissionAddress(above, args.role)
    if (args.role === adminRole || findObject(document, at))
      throw path.error(
        'already-exists',
        `permission of role "${args.role}" already exists for function "${tableText(args.function)}" in source: "${args.source}"`,
        'role',
      )
    return withNew(document, at, { role: args.role })
  },
})

/** drop_function_permission. not-exists. */
const dropFunctionPermission = defineSourceOperation({
  name: 'drop_function_permission',
  args: ({ names }) => functionPermissionArgs(names.style),
  check: 'no-new',
  drops: (args) => [permissionAddress(functionAddress(args), args.role)],
  apply(document, args, path) {
    const at = permissionAddress(requireFunction(document, args, path).at, args.role)
    if (!findObject(document, at))
      throw path.error(
        'not-exists',
        `permission of role "${args.role}" does not exist for function "${tableText(args.function)}" in source: "${args.source}"`,
        'role',
      )
    return withoutObject(document, at)
  },
})

export const functionOperations: readonly SourceOperation[] = [
  trackFunction,
  untrackFunction,
  setFunctionCustomization,
  createFunctionPermission,
  dropFunctionPermission,
]
