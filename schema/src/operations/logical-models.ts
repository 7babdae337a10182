import { perStyle } from '../backend-kind.ts'
import { logicalModelPermissionBody, logicalModelShape } from '../objects/logical-model.ts'
import { filled, name, oneOf, optional, record, text, type Value } from '../shape.ts'
import { sourceName } from './shared-keys.ts'

const ignore = { unknown: 'ignore' } as const

/**
 * `<p>_track_logical_model` (reference/metadata-operations#native-queries-and-logical-models);
 * `<p>_update_logical_model` takes the same and keeps the permissions.
 */
export const trackLogicalModelArgs = record({ source: sourceName, ...logicalModelShape }, ignore)
export type TrackLogicalModelArgs = Value<typeof trackLogicalModelArgs>

export const untrackLogicalModelArgs = record({ source: sourceName, name }, ignore)

/** What a permission is of: a logical model, or the one written in place in a native query. */
const owner = filled(oneOf('logical_model', 'native_query'), 'logical_model')

/** `<p>_create_logical_model_select_permission`. */
export const createLogicalModelPermissionArgs = perStyle((style) =>
  record(
    {
      source: sourceName,
      name,
      type: owner,
      role: name,
      permission: logicalModelPermissionBody(style),
      comment: optional(text),
    },
    ignore,
  ),
)
export type CreateLogicalModelPermissionArgs = Value<ReturnType<typeof createLogicalModelPermissionArgs>>

export const dropLogicalModelPermissionArgs = record({ source: sourceName, name, type: owner, role: name }, ignore)
export type DropLogicalModelPermissionArgs = Value<typeof dropLogicalModelPermissionArgs>
