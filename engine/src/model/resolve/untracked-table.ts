import type { QualifiedName } from '../../ir/index.ts'
import type { TableId } from '../object-ids.ts'
import { addressOfTable, quotedTable } from '../table-id.ts'
import { ResolutionError } from './resolution-error.ts'

/** Returns the error of an object that needs a table which is not tracked. `bare`: as in ResolutionErrorDetail. */
export const untrackedTable = (
  table: QualifiedName,
  id: TableId,
  at: readonly (string | number)[],
  bare = false,
): ResolutionError =>
  new ResolutionError(`table ${quotedTable(table)} is not tracked`, {
    cause: 'metadata',
    needs: [addressOfTable(id)],
    at,
    bare,
  })
