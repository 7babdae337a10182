import { perStyle } from '../backend-kind.ts'
import { qualifiedName } from '../objects/qualified-name.ts'
import { storedProcedureShape } from '../objects/stored-procedure.ts'
import { record, type Value } from '../shape.ts'
import { sourceName } from './shared-keys.ts'

const ignore = { unknown: 'ignore' } as const

/** `<p>_track_stored_procedure` (reference/metadata-operations#native-queries-and-logical-models). */
export const trackStoredProcedureArgs = perStyle((style) =>
  record({ source: sourceName, ...storedProcedureShape(style) }, ignore),
)
export type TrackStoredProcedureArgs = Value<ReturnType<typeof trackStoredProcedureArgs>>

export const untrackStoredProcedureArgs = perStyle((style) =>
  record({ source: sourceName, stored_procedure: qualifiedName(style) }, ignore),
)
