import { perStyle } from '../backend-kind.ts'
import { logicalModelPermissionBody, logicalModelShape } from '../objects/logical-model.ts'
import { filled, lenient, name, oneOf, optional, text, type Value } from '../shape.ts'
import { sourceName } from './shared-keys.ts'

/**
 * `<p>_track_logical_model` (reference/metadata-operations#native-queries-and-logical-models);
 * `<p>_update_logical_model` accepts the same and keeps the permissions.
 */
export const trackLogicalModelArgs = lenient({ source: sourceName, ...logicalModelShape })

export const untrackLogicalModelArgs = lenient({ source: sourceName, name })

/** What a permission is of: a logical model, or the one written in place in a native query. */
const owner = filled(oneOf('logical_model', 'native_query'), 'logical_model')

/** `<p>_create_logical_model_select_permission`. */
export const createLogicalModelPermissionArgs = perStyle((style) =>
  lenient({
    source: sourceName,
    name,
    type: owner,
    role: name,
    permission: logicalModelPermissionBody(style),
    comment: optional(text),
  }),
)
export type CreateLogicalModelPermissionArgs = Value<ReturnType<typeof createLogicalModelPermissionArgs>>

export const dropLogicalModelPermissionArgs = lenient({ source: sourceName, name, type: owner, role: name })
export type DropLogicalModelPermissionArgs = Value<typeof dropLogicalModelPermissionArgs>
