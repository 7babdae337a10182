import { ApiError, Path } from '../../../errors.ts'
import type { WriteCompiler } from '../../backend.ts'

/** An update or a delete as batches around a temporary table (docs/sql-server.md). */
export const prepareWrite: WriteCompiler['prepare'] = () => {
  throw new ApiError('not-supported', Path.root, 'SQL Server sources are not written yet')
}
