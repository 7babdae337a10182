import { perStyle } from '../backend-kind.ts'
import { nativeQueryShape } from '../objects/native-query.ts'
import { lenient, name, type Value } from '../shape.ts'
import { sourceName } from './shared-keys.ts'

/**
 * `<p>_track_native_query` (reference/metadata-operations#native-queries-and-logical-models); `<p>_update_native_query`
 * accepts the same and replaces the definition.
 */
export const trackNativeQueryArgs = perStyle((style) => lenient({ source: sourceName, ...nativeQueryShape(style) }))
export type TrackNativeQueryArgs = Value<ReturnType<typeof trackNativeQueryArgs>>

export const untrackNativeQueryArgs = lenient({ source: sourceName, root_field_name: name })

/** `<p>_get_native_query`, `<p>_get_logical_model`: all of a source. */
export const listOfSourceArgs = lenient({ source: sourceName })
