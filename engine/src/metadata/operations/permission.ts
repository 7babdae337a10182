/** Permissions of tables (reference/metadata-operations#permissions-of-tables). */
import {
  address,
  createDeletePermissionArgs,
  createInsertPermissionArgs,
  createSelectPermissionArgs,
  createUpdatePermissionArgs,
  dropPermissionArgs,
  findObject,
  type JsonObject,
  type MetadataDocument,
  type NameStyle,
  type ObjectAddress,
  type ObjectType,
  ownKey,
  type Schema,
  setPermissionCommentArgs,
  tableAddress,
  tableText,
} from '@svc/schema'
import { ApiError, type Path } from '../../errors.ts'
import { adminRole } from '../../session.ts'
import { withNew, withoutObject, withValue } from '../change-object.ts'
import { namedTable, requireReady, requireTable, type TableArgs, withoutAbsent } from '../find-table.ts'
import { defineSourceOperation, type SourceOperation } from '../operation.ts'
import type { OperationContext } from '../operation-context.ts'
import { tablesOfExpression } from '../tables-of-expression.ts'

type PermissionKind = 'insert' | 'select' | 'update' | 'delete'

const permissionType = {
  insert: 'insert_permission',
  select: 'select_permission',
  update: 'update_permission',
  delete: 'delete_permission',
} as const satisfies Record<PermissionKind, ObjectType>

interface RoleArgs extends TableArgs {
  readonly role: string
}

const permissionAddress = (kind: PermissionKind, { source, table, role }: RoleArgs): ObjectAddress =>
  address(permissionType[kind], ownKey(permissionType[kind], { role }), tableAddress(source, table))

/**
 * Throws permission-denied, which is what an absent permission is
 * (reference/metadata-operations#permissions-of-tables).
 */
function requirePermission(document: MetadataDocument, kind: PermissionKind, args: RoleArgs, path: Path) {
  requireTable(document, args, path)
  const at = permissionAddress(kind, args)
  const object = findObject(document, at)
  if (object) return { at, object }
  throw path.error(
    'permission-denied',
    `${kind} permission on "${tableText(args.table)}" for role "${args.role}" does not exist`,
    'role',
  )
}

interface SelectBody {
  readonly filter: JsonObject
  readonly limit?: number
  readonly allow_aggregations?: boolean
  readonly query_root_fields?: readonly string[]
  readonly subscription_root_fields?: readonly string[]
}

/** Refuses what contradicts itself whatever the database has. Throws not-supported, validation-failed. */
function checkSelectBody(body: SelectBody, path: Path, context: OperationContext, table: RoleArgs): void {
  const at = path.at('permission')
  if (body.limit !== undefined && body.limit < 0)
    throw new ApiError('not-supported', path, 'unexpected negative value', { at: at.at('limit') })
  for (const list of ['query_root_fields', 'subscription_root_fields'] as const) {
    const fields = body[list]
    if (!fields) continue
    if (fields.includes('select_aggregate') && body.allow_aggregations !== true)
      throw new ApiError(
        'validation-failed',
        path,
        `The "select_aggregate" root field can only be enabled in the ${list} if "allow_aggregations" is set to true`,
        { at: at.at(list) },
      )
    const known = context.table(table.source, tableAddress(table.source, table.table))
    const columns: unknown = (body as { readonly columns?: unknown }).columns
    const hidden = (column: string) => Array.isArray(columns) && !columns.includes(column)
    if (fields.includes('select_by_pk') && known && (known.primaryKey === null || known.primaryKey.some(hidden)))
      throw new ApiError(
        'validation-failed',
        path,
        `The "select_by_pk" field cannot be included in the ${list} because the role "${table.role}" does not have access to the primary key of the table "${tableText(table.table)}"`,
        { at: at.at(list) },
      )
  }
}

interface CreateArgs<Body> extends RoleArgs {
  readonly permission: Body
  readonly comment?: string
}

/** Tables that a permission's row conditions name. */
const tablesOfBody = ({ filter, check }: { readonly filter?: JsonObject; readonly check?: JsonObject | null }) => [
  ...tablesOfExpression(filter ?? {}),
  ...tablesOfExpression(check ?? {}),
]

/**
 * `create_…_permission`. already-exists for a second one, and for the role admin, which may do everything; what
 * `checkBody` throws; anything else wrong makes it inconsistent.
 */
function createPermission<Body extends { readonly filter?: JsonObject; readonly check?: JsonObject | null }>(
  kind: PermissionKind,
  args: (names: NameStyle) => Schema<CreateArgs<Body>>,
  checkBody?: (body: Body, path: Path, context: OperationContext, table: RoleArgs) => void,
): SourceOperation {
  return defineSourceOperation<CreateArgs<Body>>({
    name: `create_${kind}_permission`,
    args: ({ names }) => args(names.style),
    check: 'object',
    mentions: ({ source, table, permission }) => [{ source, tables: [table, ...tablesOfBody(permission)] }],
    apply(document, args, path, context) {
      requireTable(document, args, path)
      requireReady(args.source, path, context)
      const at = permissionAddress(kind, args)
      if (args.role === adminRole || findObject(document, at))
        throw path.error(
          'already-exists',
          `${kind} permission already defined on table "${tableText(args.table)}" with role "${args.role}"`,
          'role',
        )
      checkBody?.(args.permission, path, context, args)
      const { role, permission, comment } = args
      const value = withoutAbsent({ role, permission: permission, comment })
      return withNew(document, at, value)
    },
  })
}

/** `drop_…_permission`. permission-denied when there is none. */
function dropPermission(kind: PermissionKind): SourceOperation {
  return defineSourceOperation({
    name: `drop_${kind}_permission`,
    args: ({ names }) => dropPermissionArgs(names.style),
    check: 'no-new',
    mentions: namedTable,
    drops: (args) => [permissionAddress(kind, args)],
    apply(document, args, path) {
      const { at } = requirePermission(document, kind, args, path)
      return withoutObject(document, at)
    },
  })
}

/** set_permission_comment, of all four kinds; absent or null removes it. permission-denied. */
const setPermissionComment = defineSourceOperation({
  name: 'set_permission_comment',
  args: ({ names }) => setPermissionCommentArgs(names.style),
  check: 'object',
  mentions: namedTable,
  apply(document, args, path) {
    const { at, object } = requirePermission(document, args.type, args, path)
    const { comment: _, ...value } = object.value
    return withValue(document, at, withoutAbsent({ ...value, comment: args.comment ?? undefined }))
  },
})

/**
 * What a mutation may write is checked by the model: columns, presets, conditions
 * (reference/metadata-operations#permissions-of-tables).
 */
export const permissionOperations: readonly SourceOperation[] = [
  createPermission('insert', createInsertPermissionArgs),
  dropPermission('insert'),
  createPermission('select', createSelectPermissionArgs, checkSelectBody),
  dropPermission('select'),
  createPermission('update', createUpdatePermissionArgs),
  dropPermission('update'),
  createPermission('delete', createDeletePermissionArgs),
  dropPermission('delete'),
  setPermissionComment,
]
