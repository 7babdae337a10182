import { type NameStyle, perStyle } from '../backend-kind.ts'
import {
  deletePermissionBody,
  insertPermissionBody,
  selectPermissionBody,
  updatePermissionBody,
} from '../objects/permission.ts'
import { qualifiedName } from '../objects/qualified-name.ts'
import { name, nullable, oneOf, optional, record, type Schema, text, type Value } from '../shape.ts'
import { sourceName } from './shared-keys.ts'

const ignore = { unknown: 'ignore' } as const

const createArgs = <T>(style: NameStyle, permission: Schema<T>) =>
  record({ source: sourceName, table: qualifiedName(style), role: name, permission, comment: optional(text) }, ignore)

/** `<p>_create_…_permission` (reference/metadata-operations#permissions-of-tables). */
export const createInsertPermissionArgs = perStyle((style) => createArgs(style, insertPermissionBody(style)))
export const createSelectPermissionArgs = perStyle((style) => createArgs(style, selectPermissionBody(style)))
export const createUpdatePermissionArgs = perStyle((style) => createArgs(style, updatePermissionBody(style)))
export const createDeletePermissionArgs = perStyle((style) => createArgs(style, deletePermissionBody(style)))

export type CreateInsertPermissionArgs = Value<ReturnType<typeof createInsertPermissionArgs>>
export type CreateSelectPermissionArgs = Value<ReturnType<typeof createSelectPermissionArgs>>
export type CreateUpdatePermissionArgs = Value<ReturnType<typeof createUpdatePermissionArgs>>
export type CreateDeletePermissionArgs = Value<ReturnType<typeof createDeletePermissionArgs>>

/** `<p>_drop_…_permission`. */
export const dropPermissionArgs = perStyle((style) =>
  record({ source: sourceName, table: qualifiedName(style), role: name }, ignore),
)
export type DropPermissionArgs = Value<ReturnType<typeof dropPermissionArgs>>

/** `<p>_set_permission_comment`: the kind as `type` (seed) or `permission`; absent or null comment removes it. */
export const setPermissionCommentArgs = perStyle((style) =>
  record(
    {
      source: sourceName,
      table: qualifiedName(style),
      role: name,
      type: oneOf('insert', 'select', 'update', 'delete'),
      comment: nullable(text),
    },
    { ...ignore, aliases: { permission: 'type' } },
  ),
)
export type SetPermissionCommentArgs = Value<ReturnType<typeof setPermissionCommentArgs>>
