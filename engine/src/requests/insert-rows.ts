import { findObject, type InsertRowsArgs, type Json, tableAddress, tableText } from '@svc/schema'
import { type Draft, readySource } from '../changes/index.ts'
import { ApiError, type Path } from '../errors.ts'
import { adminRole, type Session } from '../session.ts'

/**
 * insert of the row API (spec 02 §8). Throws not-exists for an untracked table; permission-denied for every role that
 * no served insert permission allows, which today is every role but admin; what else is wrong is the connection's to say.
 */
export async function insertRows(draft: Draft, args: InsertRowsArgs, path: Path, session: Session): Promise<Json> {
  const { source, table, objects, on_conflict, returning } = args
  const state = readySource(draft, source, path)
  const at = tableAddress(source, table)
  const known = findObject(draft.document, at) && state.introspection.tables.get(at.own)
  if (!known) throw new ApiError('not-exists', path.at('table'), `table "${tableText(table)}" does not exist`)
  if (session.role !== adminRole)
    throw new ApiError(
      'permission-denied',
      path,
      `insert on "${tableText(table)}" for role "${session.role}" is not allowed. `,
    )
  const answer = await state.connection.insertRows(
    {
      table: known,
      rows: objects,
      onConflict: on_conflict
        ? {
            action: on_conflict.action,
            ...(on_conflict.constraint !== undefined && { constraint: on_conflict.constraint }),
            ...(on_conflict.constraint_on && { constraintOn: on_conflict.constraint_on }),
          }
        : null,
      returning: returning ?? null,
    },
    path,
  )
  return answer as unknown as Json
}
