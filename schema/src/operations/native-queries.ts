import { perStyle } from '../backend-kind.ts'
import { nativeQueryShape } from '../objects/native-query.ts'
import { name, record, type Value } from '../shape.ts'
import { sourceName } from './shared-keys.ts'

const ignore = { unknown: 'ignore' } as const

/**
 * `<p>_track_native_query` (reference/metadata-operations#native-queries-and-logical-models); `<p>_update_native_query`
 * takes the same and replaces the definition.
 */
export const trackNativeQueryArgs = perStyle((style) =>
  record({ source: sourceName, ...nativeQueryShape(style) }, ignore),
)
export type TrackNativeQueryArgs = Value<ReturnType<typeof trackNativeQueryArgs>>

export const untrackNativeQueryArgs = record({ source: sourceName, root_field_name: name }, ignore)

/** `<p>_get_native_query`, `<p>_get_logical_model`: all of a source. */
export const listOfSourceArgs = record({ source: sourceName }, ignore)
export type ListOfSourceArgs = Value<typeof listOfSourceArgs>
