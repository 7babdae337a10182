import { type NameStyle, perStyle } from '../backend-kind.ts'
import {
  deletePermissionBody,
  insertPermissionBody,
  selectPermissionBody,
  updatePermissionBody,
} from '../objects/permission.ts'
import { lenient, name, nullable, oneOf, optional, type Schema, text } from '../shape.ts'
import { inTable } from './shared-keys.ts'

const createArgs = <T>(style: NameStyle, permission: Schema<T>) =>
  lenient({ ...inTable(style), role: name, permission, comment: optional(text) })

/** `<p>_create_…_permission` (reference/metadata-operations#permissions-of-tables). */
export const createInsertPermissionArgs = perStyle((style) => createArgs(style, insertPermissionBody(style)))
export const createSelectPermissionArgs = perStyle((style) => createArgs(style, selectPermissionBody(style)))
export const createUpdatePermissionArgs = perStyle((style) => createArgs(style, updatePermissionBody(style)))
export const createDeletePermissionArgs = perStyle((style) => createArgs(style, deletePermissionBody(style)))

/** `<p>_drop_…_permission`. */
export const dropPermissionArgs = perStyle((style) => lenient({ ...inTable(style), role: name }))

/** `<p>_set_permission_comment`: the kind as `type` (seed) or `permission`; absent or null comment removes it. */
export const setPermissionCommentArgs = perStyle((style) =>
  lenient(
    {
      ...inTable(style),
      role: name,
      type: oneOf('insert', 'select', 'update', 'delete'),
      comment: nullable(text),
    },
    { aliases: { permission: 'type' } },
  ),
)
