import type { DatabaseTable } from '../../database-objects.ts'
import type { CapturedOperation } from '../../event-store.ts'
import { isType } from '../types/known-types.ts'

/** Returns why changes of a table cannot be captured as events, or null where they can. */
export function captureProblem(
  { columns, primaryKey }: DatabaseTable,
  operations: readonly CapturedOperation[],
): string | null {
  if (columns.some(({ type }) => isType(type, 'geography', 'geometry')))
    return 'Event triggers for MS-SQL sources are not supported on tables having Geometry or Geography column types'
  if (operations.includes('update') && !primaryKey)
    return 'Update event triggers for MS-SQL sources are only supported on tables with primary keys'
  return null
}
