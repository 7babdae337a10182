import { perStyle } from '../backend-kind.ts'
import { qualifiedName } from '../objects/qualified-name.ts'
import { storedProcedureShape } from '../objects/stored-procedure.ts'
import { lenient } from '../shape.ts'
import { sourceName } from './shared-keys.ts'

/** `<p>_track_stored_procedure` (reference/metadata-operations#native-queries-and-logical-models). */
export const trackStoredProcedureArgs = perStyle((style) =>
  lenient({ source: sourceName, ...storedProcedureShape(style) }),
)

export const untrackStoredProcedureArgs = perStyle((style) =>
  lenient({ source: sourceName, stored_procedure: qualifiedName(style) }),
)
