/** Stored procedures as root fields (reference/metadata-operations#native-queries-and-logical-models). */
import {
  address,
  findObject,
  type JsonObject,
  type ObjectAddress,
  ownKey,
  sourceAddress,
  tableText,
  trackStoredProcedureArgs,
  untrackStoredProcedureArgs,
} from '@svc/schema'
import { withNew, withoutObject } from '../change-object.ts'
import { requireObject, requireReady, requireSource } from '../find-table.ts'
import { defineSourceOperation, type SourceOperation } from '../operation.ts'

const addressOf = (source: string, procedure: JsonObject): ObjectAddress =>
  address('stored_procedure', ownKey('stored_procedure', { stored_procedure: procedure }), sourceAddress(source))

/** track_stored_procedure. already-tracked; a logical model that is not there makes it inconsistent. */
const trackStoredProcedure = defineSourceOperation({
  name: 'track_stored_procedure',
  args: ({ names }) => trackStoredProcedureArgs(names.style),
  check: 'object',
  apply(document, { source, ...value }, path, context) {
    requireSource(document, source, path, path.at('source'))
    requireReady(source, path, context)
    const at = addressOf(source, value.stored_procedure)
    if (findObject(document, at))
      throw path.error(
        'already-tracked',
        `Stored procedure '${tableText(value.stored_procedure)}' is already tracked.`,
        'stored_procedure',
      )
    return withNew(document, at, value)
  },
})

/** untrack_stored_procedure. not-found. */
const untrackStoredProcedure = defineSourceOperation({
  name: 'untrack_stored_procedure',
  args: ({ names }) => untrackStoredProcedureArgs(names.style),
  check: 'no-new',
  drops: ({ source, stored_procedure }) => [addressOf(source, stored_procedure)],
  apply(document, { source, stored_procedure }, path) {
    requireSource(document, source, path, path.at('source'))
    const at = addressOf(source, stored_procedure)
    const text = `stored procedure "${tableText(stored_procedure)}" does not exist in source: ${source}`
    requireObject(document, at, path, path.at('stored_procedure'), text, 'not-found')
    return withoutObject(document, at)
  },
})

export const storedProcedureOperations: readonly SourceOperation[] = [trackStoredProcedure, untrackStoredProcedure]
