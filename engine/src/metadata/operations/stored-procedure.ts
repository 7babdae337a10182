/** Stored procedures as root fields (reference/metadata-operations#native-queries-and-logical-models). */
import {
  address,
  findObject,
  type JsonObject,
  type ObjectAddress,
  ownKey,
  putObject,
  removeObject,
  sourceAddress,
  tableText,
  trackStoredProcedureArgs,
  untrackStoredProcedureArgs,
} from '@svc/schema'
import { ApiError } from '../../errors.ts'
import { MissingObject, requireReady, requireSource } from '../find-table.ts'
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
      throw new ApiError(
        'already-tracked',
        path,
        `Stored procedure '${tableText(value.stored_procedure)}' is already tracked.`,
        { at: path.at('stored_procedure') },
      )
    return { document: putObject(document, at, { type: at.type, value, children: {} }), touched: [at] }
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
    if (!findObject(document, at))
      throw new MissingObject(
        'not-found',
        at,
        path,
        path.at('stored_procedure'),
        `stored procedure "${tableText(stored_procedure)}" does not exist in source: ${source}`,
      )
    return { document: removeObject(document, at), touched: [at] }
  },
})

export const storedProcedureOperations: readonly SourceOperation[] = [trackStoredProcedure, untrackStoredProcedure]
